// A noun that only tests have: a specimen is opened by a command, listed by its merchant, and closed by its timer.
import type { Command } from '../../engine/domain/command.ts'
import { type Context, type Decision, event } from '../../engine/domain/decision.ts'
import type { EventTable, NounModule, TimedCommand } from '../../engine/domain/noun-module.ts'
import { countedBy } from '../../engine/domain/quotas.ts'
import type { StoredEvent } from '../../engine/domain/record.ts'
import type { SharedState, State } from '../../engine/domain/state.ts'
import type { IndexKey } from '../../engine/kernel/index-key.ts'
import type { Quota } from '../../engine/kernel/quota.ts'
import { SnapshotTables, Table } from '../../engine/kernel/table.ts'
import type { DueTimer } from '../../engine/kernel/timer-queue.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'

interface Specimen {
  readonly id: string
  readonly reason: string
  readonly due_at_ms: number
}

interface OpenSpecimen extends Pick<Specimen, 'reason'> {
  readonly type: 'OpenSpecimen'
  readonly merchant: AccountNumber
}

interface CloseSpecimen extends Pick<Specimen, 'id'> {
  readonly type: 'CloseSpecimen'
}

export const SPECIMEN_DAYS_MS = 86_400_000
const KEYS = { specimens: 900 } as const

export const SPECIMENS: Quota = {
  name: 'specimens',
  counts: 'specimens',
  countsFr: 'spécimens',
  holder: 'account',
  max: { both: 1000 },
  share: 3,
  atShare: 'refused',
  retryAfterS: 60,
}

class Specimens extends SnapshotTables {
  readonly open: Table<Specimen>

  constructor(shared: SharedState) {
    super()
    const { timers } = shared
    const bound = countedBy<Specimen>(shared, SPECIMENS, ({ reason }) => reason)
    this.open = new Table(this, 'specimen', bound, (row, before) => {
      if (row === undefined) timers.cancel('specimen', (before as Specimen).id)
      else timers.set('specimen', row.id, row.due_at_ms)
    })
  }
}

function decideOpen(_state: State, { merchant, reason }: OpenSpecimen, context: Context): Decision {
  const specimen: Specimen = { id: context.newId(), reason, due_at_ms: context.timeMs + SPECIMEN_DAYS_MS }
  const events = [event('specimen.opened', 1, merchant, specimen)]
  return { environment: 'test', events, transactions: [], frames: [], kind: 'created', body: 0 }
}

function decideClose(_state: State, { id }: CloseSpecimen): Decision {
  return { environment: 'test', events: [event('specimen.closed', 1, 0, { id })], transactions: [], frames: [], kind: 'ok', body: '' }
}

const EVENTS = {
  'specimen.opened@1': (state: State, specimen: Specimen) => specimensOf(state).open.set(specimen.id, specimen),
  'specimen.closed@1': (state: State, { id }: Specimen) => specimensOf(state).open.delete(id),
} satisfies EventTable

export const SPECIMEN = {
  state: { name: 'specimens', create: (shared) => new Specimens(shared) },
  quotas: [SPECIMENS],
  commands: {
    OpenSpecimen: { decide: decideOpen, rejections: [], overBudget: 'rejected' },
    CloseSpecimen: { decide: decideClose, rejections: [], overBudget: 'counted' },
  },
  events: EVENTS,
  indexKeys: KEYS,
  indexed: { 'specimen.opened': ({ account }: StoredEvent, index, entries) => entries.addEntry(KEYS.specimens, account, '', index) },
  timers: {
    specimen: (_state: State, { key }: DueTimer): TimedCommand<CloseSpecimen> => ({
      command: { type: 'CloseSpecimen', id: key },
      mailbox: 0,
    }),
  },
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule

/** `State` names the nouns of the real list only. */
export function specimensOf(state: State): Specimens {
  return (state as State & { readonly specimens: Specimens }).specimens
}

export function specimensIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: KEYS.specimens, owner: merchant, value: '' }
}

/** The real commands do not have it, so the type of an envelope does not either. */
export function openSpecimen(merchant: AccountNumber, reason: string): Command {
  return { type: 'OpenSpecimen', merchant, reason } satisfies OpenSpecimen as unknown as Command
}
