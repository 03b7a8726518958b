// How a server ended, and how long that may take on a busy machine.
import { availableParallelism, loadavg } from 'node:os'
import { withPatience } from '../../support/patience.ts'
import type { ServerProcess } from '../../support/server-process.ts'

export type End = 'exit 0' | 'exit 1' | 'a signal'

const END_MAX_MS = 60_000

export interface Ended {
  readonly end: End | 'nothing'
  /** Time of day. */
  readonly atMs: number
}

/** Runnable processes per processor, at least one: a server that gets a tenth of a processor needs ten times as long to end. */
export function busyness(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}

/** Resolves when the server has ended, or after a maximum time. */
export async function endOf(server: Pick<ServerProcess, 'terminate' | 'exited'>, isStopped: boolean): Promise<Ended> {
  if (isStopped) void server.terminate()
  const code = await withPatience(END_MAX_MS, server.exited)
  const atMs = Date.now()
  if (code === 'late') return { end: 'nothing', atMs }
  return { end: code === 0 ? 'exit 0' : code === 1 ? 'exit 1' : 'a signal', atMs }
}
