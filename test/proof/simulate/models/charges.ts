// Charges and payment links in the model.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows, sent } from '../entry.ts'
import type { Moves } from '../moves.ts'
import { ACCOUNT_MAX, type AccountsModel, WALLET_MAX } from './accounts.ts'
import { type FeesModel, type ModelFee, NO_FEE } from './fees.ts'

type ChargeState = 'pending' | 'paid' | 'expired' | 'cancelled' | 'refunded'

export interface ModelCharge {
  readonly token: string
  readonly account: number
  readonly amount: number
  readonly reference: string
  readonly customer: string
  readonly webhookUrl: string
  readonly linkId: string | null
  readonly expiresMs: number
  payer: number
  /** Of its payment. */
  fee: ModelFee
  state: ChargeState
}

export interface ModelLink {
  readonly id: string
  readonly account: number
  readonly maxPayments: number | null
  readonly expiresMs: number | null
  payments: number
  collected: number
  state: 'active' | 'closed'
}

/** What the engine's limit is meant to be, written down a second time. */
const VALID_MS = 30 * 60_000

interface CreatedCharge {
  readonly token: string
  readonly amount: number
  readonly reference: string
  readonly customer_tag: string
  readonly webhook_url: string
  readonly payment_link_id?: string
  readonly expires_at: string
}

interface LinkPayload {
  readonly id: string
  readonly account: number
  readonly state?: 'active' | 'closed'
  readonly payments_count: number
  readonly collected_amount: number
  readonly link: { readonly id: string; readonly max_payments: number | null; readonly expires_at: string | null }
}

const EVENTS = { paid: 'charge.succeeded', expired: 'charge.expired', cancelled: 'charge.cancelled', refunded: 'charge.refunded' } as const

interface Moved {
  readonly token: string
  readonly state: string
  readonly refund_reason?: string
}

export class ChargesModel implements NounModel {
  readonly charges = new Map<string, ModelCharge>()
  readonly links = new Map<string, ModelLink>()
  readonly #accounts: AccountsModel
  readonly #fees: FeesModel
  readonly #machine: Machine<ChargeState>
  readonly #link: Machine<ModelLink['state']>

  constructor(accounts: AccountsModel, fees: FeesModel, seen: Moves) {
    this.#accounts = accounts
    this.#fees = fees
    const moves = { paid: ['pending'], expired: ['pending'], cancelled: ['pending'], refunded: ['paid'] } as const
    this.#machine = new Machine('charge', moves, seen)
    this.#link = new Machine('payment link', { paid: ['active'], closed: ['active'] }, seen)
  }

  audit(entry: Entry): void {
    for (const { event, payload } of eventsOf<CreatedCharge>(entry, 'charge.created')) this.#create(entry, event.account, payload)
    for (const move of ['paid', 'expired', 'cancelled', 'refunded'] as const) {
      for (const { payload } of eventsOf<Moved>(entry, `charge.${move}`)) {
        const charge = this.charges.get(payload.token)
        this.#machine.move(charge?.state, move)
        if (charge === undefined) continue
        assert.equal(payload.state, move)
        const asked = move === 'refunded' ? sent(entry, 'RefundCharge') : null
        if (asked !== null) assert.equal(payload.refund_reason, asked.reason, 'a refund keeps its reason')
        this.#move(entry, charge, move)
        charge.state = move
        entry.outbox.push(`${charge.account}:${EVENTS[move]}`)
      }
    }
    this.#auditLinks(entry)
    this.#auditRejection(entry)
  }

  compare({ charges, paymentLinks }: State): void {
    const pending = [...this.charges.values()].filter(({ state }) => state === 'pending')
    sameRows(
      [...charges.pending.values()].map(({ token, expires_at_ms }) => `${token} ${expires_at_ms}`),
      pending.map(({ token, expiresMs }) => `${token} ${expiresMs}`),
      'pending charges',
    )
    sameRows(
      [...paymentLinks.rows.values()].map(({ link }) => `${link.id} ${link.state} ${link.payments_count} ${link.collected_amount}`),
      [...this.links.values()].map(({ id, state, payments, collected }) => `${id} ${state} ${payments} ${collected}`),
      'payment links',
    )
  }

