// Payouts, batches, transfers, deposits and withdrawals of operators in the model, and dual control.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sent } from '../entry.ts'
import type { Moves } from '../moves.ts'
import type { AccountsModel, Environment } from './accounts.ts'
import type { FeesModel } from './fees.ts'
import type { ModelAllowance, PayoutRulesModel } from './payout-rules.ts'
import type { RecipientsModel } from './recipients.ts'

interface PayoutPayload {
  readonly id: string
  readonly recipient: string
  readonly amount: number
  readonly fee: number
  readonly state: 'paid' | 'failed'
  readonly failure_code?: string
  readonly transaction_id?: string
}

export interface ModelApproval {
  readonly id: string
  readonly kind: 'deposit' | 'withdrawal' | 'top_up_confirmation' | 'withdrawal_payment'
  readonly requestId: string | null
  readonly merchantId: string | null
  readonly tag: string | null
  readonly environment: Environment
  readonly amount: number
  readonly by: string | null
  state: 'waiting' | 'approved' | 'refused'
}

interface ApprovalPayload {
  readonly id: string
  readonly kind: ModelApproval['kind']
  readonly state: ModelApproval['state']
  readonly request_id?: string | null
  readonly merchant_id: string | null
  readonly tag: string | null
  readonly environment: Environment
  readonly amount: number
  readonly requested_by: { readonly id: string | null }
  readonly decided_by: { readonly id: string | null } | null
}

export class MoneyModel implements NounModel {
  readonly approvals = new Map<string, ModelApproval>()
  /** What each operator moved alone, by its id and day. */
  readonly #alone = new Map<string, number>()
  readonly #accounts: AccountsModel
  readonly #recipients: RecipientsModel
  readonly #rules: PayoutRulesModel
  readonly #fees: FeesModel
  readonly #approval: Machine<ModelApproval['state']>
  readonly #seen: Moves
  /** What the payouts of a record have done. */
  readonly #behind = new WeakMap<Entry, Pick<Sofar, 'spent' | 'given'> & { readonly paidHere: ReadonlySet<string> }>()

  constructor(accounts: AccountsModel, recipients: RecipientsModel, rules: PayoutRulesModel, fees: FeesModel, seen: Moves) {
    this.#accounts = accounts
    this.#recipients = recipients
    this.#rules = rules
    this.#fees = fees
    this.#seen = seen
    this.#approval = new Machine('approval', { approved: ['waiting'], refused: ['waiting'] }, seen)
    for (const code of FATES) seen.declare(`payout: ${code}`)
  }

  waitingFor(requestId: string): boolean {
    for (const { requestId: id, state } of this.approvals.values()) if (id === requestId && state === 'waiting') return true
    return false
  }

  audit(entry: Entry): void {
    this.#auditPayouts(entry)
    this.#auditTransfer(entry)
    this.#auditFunding(entry)
    this.#auditApprovals(entry)
    this.#auditRejection(entry)
  }

  /** A movement without a second operator needs none, and counts for the day of its operator. */
  auditAlone(entry: Entry, asked: Asked): void {
    assert.ok(!this.needsTwo(asked, entry), 'one operator alone does not move so much')
    const { environment, by = 'operator', amount, secondPersonAboveDay = null } = asked
    const isCounted = environment === 'live' && by === 'operator' && secondPersonAboveDay !== null
    const counted = eventsOf<Counted>(entry, 'operator.counted').map(({ payload }) => [payload.operator_id, payload.amount])
    assert.deepEqual(counted, isCounted ? [[entry.decided?.operatorId ?? null, amount]] : [], 'what an operator moved alone')
  }

  needsTwo(asked: Asked, { decided, record }: Entry): boolean {
    const { environment, amount, by = 'operator', secondPersonAbove = null, secondPersonAboveDay = null } = asked
    if (by !== 'operator' || environment !== 'live') return false
    const before = this.#alone.get(aloneKey(decided?.operatorId ?? null, record.timeMs)) ?? 0
    return (
      (secondPersonAbove !== null && amount > secondPersonAbove) ||
      (secondPersonAboveDay !== null && before + amount > secondPersonAboveDay)
    )
  }

  compare({ approvals }: State): void {
    const waiting = [...this.approvals.values()].filter(({ state }) => state === 'waiting').map(({ id }) => id)
    assert.deepEqual(
      [...approvals.waiting.values()].map(({ id }) => id).sort(),
      waiting.sort(),
      'movements that wait for a second operator',
    )
  }

  /** What the line would come to behind the payouts of the record. */
  fateBehind(entry: Entry, account: number, line: { readonly recipient: string; readonly amount: number }): string {
    const { spent = 0, given = new Map(), paidHere = new Set<string>() } = this.#behind.get(entry) ?? {}
    const look = this.#recipients.looker(account, entry.record.timeMs)
    for (const { payload } of eventsOf<PayoutPayload>(entry, 'payout.failed'))
      if (payload.failure_code === 'recipient_not_found') look(payload.recipient, paidHere)
    const isLimited = (): boolean => look(line.recipient, paidHere) === 'limited'
    return this.#fate(account, line, { spent, given, isLimited, allowance: this.#rules.allowance(entry) })
  }

