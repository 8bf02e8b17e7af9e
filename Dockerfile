# Rowcast in a small image: docker build -t rowcast . && docker run --rm -p 127.0.0.1:8080:8080 -e ROWCAST_TOKEN=… rowcast
#
# It runs as a numeric user without root, needs no capability, and writes nowhere but in /var/lib/rowcast.

FROM swift:6.3-bookworm AS build
# Whatever version Debian 12 has is right: it gets security fixes and keeps its interface.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      libevent-dev libcurl4-openssl-dev libsqlite3-dev libzstd-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The manifest names folders of tests and benchmarks too, and SwiftPM wants to see them.
COPY Package.swift ./
COPY Sources ./Sources
COPY Tests ./Tests
COPY Benchmarks ./Benchmarks
RUN swift build -c release --product rowcast --static-swift-stdlib \
      --explicit-target-dependency-import-check error \
 && install -D -m 0755 --strip .build/release/rowcast /out/usr/local/bin/rowcast

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Rowcast" \
      org.opencontainers.image.description="List state over HTTP: rows, placeholder and states, with minimal diff ops" \
      org.opencontainers.image.licenses="MIT"
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      libevent-core-2.1-7 libevent-extra-2.1-7 libevent-pthreads-2.1-7 \
      libcurl4 libsqlite3-0 libzstd1 ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o 10001 -g 10001 -m 0750 /var/lib/rowcast
COPY --from=build /out/ /
COPY Config /etc/rowcast

# A token (ROWCAST_TOKEN) is wanted because it listens on every address: without one it says so and ends with 78.
ENV ROWCAST_CONFIG=/etc/rowcast/rowcast.json \
    ROWCAST_HOST=0.0.0.0
USER 10001:10001
# Relative store paths are counted from here.
WORKDIR /var/lib/rowcast
VOLUME /var/lib/rowcast
EXPOSE 8080
STOPSIGNAL SIGTERM
# Asks the server itself, on ROWCAST_PORT, within its own time limit: a server that hangs is not healthy.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["rowcast", "health"]
ENTRYPOINT ["rowcast"]
CMD ["serve"]
