// How many files the process may have open: connections are files, and one too many must be refused by us and not by
// the system, whose refusal leaves the native layer spinning.
import { readFileSync } from 'node:fs'
import { CONNECTIONS_MAX, RESERVED_FILES } from '../server/server-limits.ts'

/** The smaller of our own maximum and what the system leaves after the files of log and archive. */
export function connectionsMax(openFilesMax: number | null = systemOpenFilesMax()): number {
  if (openFilesMax === null) return CONNECTIONS_MAX
  return Math.max(1, Math.min(CONNECTIONS_MAX, openFilesMax - RESERVED_FILES))
}

/** Null where the system does not say: Linux does, and Node has raised its soft limit to the hard one by then. */
function systemOpenFilesMax(): number | null {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? null : Number(soft)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
