// Top-ups and withdrawals of merchants in the model, and the holds of withdrawals.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows, sent } from '../entry.ts'
import type { Moves } from '../moves.ts'
import type { AccountsModel } from './accounts.ts'
import { type FeesModel, type ModelFee, NO_FEE } from './fees.ts'
import type { MoneyModel } from './money.ts'

type CashState = 'requested' | 'confirmed' | 'paid' | 'refused' | 'cancelled'

export interface ModelCash {
  readonly id: string
  readonly kind: 'top_up' | 'withdrawal'
  readonly account: number
  readonly amount: number
  /** Held beside the amount of a withdrawal. */
  readonly fee: ModelFee
  state: CashState
}

interface CashPayload {
  readonly id: string
  readonly amount: number
  readonly state: CashState
  readonly confirmed_amount?: number
}

interface SavedPayload {
  readonly merchant: number
  readonly saved: { readonly id: string; readonly usable_from: string }
}

const ENDS = { top_up: ['confirmed', 'refused', 'cancelled'], withdrawal: ['paid', 'refused', 'cancelled'] } as const

export class CashModel implements NounModel {
  readonly requests = new Map<string, ModelCash>()
  /** Saved withdrawal accounts by id. */
  readonly saved = new Map<string, { readonly merchant: number; readonly usableFromMs: number }>()
  readonly #accounts: AccountsModel
  readonly #money: MoneyModel
  readonly #fees: FeesModel
  readonly #machines: Readonly<Record<ModelCash['kind'], Machine<CashState>>>

  constructor(accounts: AccountsModel, money: MoneyModel, fees: FeesModel, seen: Moves) {
    this.#accounts = accounts
    this.#fees = fees
    this.#money = money
    const [open, never] = [{ refused: ['requested'], cancelled: ['requested'] } as const, ['requested'] as const]
    this.#machines = {
      top_up: new Machine('top-up', { ...open, confirmed: never }, seen),
      withdrawal: new Machine('withdrawal', { ...open, paid: never }, seen),
    }
  }

  accountsOf(merchant: number): string[] {
    return [...this.saved].filter(([, row]) => row.merchant === merchant).map(([id]) => id)
  }

  accountVerdict(merchant: number, id: string, timeMs: number): 'not_found' | 'account_not_usable_yet' | null {
    const row = this.saved.get(id)
    if (row?.merchant !== merchant) return 'not_found'
    return row.usableFromMs > timeMs ? 'account_not_usable_yet' : null
  }

  audit(entry: Entry): void {
    for (const type of ['withdrawal_account.added', 'withdrawal_account.confirmed'])
      for (const { payload } of eventsOf<SavedPayload>(entry, type))
        this.saved.set(payload.saved.id, { merchant: payload.merchant, usableFromMs: Date.parse(payload.saved.usable_from) })
    for (const { payload } of eventsOf<{ readonly id: string }>(entry, 'withdrawal_account.deleted')) this.saved.delete(payload.id)
    for (const kind of ['top_up', 'withdrawal'] as const) {
      for (const { event, payload } of eventsOf<CashPayload>(entry, `${kind}.requested`)) {
        const { id, amount } = payload
        assert.equal(this.#accounts.stopOf(event.account), null, 'a merchant who is stopped asks for nothing')
        const fee = kind === 'top_up' ? NO_FEE : this.#fees.of('withdrawal', event.account, amount)
        this.requests.set(id, { id, kind, account: event.account, amount, fee, state: 'requested' })
        if (kind === 'top_up') continue
        assert.ok(this.#accounts.available(event.account) >= amount + fee.amount, 'a withdrawal is covered when it is asked for')
        this.#accounts.account(event.account).held += amount + fee.amount
      }
      for (const end of ENDS[kind])
        for (const { payload } of eventsOf<CashPayload>(entry, `${kind}.${end}`)) this.#end(entry, kind, payload)
    }
    const refused = sent(entry, 'RequestWithdrawal')
    if (entry.code !== 'insufficient_balance' || refused === null) return
    const cost = this.#fees.cost('withdrawal', refused.merchant, refused.amount)
    assert.ok(this.#accounts.available(refused.merchant) < cost, 'a withdrawal is refused for lack of money')
  }

  compare({ cashRequests, holds }: State): void {
    sameRows(
      [...cashRequests.accounts.values()].map(({ saved }) => saved.id),
      [...this.saved.keys()],
      'withdrawal accounts',
    )
    const open = [...this.requests.values()].filter(({ state }) => state === 'requested')
    sameRows(
      [...cashRequests.open.values()].map(({ id }) => id),
      open.map(({ id }) => id),
      'open top-ups and withdrawals',
    )
    sameRows(
      [...holds.table.values()].map(({ id, amount }) => `${id} ${amount}`),
      open.filter(({ kind }) => kind === 'withdrawal').map(({ id, amount, fee }) => `${id} ${amount + fee.amount}`),
      'holds',
    )
  }

  #end(entry: Entry, kind: ModelCash['kind'], { id, state, confirmed_amount }: CashPayload): void {
    const request = this.requests.get(id)
    this.#machines[kind].move(request?.state, state)
    if (request === undefined) return
    assert.ok(!this.#money.waitingFor(id), 'nothing happens to a request while a second operator is asked')
    const { account, amount, fee } = request
    request.state = state
    if (kind === 'withdrawal') this.#accounts.account(account).held -= amount + fee.amount
    if (state === 'paid') this.#fees.take(entry, 'withdrawal', fee, account)
    const [posting] = entry.record.transactions[0]?.postings ?? []
    if (state === 'refused' || state === 'cancelled') return assert.equal(posting, undefined, 'no money moves')
    const moved = state === 'confirmed' ? confirmed_amount : amount
    assert.deepEqual([posting?.amount, state === 'paid' ? posting?.debit : posting?.credit], [moved, account], `${kind} ${id}`)
    const { command } = entry.decided ?? {}
    if ((command?.type !== 'ConfirmTopUp' && command?.type !== 'PayWithdrawal') || command.merchant !== null) return
    const { environment } = this.#accounts.account(account)
    const { secondPersonAbove = null, secondPersonAboveDay = null } = command
    this.#money.auditAlone(entry, { environment, amount: moved ?? 0, secondPersonAbove, secondPersonAboveDay })
  }
}