  /** One after the other, each with what the ones before it left. */
  #auditPayouts(entry: Entry): void {
    const { record } = entry
    const payouts = record.events.filter(({ type }) => type === 'payout.paid' || type === 'payout.failed')
    const given = new Map<number, number>()
    let spent = 0
    let next = 0
    const paidHere = new Set<string>()
    const [first] = payouts
    const look = first === undefined ? null : this.#recipients.looker(first.account, record.timeMs)
    const allowance = this.#rules.allowance(entry)
    for (const event of payouts) {
      const payout = JSON.parse(event.text) as PayoutPayload
      const { environment } = this.#accounts.account(event.account)
      const isLimited = (): boolean => look?.(payout.recipient, paidHere) === 'limited'
      const fate = this.#fate(event.account, payout, { spent, given, isLimited, allowance })
      this.#seen.made(`payout: ${fate}`)
      assert.deepEqual(
        [payout.state, payout.failure_code ?? null],
        fate === 'paid' ? ['paid', null] : ['failed', fate],
        `payout ${payout.id}`,
      )
      const fee = this.#fees.of('payout', event.account, payout.amount)
      assert.equal(payout.fee, fate === 'paid' ? fee.amount : 0, `fee of payout ${payout.id}`)
      if (fate !== 'paid') continue
      this.#fees.take(entry, 'payout', fee, event.account)
      const wallet = this.#accounts.payee(environment, payout.recipient)?.account ?? -1
      const transaction = record.transactions[next++]
      const [posting] = transaction?.postings ?? []
      assert.ok(transaction?.type === 'payout' && transaction.id === payout.transaction_id, 'a paid payout has its transaction')
      assert.deepEqual([posting?.debit, posting?.credit, posting?.amount], [event.account, wallet, payout.amount], `payout ${payout.id}`)
      paidHere.add(payout.recipient)
      allowance?.pay(payout.amount)
      spent += payout.amount + fee.amount
      given.set(wallet, (given.get(wallet) ?? 0) + payout.amount)
      entry.frames.push(`${wallet}:payment.received`, `${wallet}:balance.updated`)
    }
    if (payouts.length > 0) this.#behind.set(entry, { spent, given, paidHere })
    for (const { type, account } of payouts) entry.outbox.push(`${account}:${type}`)
    if (record.command === 'CreatePayout' && entry.code === null) assert.equal(payouts.length, 1)
    for (const { event } of eventsOf(entry, 'batch.completed')) entry.outbox.push(`${event.account}:batch.completed`)
    const batch = sent(entry, 'CreateBatch')
    if (batch !== null && entry.code === null) {
      const lines = batch.lines.filter(({ fault, amount }) => fault === null && amount !== null)
      assert.equal(payouts.length, lines.length, 'each line that can be read is one payout')
    }
  }

  #fate(account: number, payout: Pick<PayoutPayload, 'recipient' | 'amount'>, { spent, given, isLimited, allowance }: Sofar): string {
    const stop = this.#accounts.stopOf(account)
    if (stop !== null) return stop
    if (allowance?.covers(payout.amount) === false) return 'key_limit_exceeded'
    const cost = this.#fees.cost('payout', account, payout.amount)
    const isShort = this.#accounts.available(account) - spent < cost
    const { environment } = this.#accounts.account(account)
    if (!isShort && this.#rules.isAboveOperator(environment, payout.amount)) return 'merchant_limit_exceeded'
    if (!isShort && isLimited()) return 'recipient_check_limited'
    return this.#accounts.payoutFailure(account, { ...payout, cost }, spent, given) ?? 'paid'
  }

  #auditTransfer(entry: Entry): void {
    for (const { event } of eventsOf(entry, 'transfer.made')) {
      const [posting] = entry.record.transactions[0]?.postings ?? []
      assert.ok(posting !== undefined && posting.debit === event.account && posting.credit !== posting.debit, 'a transfer moves money')
      for (const account of [posting.debit, posting.credit])
        assert.equal(this.#accounts.walletAt(account)?.block, 'free', 'free wallets transfer')
      const cost = this.#fees.cost('transfer', posting.debit, posting.amount)
      assert.ok(this.#accounts.available(posting.debit) >= cost, 'a transfer is covered')
      this.#fees.take(entry, 'transfer', this.#fees.of('transfer', posting.debit, posting.amount), posting.debit)
      const command = sent(entry, 'CreateTransfer')
      if (command !== null) assert.deepEqual([posting.debit, posting.amount], [command.sender, command.amount])
      entry.frames.push(`${posting.debit}:payment.sent`, `${posting.debit}:balance.updated`)
      entry.frames.push(`${posting.credit}:payment.received`, `${posting.credit}:balance.updated`)
    }
  }

  #auditFunding(entry: Entry): void {
    for (const type of ['deposit.made', 'withdrawal.made'] as const) {
      for (const { event, payload } of eventsOf<{ readonly amount: number; readonly by: string }>(entry, type)) {
        const [posting] = entry.record.transactions[0]?.postings ?? []
        assert.equal(posting?.amount, payload.amount, 'the money that the event says')
        assert.ok(type === 'deposit.made' || this.#accounts.available(event.account) >= payload.amount, 'a withdrawal is covered')
        const { command } = entry.decided ?? {}
        if (command?.type === 'Deposit' || command?.type === 'Withdraw') this.auditAlone(entry, command)
        if (this.#accounts.account(event.account).kind !== 'wallet') continue
        const frame = type === 'deposit.made' ? 'payment.received' : 'payment.sent'
        entry.frames.push(`${event.account}:${frame}`, `${event.account}:balance.updated`)
      }
    }
  }

  #auditApprovals(entry: Entry): void {
    for (const { payload } of eventsOf<ApprovalPayload>(entry, 'approval.requested')) {
      const { id, kind, request_id = null, merchant_id, tag, environment, amount, requested_by } = payload
      assert.equal(entry.record.transactions.length, 0, 'no money moves before a second operator agrees')
      const { command } = entry.decided ?? {}
      if (command !== undefined) {
        const limits = command as Pick<Asked, 'secondPersonAbove' | 'secondPersonAboveDay'>
        assert.ok(this.needsTwo({ ...limits, environment, amount }, entry), 'a second operator is asked where one is needed')
      }
      const about = { requestId: request_id, merchantId: merchant_id, tag, environment, amount, by: requested_by.id }
      this.approvals.set(id, { id, kind, ...about, state: 'waiting' })
    }
    for (const { payload } of eventsOf<ApprovalPayload>(entry, 'approval.decided')) {
      const approval = this.approvals.get(payload.id)
      this.#approval.move(approval?.state, payload.state)
      if (approval === undefined) continue
      approval.state = payload.state
      const moved = entry.record.transactions.filter(({ type }) => type !== 'fee')
      assert.equal(moved.length, payload.state === 'approved' ? 1 : 0, 'an approval moves money once')
      if (payload.state !== 'approved') continue
      assert.notEqual(payload.decided_by?.id ?? null, approval.by, 'another operator approves')
      assert.equal(entry.record.transactions[0]?.postings[0]?.amount, approval.amount, 'what was approved is what moves')
    }
  }

  /** Called when all models have seen the record: they look at what was moved before. */
  countAlone(entry: Entry): void {
    for (const { payload } of eventsOf<Counted>(entry, 'operator.counted')) {
      const key = aloneKey(payload.operator_id, entry.record.timeMs)
      this.#alone.set(key, (this.#alone.get(key) ?? 0) + payload.amount)
    }
  }

  #auditRejection(entry: Entry): void {
    if (entry.code !== 'insufficient_balance') return
    const transfer = sent(entry, 'CreateTransfer')
    if (transfer !== null) {
      const cost = this.#fees.cost('transfer', transfer.sender, transfer.amount)
      assert.ok(this.#accounts.available(transfer.sender) < cost, 'a transfer is refused for lack of money')
    }
    const withdrawal = sent(entry, 'Withdraw')
    if (withdrawal === null) return
    const { target, environment, amount } = withdrawal
    const account =
      'tag' in target
        ? this.#accounts.wallet(environment, target.tag)?.account
        : this.#accounts.merchants.find(({ id }) => id === target.merchantId)?.[environment]
    assert.ok(account !== undefined && this.#accounts.available(account) < amount, 'a withdrawal is refused for lack of money')
  }
}

/** What the lines before one have done. */
interface Sofar {
  readonly spent: number
  readonly given: ReadonlyMap<number, number>
  readonly isLimited: () => boolean
  readonly allowance: ModelAllowance | null
}

interface Counted {
  readonly operator_id: string | null
  readonly amount: number
}

const FATES = [
  'paid',
  'insufficient_balance',
  'recipient_not_found',
  'recipient_blocked',
  'recipient_check_limited',
  'recipient_limit_exceeded',
  'key_limit_exceeded',
  'merchant_suspended',
  'live_not_activated',
] as const

interface Asked {
  readonly environment: Environment
  readonly amount: number
  readonly by?: string
  readonly secondPersonAbove?: number | null
  readonly secondPersonAboveDay?: number | null
}

function aloneKey(operatorId: string | null, timeMs: number): string {
  return `${operatorId} ${new Date(timeMs).toISOString().slice(0, 10)}`
}
