// Bills, mandates and disbursements of the model: what is paid by an order that stands, a timer's turn or a quote. Records of timers are
// compared one by one, in the order of the log.
import assert from 'node:assert/strict'
import type { BatchLine } from '../../../engine/contract/batch-line.ts'
import { readDefinition } from '../../../engine/domain/biller/biller-definition.ts'
import type { DisbursementChanged, DisbursementStatus } from '../../../engine/domain/disbursement/disbursement-state.ts'
import { isMandateVersion, paymentOf } from '../../../engine/domain/mandate/mandate-versions.ts'
import { type LogRecord, payloadOf } from '../../../engine/domain/record.ts'
import { type Position, positionOf } from '../../../engine/kernel/position.ts'
import { GOOD_PRODUCTS, LOGOS } from '../../support/biller-engine.ts'
import { DisbursementSteps } from '../../support/disbursement-steps.ts'
import type { Answer, ModelAccount } from './rules-model.ts'
import type { Stand } from './rules-stand.ts'

const MANDATES_KEPT = 12
/** Bills that may still be refunded. */
const BILLS_KEPT = 30
const LINES_MAX = 5
/** More than one turn of a disbursement. */
const MANY_LINES = 600
const TURNS_MAX = 10

interface ModelMandate {
  readonly id: string
  readonly merchant: ModelAccount
  readonly wallet: ModelAccount
  /** Null: on demand. */
  readonly amount: number | null
  readonly max: number
  month: string
  collected: number
}

interface ModelOrder {
  readonly merchant: ModelAccount
  readonly lines: readonly { readonly wallet: ModelAccount; readonly amount: number }[]
  cursor: number
  fees: number
  paid: number
}

export class Orders {
  readonly #stand: Stand
  readonly #billers = new Map<ModelAccount, string>()
  /** Bills that were paid and not refunded, newest last. */
  readonly #bills: { readonly id: string; readonly position: Position }[] = []
  readonly #mandates = new Map<string, ModelMandate>()
  readonly #disbursements = new Map<string, ModelOrder>()
  /** Disbursements that wait for balance. */
  readonly #paused: string[] = []
  #followed = 0
  #tokens = 0

  constructor(stand: Stand) {
    this.#stand = stand
    for (const merchant of stand.merchants) this.#billers.set(merchant, this.#biller(merchant))
  }

