// Why a node ended, by its last lines.
import { Patience } from '../../support/patience.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { pause } from './pause.ts'

/** Texts of ends that the design wants: a node that lost the log stops. */
const WANTED_ENDS = /Another node owns the log now|stale_epoch|this node gives the log away|horloge/
const LAST_LINES = 12
const LAST_LINES_MAX_MS = 1000
const LAST_LINES_PAUSE_MS = 50

/** Whether the node said why it ended. Its last lines may arrive after its end. */
export async function hasWantedEnd(server: ServerProcess): Promise<boolean> {
  for (const patience = new Patience(LAST_LINES_MAX_MS); !patience.isOver; await pause(LAST_LINES_PAUSE_MS)) {
    if (WANTED_ENDS.test(lastOutput(server))) return true
  }
  return false
}

export function lastOutput(server: ServerProcess): string {
  return `${server.lines.slice(-LAST_LINES).join('\n')}\n${server.errorOutput().slice(-1000)}`
}
