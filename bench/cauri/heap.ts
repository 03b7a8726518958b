// What Cauri's memory comes to once its garbage is gone: asked for by V8's inspector, then read from /proc. Without it, what
// a figure shows is when the collector last ran.
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'undici'
import { anonymousBytes } from '../process/memory.ts'
import type { CauriServer } from './cauri-server.ts'

const SWEEPS = 3
/** Pages go back to the system a little after the sweep. */
const SETTLE_MS = 500

/** Resident memory without mapped files; null without /proc. The server was started with the inspector. */
export async function sweptBytes(server: CauriServer): Promise<number | null> {
  const url = server.lastLines.map((line) => /^Debugger listening on (ws:\S+)$/.exec(line)?.[1]).find((found) => found !== undefined)
  if (url === undefined) throw new Error('the server does not say where its inspector listens')
  const socket = new WebSocket(url)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('the inspector cannot be reached')))
  })
  for (let sweep = 1; sweep <= SWEEPS; sweep++) {
    const swept = new Promise<void>((resolve) => socket.addEventListener('message', () => resolve(), { once: true }))
    socket.send(JSON.stringify({ id: sweep, method: 'HeapProfiler.collectGarbage' }))
    await swept
    await pause(SETTLE_MS)
  }
  socket.close()
  return anonymousBytes(server.pids[0])
}
