// What a mandate's timer means when it is due: it collects, or it expires.
import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { TimedCommand } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { AdvanceMandate } from './mandate-collect-decide.ts'
import { MANDATE_TIMER } from './mandate-state.ts'

export const MANDATE_TIMERS = { [MANDATE_TIMER]: advanceMandate } as const

function advanceMandate(state: State, { key, dueMs }: DueTimer): TimedCommand<AdvanceMandate> {
  const live = state.mandates.live.get(key)
  assert(live !== undefined, 'a mandate that is final has no timer')
  return { command: { type: 'AdvanceMandate', merchant: live.account, id: key, dueMs }, mailbox: live.account }
}
