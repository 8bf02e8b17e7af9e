import EventLoop
import JSONText
import Service
import Sessions

// What the parts take from the configuration.

extension ServerConfiguration {
  init(_ settings: ServerSettings) {
    var limits = ConnectionLimits()
    limits.headerBytes = settings.limits.headerBytes
    limits.bodyBytes = settings.limits.bodyBytes
    limits.headerSeconds = Double(settings.limits.headerSeconds)
    limits.bodySeconds = Double(settings.limits.bodySeconds)
    limits.keepAliveSeconds = Double(settings.limits.keepAliveSeconds)
    limits.connections = settings.limits.connections
    self.init(host: settings.host, port: settings.port, threads: settings.threads, limits: limits)
  }
}

extension SessionLimits {
  init(_ limits: Limits) {
    self.init()
    sessions = limits.sessions
    itemsPerSession = limits.itemsPerSession
    rowBytes = limits.rowBytes
    subscribersPerSession = limits.subscribersPerSession
    keptChanges = limits.keptChanges
    keptBytes = limits.keptBytes
    residentBytes = limits.residentBytes
  }
}

extension AccessRules {
  init(_ settings: ServerSettings) {
    self.init(
      hosts: settings.hosts.map { Bytes($0) }, origins: settings.origins.map { Bytes($0) },
      tokens: settings.tokens.map { Bytes($0) }, adminTokens: settings.adminTokens.map { Bytes($0) })
  }
}
