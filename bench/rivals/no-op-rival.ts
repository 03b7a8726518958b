// Rival N as a subject of the rows.
import { processEntry } from '../../engine/kernel/script-entry.ts'
import type { Subject } from '../measure.ts'
import { startServer } from '../process/server-process.ts'

export interface NoOpRival extends Subject {
  stop(): Promise<void>
}

export async function startNoOpRival(projectFolder: string): Promise<NoOpRival> {
  const script = processEntry(new URL('./no-op-server.ts', import.meta.url))
  const server = await startServer({
    name: 'N',
    args: script,
    cwd: projectFolder,
    env: { NODE_ENV: 'production' },
  })
  return { name: 'N', port: server.port, pids: [server.pid], lastLines: server.lastLines, stop: async () => void (await server.stop()) }
}