  /** By a typed amount, or by a quote. */
  bill(): void {
    const { prng, model, wallets, merchants } = this.#stand
    const [payer, merchant] = this.#stand.pair(wallets, merchants)
    const amount = this.#stand.amount()
    const place = { payer: payer.account, biller: this.#billers.get(merchant) ?? '', packageId: null, formValues: {} }
    const expected = model.payment('bill', payer, merchant, amount)
    const quoteId = prng.chance(0.5) ? this.#quote(payer, merchant, amount) : null
    if (quoteId === '') return
    const how = quoteId === null ? { product: 'don', amount, quoteId } : { product: 'facture', amount: null, quoteId }
    const answer = this.#stand.do({ type: 'PayBill', ...place, ...how })
    this.#stand.compare(answer, expected, payer)
    if (expected.code !== undefined) return
    const record = this.#stand.fixture.records.at(-1)
    const { charge_id: id = '' } = answer
    assert.ok(record !== undefined && record.events[0]?.type === 'bill.paid')
    model.pay(id, payer, merchant, amount, expected.fee)
    this.#stand.see('bill')
    if (this.#bills.push({ id, position: positionOf(record.sequence, 0) }) > BILLS_KEPT) this.#bills.shift()
  }

  refundBill(): void {
    const { prng, model } = this.#stand
    const at = prng.below(this.#bills.length)
    const bill = this.#bills[at]
    const payment = model.payments.get(bill?.id ?? '')
    if (bill === undefined || payment === undefined) return
    const expected = model.refund(payment)
    const { code } = this.#stand.do({ type: 'RefundBill', merchant: payment.merchant.account, position: bill.position })
    assert.equal(code, expected.code)
    if (expected.code !== undefined) return
    model.giveBack(bill.id, payment, expected.fee)
    this.#bills.splice(at, 1)
    this.#stand.see('refund of a bill')
  }

  mandate(): void {
    const { prng } = this.#stand
    const mandate = prng.pick([...this.#mandates.values(), null])
    if (mandate === null || this.#mandates.size < MANDATES_KEPT / 2) return this.#createMandate()
    if (prng.chance(0.1)) return this.#cancelMandate(mandate)
    if (mandate.amount === null) this.#chargeMandate(mandate)
  }

  disbursement(): void {
    const { prng } = this.#stand
    const id = prng.chance(0.5) ? this.#paused.shift() : undefined
    if (id === undefined) return this.#createDisbursement()
    const steps = this.#steps(this.#disbursements.get(id))
    if (prng.chance(0.3)) {
      steps.move(id, 'cancel')
      this.#disbursements.delete(id)
      return
    }
    steps.move(id, 'resume')
    this.#run(id)
  }

  /** Compares what timers have made since the last call. */
  follow(): void {
    for (const record of this.#stand.fixture.records) {
      if (record.sequence <= this.#followed) continue
      this.#followed = record.sequence
      if (record.command === 'AdvanceMandate') this.#collected(record)
      else if (record.command === 'AdvanceDisbursement') this.#turned(record)
      else continue
      this.#stand.noted.push(...this.#stand.model.notices())
    }
  }

  #biller(merchant: ModelAccount): string {
    const { fixture } = this.#stand
    const account = fixture.state.merchants.merchants.get(merchant.name)?.accounts.live ?? -1
    const slug = (): string => fixture.state.billers.ofMerchant(merchant.name)?.slug ?? ''
    const about = { merchant: account, logosBase: LOGOS }
    const must = (answer: Answer): void => assert.equal(answer.code, undefined)
    must(
      this.#stand.do({ type: 'SaveBiller', ...about, displayName: `Facturier ${account}`, category: 'electricity', shortDesc: 'À voir' }),
    )
    must(this.#stand.do({ type: 'SetBillerLogo', ...about, file: 'logo.png', contentType: 'image/png', base64: 'AAAA' }))
    const user = { ...GOOD_PRODUCTS.user, min: 1 }
    for (const [name, body] of [
      ['don', user],
      ['facture', GOOD_PRODUCTS.lookup],
    ] as const) {
      const product = { slug: name, mode: 'create', definition: readDefinition(body), sealedSecret: 'keep' } as const
      must(this.#stand.do({ type: 'SaveProduct', merchant: account, ...product }))
    }
    must(this.#stand.do({ type: 'SubmitBiller', ...about }))
    must(this.#stand.do({ type: 'CurateBiller', slug: slug(), curation: 'approved', reason: '', submittedAt: null, logosBase: LOGOS }))
    return slug()
  }

  /** Returns the id; empty where the biller is of another currency. The quote shows what the payer would bear. */
  #quote(payer: ModelAccount, merchant: ModelAccount, amount: number): string {
    const texts = { label: 'Novembre', customer_name: 'Awa D.', biller_ref: '', line_items: [] }
    const {
      id = '',
      code,
      fee,
    } = this.#stand.do({
      ...{ type: 'CreateQuote', payer: payer.account, biller: this.#billers.get(merchant) ?? '', product: 'facture' },
      ...{ formValues: {}, due: { amount, currency: merchant.currency, ...texts } },
    })
    const isOther = payer.currency !== merchant.currency
    assert.equal(code, isOther ? 'currency_mismatch' : undefined)
    const expected = this.#stand.model.fee('bill', merchant, payer, amount)
    if (!isOther) assert.equal(fee, expected?.bearer === payer ? expected.amount : 0, 'the fee of a quote')
    return id
  }

  #createMandate(): void {
    const { prng, wallets, merchants } = this.#stand
    const [wallet, merchant] = this.#stand.pair(wallets, merchants)
    const [oldest] = this.#mandates.values()
    if (oldest !== undefined && this.#mandates.size >= MANDATES_KEPT) this.#cancelMandate(oldest)
    const amount = prng.chance(0.5) ? this.#stand.amount() : null
    const max = Math.max(amount ?? 0, 5000 + prng.below(100_000))
    const { id = '', code } = this.#stand.do({
      ...{ type: 'CreateMandate', merchant: merchant.account, token: `mandate-${++this.#tokens}`, customerTag: wallet.name, amount },
      ...{ maxAmount: max, interval: amount === null ? 'on_demand' : 'weekly', startMs: null, endMs: null },
      ...{ maxPayments: null, reference: '', description: 'Abonnement', redirectUrl: '', approvalUrl: 'https://pay.example/m' },
    })
    const isOther = wallet.currency !== merchant.currency
    assert.equal(code, isOther ? 'currency_mismatch' : undefined)
    if (isOther) return
    this.#mandates.set(id, { id, merchant, wallet, amount, max, month: '', collected: 0 })
    const approved = this.#stand.do({ type: 'ApproveMandate', customer: wallet.account, id, challengeId: null })
    assert.equal(approved.code, undefined)
    this.#pass()
  }

  #cancelMandate({ id, merchant }: ModelMandate): void {
    assert.equal(this.#stand.do({ type: 'CancelMandate', by: merchant.account, id }).code, undefined)
    this.#mandates.delete(id)
  }

  #chargeMandate(mandate: ModelMandate): void {
    const { model } = this.#stand
    const { id, merchant, wallet, max } = mandate
    const amount = this.#stand.amount()
    const month = this.#stand.time().slice(0, 7)
    const left = max - (mandate.month === month ? mandate.collected : 0)
    const expected = amount > left ? ({ code: 'amount_out_of_bounds' } as const) : model.mandate(wallet, merchant, amount)
    const { code } = this.#stand.do({ type: 'ChargeMandate', merchant: merchant.account, id, amount, reference: '' })
    assert.equal(code, expected.code)
    this.#stand.see(code ?? 'mandate')
    if (code !== undefined) return
    mandate.collected = max - left + amount
    mandate.month = month
    model.move(wallet, merchant, amount, null)
  }

  #collected(record: LogRecord): void {
    const payment = record.events.filter(isMandateVersion).map(paymentOf)[0] ?? null
    const mandate = this.#mandates.get(payment?.mandate_id ?? '')
    if (payment === null || mandate === undefined) return
    const { wallet, merchant, amount } = mandate
    assert.equal(payment.amount, amount)
    const { code } = this.#stand.model.mandate(wallet, merchant, payment.amount)
    assert.equal(payment.failure_code, code)
    this.#stand.see(`mandate by timer: ${code ?? 'made'}`)
    if (code === undefined) this.#stand.model.move(wallet, merchant, payment.amount, null)
  }

  #createDisbursement(): void {
    const { prng, merchants, wallets } = this.#stand
    const merchant = prng.pick(merchants)
    const isLong = prng.chance(0.02)
    const count = isLong ? MANY_LINES : 1 + prng.below(LINES_MAX)
    const lines = Array.from({ length: count }, () => ({
      wallet: this.#stand.pair([merchant], wallets)[1],
      amount: isLong ? 1 + prng.below(20) : this.#stand.amount(),
    }))
    const sent = lines.map(({ wallet, amount }): BatchLine => ({ recipient: wallet.name, amount, reference: '', note: '', fault: null }))
    const order: ModelOrder = { merchant, lines, cursor: 0, fees: 0, paid: 0 }
    const onInsufficientBalance = prng.pick(['pause', 'fail'] as const)
    const { id } = this.#steps(order).create({ lines: sent, start: 'auto', onInsufficientBalance })
    this.#disbursements.set(id, order)
    this.#run(id)
  }

  #steps(order: ModelOrder | undefined): DisbursementSteps {
    assert.ok(order !== undefined)
    return new DisbursementSteps(this.#stand.fixture, order.merchant.account)
  }

  #run(id: string): void {
    for (let turn = 0; turn < TURNS_MAX && this.#stand.fixture.state.disbursements.live.get(id)?.due_ms != null; turn++) this.#pass()
  }

  #pass(): void {
    this.#stand.fixture.loop.advance(1)
    this.#stand.fixture.settle()
    this.follow()
  }

  #turned({ events }: LogRecord): void {
    const { model } = this.#stand
    const changed = events.find(({ type }) => type === 'disbursement.changed')
    assert.ok(changed !== undefined)
    const { disbursement_id, progress } = payloadOf<DisbursementChanged>(changed)
    const order = this.#disbursements.get(disbursement_id)
    assert.ok(order !== undefined)
    for (const { type, text } of events) {
      if (type !== 'payout.paid' && type !== 'payout.failed') continue
      const line = order.lines[order.cursor++]
      assert.ok(line !== undefined)
      const expected = model.payout(order.merchant, line.wallet, line.amount)
      this.#stand.compare(JSON.parse(text) as Answer, expected)
      if (expected.code !== undefined) continue
      model.move(order.merchant, line.wallet, line.amount, expected.fee)
      order.fees += expected.fee?.amount ?? 0
      order.paid += line.amount
    }
    this.#compareStatus(disbursement_id, order, progress.status)
  }

  #compareStatus(id: string, { merchant, lines, cursor, fees, paid }: ModelOrder, status: DisbursementStatus): void {
    const { state, pause_reason, fee_amount, paid_amount } = status
    assert.deepEqual([fee_amount, paid_amount], [fees, paid], 'the sums of a disbursement')
    if (state === 'completed') {
      assert.equal(cursor, lines.length)
      this.#disbursements.delete(id)
      this.#stand.see('disbursement')
    } else if (state === 'paused') {
      const next = lines[cursor]
      assert.ok(next !== undefined)
      const { code } = this.#stand.model.payout(merchant, next.wallet, next.amount)
      assert.deepEqual([pause_reason, code], ['insufficient_balance', 'insufficient_balance'])
      this.#paused.push(id)
      this.#stand.see('disbursement paused')
    }
  }
}
