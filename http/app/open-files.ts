// Maximum of open files. The server must reject connections before the system does, because the native layer then
// spins.
import { readFileSync } from 'node:fs'
import { CONNECTIONS_MAX, RESERVED_FILES } from '../server/server-limits.ts'

/** Returns the maximum of connections: CONNECTIONS_MAX, or what the system's limit leaves after log and archive. */
export function connectionsMax(openFilesMax: number | null = systemOpenFilesMax()): number {
  if (openFilesMax === null) return CONNECTIONS_MAX
  return Math.max(1, Math.min(CONNECTIONS_MAX, openFilesMax - RESERVED_FILES))
}

/** Returns the system's limit; null where unknown. On Linux, Node has raised the soft limit to the hard one before. */
function systemOpenFilesMax(): number | null {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? null : Number(soft)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