  /** Whether the link takes a payment. */
  isOpen(linkId: string, nowMs: number): boolean {
    const link = this.links.get(linkId)
    return link !== undefined && link.state === 'active' && (link.expiresMs === null || nowMs < link.expiresMs)
  }

  get timers(): number {
    return [...this.charges.values()].filter(({ state }) => state === 'pending').length
  }

  overdue(nowMs: number): string[] {
    return [...this.charges.values()].filter(({ state, expiresMs }) => state === 'pending' && expiresMs < nowMs).map(({ token }) => token)
  }

  #create(entry: Entry, account: number, payload: CreatedCharge): void {
    const { token, amount, reference, customer_tag, webhook_url, payment_link_id = null, expires_at } = payload
    const { timeMs } = entry.record
    assert.equal(Date.parse(expires_at), timeMs + VALID_MS, 'a charge is valid for half an hour')
    assert.equal(this.charges.get(token), undefined, 'a token is used once')
    assert.equal(this.#accounts.stopOf(account), null, 'a merchant who is stopped asks for no money')
    if (payment_link_id !== null) assert.ok(this.isOpen(payment_link_id, timeMs), 'a link that is closed takes no charge')
    const about = { customer: customer_tag, webhookUrl: webhook_url, linkId: payment_link_id, expiresMs: timeMs + VALID_MS }
    const charge: ModelCharge = { token, account, amount, reference, ...about, payer: -1, fee: NO_FEE, state: 'pending' }
    this.charges.set(token, charge)
    this.#customerFrame(entry, charge)
  }

  #move(entry: Entry, charge: ModelCharge, move: 'paid' | 'expired' | 'cancelled' | 'refunded'): void {
    const { timeMs } = entry.record
    const transactions = entry.record.transactions.filter(({ type }) => type !== 'fee' && type !== 'fee_refund')
    const { account, amount, expiresMs } = charge
    if (move === 'paid' || move === 'refunded') {
      const [transaction] = transactions
      const [posting] = transaction?.postings ?? []
      assert.ok(posting !== undefined && transactions.length === 1, 'a charge moves money once')
      const type = move === 'paid' ? 'charge' : 'refund'
      assert.deepEqual(
        [transaction?.type, transaction?.reference],
        [type, charge.reference],
        'the transaction has the reference of its charge',
      )
      if (move === 'paid') {
        charge.payer = posting.debit
        charge.fee = this.#fees.of('charge', account, amount)
        assert.ok(!this.#fees.isShort('charge', charge.payer, account, amount), `${charge.token} and its fee are covered`)
        this.#fees.take(entry, 'charge', charge.fee, charge.fee.byPayer ? charge.payer : account)
      } else this.#fees.giveBack(entry, charge.fee, charge.payer, account)
      const [from, to] = move === 'paid' ? [charge.payer, account] : [account, charge.payer]
      assert.deepEqual([posting.debit, posting.credit, posting.amount], [from, to, amount], `${move} ${charge.token}`)
      assert.equal(this.#accounts.stopOf(account), null, 'a merchant who is stopped moves no money')
      const back = move === 'paid' ? 0 : this.#fees.backToMerchant(charge.fee)
      assert.ok(this.#accounts.available(from) + back >= amount, `${move} ${charge.token} is covered by what is available`)
      if (move === 'paid') this.#pay(charge, timeMs)
      const frame = move === 'paid' ? 'payment.sent' : 'payment.received'
      entry.frames.push(`${charge.payer}:${frame}`, `${charge.payer}:balance.updated`, `${charge.payer}:charge.updated`)
      return
    }
    assert.equal(transactions.length, 0)
    if (move === 'expired') assert.ok(entry.command !== null || timeMs >= expiresMs, 'a timer is never early')
    else assert.ok(timeMs < expiresMs, 'a charge that is over is not cancelled')
    const cancelling = sent(entry, 'CancelCharge')
    if (cancelling !== null) assert.equal(cancelling.merchant, account, 'a merchant cancels its own charges')
    this.#customerFrame(entry, charge)
  }

  #pay({ customer, payer, expiresMs, linkId }: ModelCharge, timeMs: number): void {
    const wallet = this.#accounts.walletAt(payer)
    assert.ok(timeMs < expiresMs, 'a charge that is over is not paid')
    assert.equal(wallet?.block, 'free', 'a blocked wallet pays nothing')
    assert.ok(customer === '' || wallet?.tag === customer, 'a charge is paid by its customer')
    if (linkId !== null) assert.ok(this.isOpen(linkId, timeMs), 'a link that is closed takes no payment')
  }

  #auditLinks(entry: Entry): void {
    const { timeMs, transactions } = entry.record
    for (const { payload } of eventsOf<LinkPayload>(entry, 'payment_link.created')) {
      const { id, max_payments, expires_at } = payload.link
      const expiresMs = expires_at === null ? null : Date.parse(expires_at)
      this.links.set(id, { id, account: payload.account, maxPayments: max_payments, expiresMs, payments: 0, collected: 0, state: 'active' })
    }
    for (const { payload } of eventsOf<LinkPayload>(entry, 'payment_link.paid')) {
      const link = this.links.get(payload.id)
      this.#link.move(link?.state, 'paid')
      if (link === undefined) continue
      link.payments++
      link.collected += transactions.find(({ type }) => type === 'charge')?.postings[0]?.amount ?? 0
      if (link.payments === link.maxPayments) link.state = 'closed'
      const found = [payload.payments_count, payload.collected_amount, payload.state ?? 'active']
      assert.deepEqual(found, [link.payments, link.collected, link.state], `payment link ${link.id}`)
    }
    for (const { payload } of eventsOf<LinkPayload>(entry, 'payment_link.closed')) {
      const link = this.links.get(payload.id)
      this.#link.move(link?.state, 'closed')
      assert.ok(link !== undefined && this.isOpen(link.id, timeMs), 'a link that has expired is not closed again')
      link.state = 'closed'
    }
    const isLinked = eventsOf<{ readonly token: string }>(entry, 'charge.paid').some(
      ({ payload }) => this.charges.get(payload.token)?.linkId,
    )
    assert.equal(eventsOf(entry, 'payment_link.paid').length, isLinked ? 1 : 0, 'each payment through a link is counted')
  }

