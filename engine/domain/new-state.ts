// Makes an empty live state out of the parts of all nouns of a registry.
import { assert } from '../kernel/assert.ts'
import type { Currency } from '../kernel/currency.ts'
import type { Environment } from '../kernel/environment.ts'
import { Quotas } from '../kernel/quota.ts'
import type { SnapshotSource } from '../kernel/table.ts'
import { TimerQueue } from '../kernel/timer-queue.ts'
import { Accounts } from '../ledger/accounts.ts'
import { Holds } from '../ledger/holds.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { NounRegistry } from './noun-registry.ts'
import { REGISTRY } from './registry.ts'
import type { SharedState, State } from './state.ts'

/** The currency whose accounts exist from the first record on: the others open with their first merchant or wallet. */
const FIRST_CURRENCY: Currency = 'XOF'

export function newState(registry: NounRegistry = REGISTRY): State {
  const shared = new EmptyState()
  const parts: Record<string, object> = {}
  shared.quotas.declare(registry.quotas)
  for (const { name, create } of registry.states) {
    assert(!(name in shared) && !(name in parts), `only one noun has the state "${name}"`)
    const part = create(shared)
    parts[name] = part
    for (const source of part.snapshotSources) shared.addSnapshotSource(source)
  }
  shared.quotas.assertCounted()
  // Every member that a noun adds to State is made by the noun of that name: registry.ts does not compile without it.
  return Object.assign(shared, parts) as unknown as State
}

class EmptyState implements SharedState {
  readonly accounts = new Accounts()
  readonly holds = new Holds(this.accounts)
  readonly timers = new TimerQueue()
  readonly quotas = new Quotas()
  readonly transactionCounts: Record<Environment, number> = { live: 0, test: 0 }
  readonly snapshotSources: SnapshotSource[] = []

  constructor() {
    this.accounts.openCurrency(FIRST_CURRENCY)
    for (const source of this.holds.snapshotSources) this.addSnapshotSource(source)
  }

  /** The names are the prefixes of the rows: two sources of one name would overwrite each other's. */
  addSnapshotSource(source: SnapshotSource): void {
    assert(!this.snapshotSources.some(({ name }) => name === source.name), `only one table has the name "${source.name}"`)
    this.snapshotSources.push(source)
  }

  settlementAccount(environment: Environment): AccountNumber {
    return this.accounts.own('settlement', environment, FIRST_CURRENCY)
  }
}
