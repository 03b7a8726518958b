// Sources that change state where they may not.
import type { Row } from './row.ts'
import { STATE_CHANGES } from './state-changes.ts'

export const STATE_ROWS: readonly Row[] = [
  {
    rule: STATE_CHANGES,
    name: 'a decision or a route changes state',
    given: {
      'engine/domain/bill/bill-decide.ts':
        'state.bills.set(id, bill)\nstate.counts[env]++\nstate.counts.live = 2\ndelete state.bills.rows[id]',
      'engine/actor/mailboxes.ts': 'this.#state.accounts.post(posting)',
      'http/routes/a.ts': 'engine.state.wallets.delete(tag)',
    },
    then: [...[1, 2, 3, 4].map((line) => `engine/domain/bill/bill-decide.ts:${line}`), 'engine/actor/mailboxes.ts:1', 'http/routes/a.ts:1'],
  },
  {
    rule: STATE_CHANGES,
    name: 'appliers and the ledger change it, others read it and change what is their own',
    given: {
      'engine/domain/bill/bill-evolve.ts': 'state.bills.set(id, bill)',
      'engine/ledger/holds.ts': 'state.accounts.changeHeld(a, 1)',
      'engine/domain/bill/bill-decide.ts': 'state.bills.get(id)\nconst seen = new Set()\nseen.add(state.bills.get(id))\nbill.state === 1',
      'http/stream.ts': "this.#state = 'open'\nthis.#state.set(1, 2)",
    },
    then: [],
  },
]
