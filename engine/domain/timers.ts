// What a timer of each kind means when it is due: the command that it becomes.
import { assert } from '../kernel/assert.ts'
import { COMMAND_WORK } from '../kernel/limits.ts'
import type { DueTimer } from '../kernel/timer-book.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { CHARGE_TIMER } from './charge/charge-state.ts'
import type { Command } from './command.ts'
import { MANDATE_TIMER } from './mandate/mandate-state.ts'
import { SCHEDULE_TIMER } from './schedule/schedule-state.ts'
import type { State } from './state.ts'

export interface TimerEnvelope {
  readonly command: Command
  readonly mailbox: AccountNumber
  readonly idempotency: null
  /** What its turn costs, in lines of a batch: many that are due at once are spread over turns. */
  readonly work: number
}

type TimerCommand = (
  state: State,
  timer: DueTimer,
) => { readonly command: Command; readonly mailbox: AccountNumber; readonly linesCount?: number }

const TIMER_COMMANDS: Readonly<Record<string, TimerCommand>> = {
  [CHARGE_TIMER]: expireCharge,
  [SCHEDULE_TIMER]: runSchedule,
  [MANDATE_TIMER]: advanceMandate,
}

export function timerEnvelope(state: State, timer: DueTimer): TimerEnvelope {
  const toCommand = TIMER_COMMANDS[timer.kind]
  if (toCommand === undefined) throw new Error(`no command for timers of kind ${timer.kind}`)
  const { command, mailbox, linesCount = 0 } = toCommand(state, timer)
  return { command, mailbox, idempotency: null, work: COMMAND_WORK + linesCount }
}

function expireCharge(state: State, { key }: DueTimer): ReturnType<TimerCommand> {
  const pending = state.charges.pending.get(key)
  assert(pending !== undefined, 'a charge that is no longer pending has no timer')
  return { command: { type: 'ExpireCharge', merchant: pending.account, token: key }, mailbox: pending.account }
}

function runSchedule(state: State, { key, dueMs }: DueTimer): ReturnType<TimerCommand> {
  const live = state.schedules.live.get(key)
  assert(live !== undefined, 'a schedule that will not run has no timer')
  return { command: { type: 'RunSchedule', merchant: live.account, id: key, dueMs }, mailbox: live.account, linesCount: live.linesCount }
}

function advanceMandate(state: State, { key, dueMs }: DueTimer): ReturnType<TimerCommand> {
  const live = state.mandates.live.get(key)
  assert(live !== undefined, 'a mandate that is final has no timer')
  return { command: { type: 'AdvanceMandate', merchant: live.account, id: key, dueMs }, mailbox: live.account }
}
