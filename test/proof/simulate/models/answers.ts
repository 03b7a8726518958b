// What commands that move money answer: the document of their own record, with its transaction and the balance after it.
import assert from 'node:assert/strict'
import type { CommandType } from '../../../../engine/domain/command.ts'
import type { Entry } from '../entry.ts'
import type { AccountsModel } from './accounts.ts'

interface Answered {
  readonly state: string | null
  /** Field that names the transaction of the record; null where the answer has none. */
  readonly transaction: 'transaction_id' | 'refund_transaction_id' | null
  /** Of the account whose balance is answered. */
  readonly balanceOf: 'debit' | 'credit' | 'either' | null
}

interface Answer {
  readonly id?: string
  readonly token?: string
  readonly state?: string
  readonly amount?: number
  readonly transaction_id?: string | null
  readonly refund_transaction_id?: string | null
  readonly balance_after?: number
}

const PAID = { state: 'paid', transaction: 'transaction_id', balanceOf: 'debit' } as const
const REFUNDED = { state: 'refunded', transaction: 'refund_transaction_id', balanceOf: null } as const

/** Of commands whose record has one transaction. */
const ANSWERS: Readonly<Partial<Record<CommandType, Answered>>> = {
  CreatePayout: { ...PAID, balanceOf: null },
  PayCharge: PAID,
  RefundCharge: REFUNDED,
  PayBill: { ...PAID, state: null },
  RefundBill: REFUNDED,
  CreateTransfer: { ...PAID, state: null },
  Deposit: { state: null, transaction: 'transaction_id', balanceOf: 'credit' },
  Withdraw: { state: null, transaction: 'transaction_id', balanceOf: 'debit' },
  ApproveMovement: { state: 'approved', transaction: 'transaction_id', balanceOf: 'either' },
  ConfirmTopUp: { state: 'confirmed', transaction: 'transaction_id', balanceOf: null },
  PayWithdrawal: { ...PAID, balanceOf: null },
}

/** `body`: what the key of the record keeps. Called before the money of the record is moved in the model. */
export function auditAnswer(accounts: AccountsModel, { record, command, code }: Entry, body: string): void {
  const [transaction, ...others] = record.transactions.filter(({ type }) => type !== 'fee' && type !== 'fee_refund')
  const expected = command === null || code !== null ? undefined : ANSWERS[command.type]
  if (expected === undefined || transaction === undefined || command === null) return
  const what = `answer of ${record.command} at ${record.sequence}`
  const [posting, ...more] = transaction.postings
  assert.ok(posting !== undefined && others.length + more.length === 0, 'one command moves one sum')
  const { amount, debit, credit } = posting
  const answer = JSON.parse(body) as Answer
  const isShort = command.type === 'PayCharge' && command.answer === 'checkout'
  if (expected.state !== null) assert.equal(answer.state, expected.state, what)
  if (expected.transaction !== null && !isShort) assert.equal(answer[expected.transaction], transaction.id, what)
  if ('amount' in answer && command.type !== 'ConfirmTopUp') assert.equal(answer.amount, amount, what)
  if ('id' in command) assert.equal(answer.id, command.id, what)
  if ('token' in answer && 'token' in command) assert.equal(answer.token, command.token, what)
  const { balanceOf } = expected
  const paying = accounts.account(debit).balance - amount - feeOf(record, debit)
  const isPaying = balanceOf === 'debit' || (balanceOf === 'either' && accounts.account(debit).kind !== 'settlement')
  if (balanceOf !== null && 'balance_after' in answer) {
    assert.equal(answer.balance_after, isPaying ? paying : accounts.account(credit).balance + amount, what)
  }
}

/** The fee that the account pays in the record. */
function feeOf({ transactions }: Entry['record'], account: number): number {
  const fee = transactions.find(({ type, postings }) => type === 'fee' && postings[0]?.debit === account)
  return fee?.postings[0]?.amount ?? 0
}
