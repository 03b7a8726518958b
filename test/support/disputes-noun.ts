// A noun that only tests have: a dispute is opened by a command, listed by its merchant, and closed by its timer.
import type { Command } from '../../engine/domain/command.ts'
import { type Context, type Decision, event } from '../../engine/domain/decision.ts'
import type { EventTable, NounModule, TimedCommand } from '../../engine/domain/noun-module.ts'
import type { StoredEvent } from '../../engine/domain/record.ts'
import type { State } from '../../engine/domain/state.ts'
import { SnapshotTables, Table } from '../../engine/kernel/table.ts'
import type { Term } from '../../engine/kernel/term.ts'
import type { DueTimer, TimerBook } from '../../engine/kernel/timer-book.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'

interface Dispute {
  readonly id: string
  readonly reason: string
  readonly due_at_ms: number
}

interface OpenDispute extends Pick<Dispute, 'reason'> {
  readonly type: 'OpenDispute'
  readonly merchant: AccountNumber
}

interface CloseDispute extends Pick<Dispute, 'id'> {
  readonly type: 'CloseDispute'
}

export const DISPUTE_DAYS_MS = 86_400_000
const KEYS = { disputes: 900 } as const

class Disputes extends SnapshotTables {
  readonly #timers: TimerBook
  readonly open = new Table<Dispute>(this, 'dispute', (row, before) => {
    if (row === undefined) this.#timers.cancel('dispute', (before as Dispute).id)
    else this.#timers.set('dispute', row.id, row.due_at_ms)
  })

  constructor(timers: TimerBook) {
    super()
    this.#timers = timers
  }
}

function decideOpen(_state: State, { merchant, reason }: OpenDispute, context: Context): Decision {
  const dispute: Dispute = { id: context.newId(), reason, due_at_ms: context.timeMs + DISPUTE_DAYS_MS }
  const events = [event('dispute.opened', 1, merchant, dispute)]
  return { environment: 'test', events, transactions: [], frames: [], kind: 'created', body: 0 }
}

function decideClose(_state: State, { id }: CloseDispute): Decision {
  return { environment: 'test', events: [event('dispute.closed', 1, 0, { id })], transactions: [], frames: [], kind: 'ok', body: '' }
}

const EVENTS = {
  'dispute.opened@1': (state: State, dispute: Dispute) => disputesOf(state).open.set(dispute.id, dispute),
  'dispute.closed@1': (state: State, { id }: Dispute) => disputesOf(state).open.delete(id),
} satisfies EventTable

export const DISPUTE = {
  state: { name: 'disputes', create: ({ timers }) => new Disputes(timers) },
  commands: {
    OpenDispute: { decide: decideOpen, rejections: [], overBudget: 'rejected' },
    CloseDispute: { decide: decideClose, rejections: [], overBudget: 'counted' },
  },
  events: EVENTS,
  indexKeys: KEYS,
  indexed: { 'dispute.opened': ({ account }: StoredEvent, index, filing) => filing.file(KEYS.disputes, account, '', index) },
  timers: {
    dispute: (_state: State, { key }: DueTimer): TimedCommand<CloseDispute> => ({ command: { type: 'CloseDispute', id: key }, mailbox: 0 }),
  },
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule

/** `State` names the nouns of the real list only. */
export function disputesOf(state: State): Disputes {
  return (state as State & { readonly disputes: Disputes }).disputes
}

export function disputesTerm(merchant: AccountNumber): Term {
  return { kind: KEYS.disputes, owner: merchant, value: '' }
}

/** The real commands do not have it, so the type of an envelope does not either. */
export function openDispute(merchant: AccountNumber, reason: string): Command {
  return { type: 'OpenDispute', merchant, reason } satisfies OpenDispute as unknown as Command
}
