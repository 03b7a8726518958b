// What a timer of each kind means when it is due: the command that it becomes.
import { assert } from '../kernel/assert.ts'
import type { DueTimer } from '../kernel/timer-book.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { CHARGE_TIMER } from './charge/state.ts'
import type { Command } from './command.ts'
import type { State } from './state.ts'

export interface TimerEnvelope {
  readonly command: Command
  readonly mailbox: AccountNumber
  readonly idempotency: null
}

type TimerCommand = (state: State, timer: DueTimer) => { readonly command: Command; readonly mailbox: AccountNumber }

const TIMER_COMMANDS: Readonly<Record<string, TimerCommand>> = {
  [CHARGE_TIMER]: expireCharge,
}

export function timerEnvelope(state: State, timer: DueTimer): TimerEnvelope {
  const toCommand = TIMER_COMMANDS[timer.kind]
  if (toCommand === undefined) throw new Error(`no command for timers of kind ${timer.kind}`)
  return { ...toCommand(state, timer), idempotency: null }
}

function expireCharge(state: State, { key }: DueTimer): ReturnType<TimerCommand> {
  const pending = state.charges.pending.get(key)
  assert(pending !== undefined, 'a charge that is no longer pending has no timer')
  return { command: { type: 'ExpireCharge', merchant: pending.account, token: key }, mailbox: pending.account }
}
