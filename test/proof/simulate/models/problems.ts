// Problems with payments in the model: which payments there are, who made them, and which of them have an open problem.
import type { State } from '../../../../engine/domain/state.ts'
import { positionOf } from '../../../../engine/kernel/position.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows } from '../entry.ts'
import type { Moves } from '../moves.ts'

export interface ModelPayment {
  /** Of its event. */
  readonly position: number
  readonly kind: 'charge' | 'bill' | 'mandate'
  /** Account of the merchant. */
  readonly account: number
  readonly customer: number
  readonly transactionId: string
  isRefunded: boolean
}

export interface ModelProblem {
  readonly position: number
  readonly payment: ModelPayment
  state: 'open' | 'answered' | 'refunded'
}

interface OfTransaction {
  readonly transaction_id: string
}

interface Opened {
  readonly problem: OfTransaction
}

interface Collected {
  readonly payment: { readonly state: string; readonly transaction_id?: string } | null
}

const PAID = ['charge.paid', 'bill.paid', 'mandate.charged', 'mandate.approved'] as const

export class ProblemsModel implements NounModel {
  /** By position, oldest first. */
  readonly payments = new Map<number, ModelPayment>()
  /** By position, oldest first. */
  readonly problems = new Map<number, ModelProblem>()
  readonly #byTransaction = new Map<string, ModelPayment>()
  readonly #open = new Map<string, ModelProblem>()
  readonly #machine: Machine<ModelProblem['state']>

  constructor(seen: Moves) {
    this.#machine = new Machine('problem', { answered: ['open'], refunded: ['open'] }, seen)
  }

  audit(entry: Entry): void {
    for (const type of PAID) {
      for (const { event, payload } of eventsOf<OfTransaction | Collected>(entry, type)) {
        const paid = 'payment' in payload ? payload.payment?.transaction_id : payload.transaction_id
        if (paid !== undefined) this.#pay(entry, { event, type, transactionId: paid })
      }
    }
    for (const { payload, event } of eventsOf<Opened>(entry, 'problem.opened')) this.#openOne(entry, event, payload.problem.transaction_id)
    for (const { payload } of eventsOf<OfTransaction>(entry, 'problem.answered')) {
      const problem = this.#end(payload.transaction_id, 'answered')
      entry.frames.push(`${problem?.payment.customer}:problem.answered`)
    }
    for (const type of ['charge.refunded', 'bill.refunded'])
      for (const { payload } of eventsOf<OfTransaction>(entry, type)) this.#refund(payload.transaction_id)
  }

  compare({ problems }: State): void {
    const open = [...this.#open.values()]
    sameRows(
      [...problems.open.values()].map(({ account, position }) => `${account} ${position}`),
      open.map(({ payment, position }) => `${payment.customer} ${position}`),
      'open problems',
    )
    sameRows(
      [...problems.ofMerchants.values()].map(({ account }) => String(account)),
      open.map(({ payment }) => String(payment.account)),
      'open problems of merchants',
    )
  }

  openOf({ transactionId }: ModelPayment): ModelProblem | undefined {
    return this.#open.get(transactionId)
  }

  #pay(entry: Entry, { event, type, transactionId }: Paid): void {
    const { record } = entry
    const posting = record.transactions.find(({ id }) => id === transactionId)?.postings[0]
    const position = positionOf(record.sequence, record.events.indexOf(event))
    const kind = type === 'charge.paid' ? 'charge' : type === 'bill.paid' ? 'bill' : 'mandate'
    const sides = { account: event.account, customer: posting?.debit ?? -1 }
    const payment: ModelPayment = { position, kind, ...sides, transactionId, isRefunded: false }
    this.payments.set(position, payment)
    this.#byTransaction.set(transactionId, payment)
  }

  #openOne({ record, outbox }: Entry, event: Paid['event'], transactionId: string): void {
    const payment = this.#byTransaction.get(transactionId)
    if (payment === undefined || payment.isRefunded || this.openOf(payment) !== undefined)
      throw new Error(`a problem of ${transactionId}, which has no payment that may have one`)
    const position = positionOf(record.sequence, record.events.indexOf(event))
    const problem: ModelProblem = { position, payment, state: 'open' }
    this.problems.set(position, problem)
    this.#open.set(transactionId, problem)
    outbox.push(`${payment.account}:problem.opened`)
  }

  #refund(transactionId: string): void {
    const payment = this.#byTransaction.get(transactionId)
    if (payment !== undefined) payment.isRefunded = true
    if (this.#open.has(transactionId)) this.#end(transactionId, 'refunded')
  }

  #end(transactionId: string, move: 'answered' | 'refunded'): ModelProblem | undefined {
    const problem = this.#open.get(transactionId)
    this.#machine.move(problem?.state, move)
    if (problem !== undefined) problem.state = move
    this.#open.delete(transactionId)
    return problem
  }
}

interface Paid {
  readonly event: Entry['record']['events'][number]
  readonly type: (typeof PAID)[number]
  readonly transactionId: string
}
