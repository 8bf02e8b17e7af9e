import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const binary = process.env.ROWCAST_BINARY ?? `${root}.build/release/rowcast`

/** Why there is no server to start; false where there is one. */
export const missing = existsSync(binary) ? false : `${binary} is not built: swift build -c release`

/**
 * Starts the built server on a free port, with nothing kept.
 * @returns {Promise<{base: string, stop: () => Promise<void>}>}
 */
export function startServer() {
  const server = spawn(binary, ['serve', '--port', '0', '--store', 'memory:'],
    { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => server.on('exit', resolve))
  return new Promise((resolve, reject) => {
    let line = ''
    server.on('error', reject)
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    server.stdout.on('data', (text) => {
      line += text
      const found = /listening on (\S+)\n/.exec(line)
      if (found) {
        resolve({
          base: found[1],
          stop: async () => {
            server.kill('SIGTERM')
            await ended
          },
        })
      }
    })
  })
}
