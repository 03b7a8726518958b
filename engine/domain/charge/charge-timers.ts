// The timer of a charge: the charge expires when it is due.
import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { TimedCommand } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { ExpireCharge } from './charge-decide.ts'
import { CHARGE_TIMER } from './charge-state.ts'

export const CHARGE_TIMERS = { [CHARGE_TIMER]: expireCharge } as const

function expireCharge(state: State, { key }: DueTimer): TimedCommand<ExpireCharge> {
  const pending = state.charges.pending.get(key)
  assert(pending !== undefined, 'a charge that is no longer pending has no timer')
  return { command: { type: 'ExpireCharge', merchant: pending.account, token: key }, mailbox: pending.account }
}