  /** A stored refusal was right when it was written. */
  #auditRejection(entry: Entry): void {
    const { code, record } = entry
    const command = sent(entry, 'PayCharge') ?? sent(entry, 'RefundCharge') ?? sent(entry, 'CancelCharge')
    if (code === null || command === null) return
    const charge = this.charges.get(command.token)
    assert.ok(charge !== undefined, `${code} of a charge that exists`)
    const isOver = charge.state === 'pending' && record.timeMs >= charge.expiresMs
    const state = isOver ? 'expired' : charge.state
    const payer = command.type === 'PayCharge' ? command.payer : charge.payer
    const right: Readonly<Record<string, boolean>> = {
      charge_already_paid: state === 'paid' || state === 'refunded',
      charge_expired: state === 'expired',
      charge_cancelled: state === 'cancelled',
      charge_not_pending: state !== 'pending' && state !== 'cancelled',
      charge_already_refunded: state === 'refunded',
      charge_not_paid: state !== 'paid' && state !== 'refunded',
      payment_link_closed: charge.linkId !== null && !this.isOpen(charge.linkId, record.timeMs),
      insufficient_balance: command.type === 'PayCharge' && this.#fees.isShort('charge', payer, charge.account, charge.amount),
      funds_paid_out: this.#accounts.available(charge.account) + this.#fees.backToMerchant(charge.fee) < charge.amount,
      recipient_limit_exceeded:
        payer >= 0 &&
        this.#isFull(command.type === 'PayCharge' ? charge.account : payer, charge.amount + this.#fees.backToPayer(charge.fee)),
    }
    assert.notEqual(right[code], false, `${command.type} was refused by ${code}, and the charge is ${state}`)
  }

  #isFull(account: number, amount: number): boolean {
    const { kind, balance } = this.#accounts.account(account)
    return balance + amount > (kind === 'wallet' ? WALLET_MAX : ACCOUNT_MAX)
  }

  #customerFrame(entry: Entry, { customer, account }: ModelCharge): void {
    const wallet = this.#accounts.wallet(this.#accounts.account(account).environment, customer)
    if (customer !== '' && wallet !== undefined) entry.frames.push(`${wallet.account}:charge.updated`)
  }
}

/** The state by the clock: a charge past its time is expired before its timer fires. */
export function chargeState({ state, expiresMs }: ModelCharge, nowMs: number): ModelCharge['state'] {
  return state === 'pending' && nowMs >= expiresMs ? 'expired' : state
}
