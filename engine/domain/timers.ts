// What a timer of each kind means when it is due: the command that it becomes.
import { COMMAND_WORK } from '../kernel/limits.ts'
import type { DueTimer } from '../kernel/timer-queue.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Command } from './command.ts'
import type { NounRegistry } from './noun-registry.ts'
import type { State } from './state.ts'

export interface TimerEnvelope {
  readonly command: Command
  readonly mailbox: AccountNumber
  readonly idempotency: null
  /** What its turn costs, in lines of a batch: many that are due at once are spread over turns. */
  readonly work: number
  readonly isPaced: boolean
}

export function timerEnvelope(registry: NounRegistry, state: State, timer: DueTimer): TimerEnvelope {
  const toCommand = registry.timers.get(timer.kind)
  if (toCommand === undefined) throw new Error(`no command for timers of kind ${timer.kind}`)
  const { command, mailbox, linesCount = 0, isPaced = false } = toCommand(state, timer)
  // A noun's timers become commands of the same noun.
  return { command: command as Command, mailbox, idempotency: null, work: COMMAND_WORK + linesCount, isPaced }
}
