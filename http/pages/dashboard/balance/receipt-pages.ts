// The receipts of charges, payouts, bills, top-ups and withdrawals. A record that moved no money has none: its address leads to its
// page.
import type { BillPayment } from '../../../../engine/contract/bill.ts'
import type { Charge } from '../../../../engine/contract/charge.ts'
import type { Payout } from '../../../../engine/contract/payout.ts'
import type { TopUp } from '../../../../engine/contract/top-up.ts'
import type { Withdrawal } from '../../../../engine/contract/withdrawal.ts'
import { isPhone } from '../../../../engine/kernel/recipient.ts'
import type { Route } from '../../../server/route.ts'
import { PAYMENT_REASON_WORDS } from '../../../text/payment-reason-words.ts'
import type { Text } from '../../../text/text.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { readProductNames } from '../bills/product-names.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { FEE_WORDS, isBorneByPayer } from '../shared/fee-facts.ts'
import { type Receipt, showReceipt } from '../shared/receipt.ts'
import { recipientText } from '../shared/typed-text.ts'

const TEXTS = texts({
  fr: {
    paymentReceived: 'Paiement reçu',
    paymentRefunded: 'Paiement remboursé',
    billPaid: 'Facture payée',
    billRefunded: 'Facture remboursée',
  },
  en: {
    paymentReceived: 'Payment received',
    paymentRefunded: 'Payment refunded',
    billPaid: 'Paid bill',
    billRefunded: 'Bill refunded',
  },
})

export function receiptRows(parts: DashboardParts): readonly Route[] {
  return [
    receiptRow(parts, { noun: 'charges', name: 'showChargeReceipt', operationId: 'getCharge', receipt: ofCharge }),
    receiptRow(parts, { noun: 'payouts', name: 'showPayoutReceipt', operationId: 'getPayout', receipt: ofPayout }),
    receiptRow(parts, { noun: 'bills', name: 'showBillReceipt', operationId: 'getBillPayment', receipt: ofBill }),
    receiptRow(parts, { noun: 'top-ups', name: 'showTopUpReceipt', operationId: 'getTopUp', receipt: ofTopUp }),
    receiptRow(parts, { noun: 'withdrawals', name: 'showWithdrawalReceipt', operationId: 'getWithdrawal', receipt: ofWithdrawal }),
  ]
}

type Content = Omit<Receipt, 'path'>

interface ReceiptRow<Row> {
  /** First part of the path. */
  readonly noun: string
  readonly name: string
  readonly operationId: string
  /** Returns null for a record that moved no money. */
  readonly receipt: (row: Row, merchantName: string, visit: Visit) => Content | null | Promise<Content | null>
}

function receiptRow<Row>(parts: DashboardParts, { noun, name, operationId, receipt }: ReceiptRow<Row>): Route {
  const show = async (visit: Visit): Promise<void> => {
    const answer = await visit.ask<Row>(operationId, { params: visit.params })
    if (!answer.ok) return visit.missing()
    const path = `${noun}/${visit.params[0]}`
    const content = await receipt(answer.body, visit.principal.merchant.name, visit)
    if (content === null) visit.goTo(path)
    else showReceipt(visit, { ...content, path })
  }
  return pageRow(parts, { path: `/${noun}/{id}/receipt`, operationId: name, needs: operationId, summary: 'A receipt', show })
}

function tagText(tag: string | null): string {
  return tag === null || tag === '' ? '' : `@${tag}`
}

async function ofCharge(charge: Charge, merchantName: string, visit: Visit): Promise<Content | null> {
  const { amount, paid_at, refunded_at, refund_reason, payer_tag, reference, description, transaction_id } = charge
  if (paid_at === null) return null
  const isRefunded = refunded_at !== null
  return {
    ...{ amount, reference, description, transactionId: transaction_id, payer: tagText(payer_tag), payee: merchantName },
    ...(isRefunded ? {} : { fee: await feeOf(visit, charge) }),
    title: isRefunded ? TEXTS.paymentRefunded : TEXTS.paymentReceived,
    state: isRefunded ? DASHBOARD_WORDS.refunded2 : DASHBOARD_WORDS.paid4,
    at: refunded_at ?? paid_at,
    ...(refund_reason === undefined ? {} : { reason: PAYMENT_REASON_WORDS[refund_reason] }),
  }
}

/** A refund may have given it back, so a receipt of a refunded payment has none. */
async function feeOf(visit: Visit, { fee, transaction_id }: Pick<Charge, 'fee' | 'transaction_id'>): Promise<readonly [Text, number]> {
  const isPayers = fee > 0 && (await isBorneByPayer(visit, transaction_id))
  return [isPayers ? FEE_WORDS.borneByPayer : FEE_WORDS.paidByMerchant, fee]
}

function ofPayout(payout: Payout, merchantName: string): Content | null {
  const { amount, fee, state, recipient, reference, note, transaction_id = null, created_at } = payout
  if (state !== 'paid') return null
  return {
    ...{ amount, reference, description: note, transactionId: transaction_id, payer: merchantName, payee: recipientText(recipient) },
    ...{ title: WORDS.payout, state: DASHBOARD_WORDS.paid, at: created_at, fee: [FEE_WORDS.paidByMerchant, fee] as const },
    phone: isPhone(recipient) ? recipient : '',
  }
}

async function ofBill(bill: BillPayment, merchantName: string, visit: Visit): Promise<Content> {
  const names = await readProductNames(visit)
  const { amount, biller_ref, paid_at, refunded_at, refund_reason, transaction_id } = bill
  const isRefunded = refunded_at !== null
  return {
    ...{ amount, reference: biller_ref, description: names.titleOf(bill), transactionId: transaction_id, payer: '', payee: merchantName },
    ...(isRefunded ? {} : { fee: await feeOf(visit, bill) }),
    title: isRefunded ? TEXTS.billRefunded : TEXTS.billPaid,
    state: isRefunded ? DASHBOARD_WORDS.refunded : DASHBOARD_WORDS.paid3,
    at: refunded_at ?? paid_at,
    ...(refund_reason === undefined ? {} : { reason: PAYMENT_REASON_WORDS[refund_reason] }),
  }
}

function ofTopUp(topUp: TopUp, merchantName: string): Content | null {
  const { state, amount, confirmed_amount, finished_at, payment_reference, transaction_id } = topUp
  if (state !== 'confirmed' || finished_at === null) return null
  return {
    ...{ amount: confirmed_amount ?? amount, reference: payment_reference, transactionId: transaction_id, payer: merchantName, payee: '' },
    ...{ title: DASHBOARD_WORDS.topUp2, state: DASHBOARD_WORDS.credited, at: finished_at },
  }
}

function ofWithdrawal(withdrawal: Withdrawal, merchantName: string): Content | null {
  const { state, amount, fee, finished_at, reference, destination, transaction_id } = withdrawal
  if (state !== 'paid' || finished_at === null) return null
  const payee = `${destination.name}, ${destination.account}`
  return {
    ...{ amount, reference, transactionId: transaction_id, payer: merchantName, payee },
    ...{ title: WORDS.withdrawal, state: DASHBOARD_WORDS.paid4, at: finished_at, fee: [FEE_WORDS.paidByMerchant, fee] as const },
  }
}
