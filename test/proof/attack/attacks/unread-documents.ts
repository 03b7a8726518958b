// Connections that ask for the API document and never read: what waits for them must take no room from the answers of others.
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Attack } from '../attack.ts'

const CONNECTIONS_A_SECOND = 200
const HELD_MAX = 1000
const ASK = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.31\r\nAccept-Encoding: identity\r\n\r\n'

export const UNREAD_DOCUMENTS: Attack = {
  name: 'unread-documents',
  title: `Opens ${CONNECTIONS_A_SECOND} connections a second that ask for the API document and read nothing.`,
  prepare: ({ baseUrl }) => {
    const { hostname, port } = new URL(baseUrl)
    return Promise.resolve(async (signal) => {
      const figures = { connections: 0 }
      const held = new Set<ReturnType<typeof connect>>()
      while (!signal.aborted) {
        const socket = connect(Number(port), hostname)
        socket.pause()
        socket.on('error', () => socket.destroy())
        socket.write(ASK)
        held.add(socket)
        figures.connections++
        const [oldest] = held
        if (held.size > HELD_MAX && oldest !== undefined) {
          held.delete(oldest)
          oldest.destroy()
        }
        await delay(1000 / CONNECTIONS_A_SECOND)
      }
      for (const socket of held) socket.destroy()
      return figures
    })
  },
  judge: ({ connections }) => (Number(connections) > 0 ? [] : ['nothing was asked']),
}
