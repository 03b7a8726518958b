// What a disbursement's timer means when it is due: a turn of its lines.
import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { TimedCommand } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { AdvanceDisbursement } from './disbursement-advance-decide.ts'
import { LINES_PER_TURN } from './disbursement-limits.ts'
import { DISBURSEMENT_TIMER } from './disbursement-state.ts'

export const DISBURSEMENT_TIMERS = { [DISBURSEMENT_TIMER]: advanceDisbursement } as const

function advanceDisbursement({ disbursements }: State, { key, dueMs }: DueTimer): TimedCommand<AdvanceDisbursement> {
  const row = disbursements.live.get(key)
  assert(row !== undefined, 'a disbursement that has ended has no timer')
  const { account } = row
  return { command: { type: 'AdvanceDisbursement', merchant: account, id: key, dueMs }, mailbox: account, linesCount: LINES_PER_TURN }
}
