// Bill payments of a merchant: list, record, redelivery, refund. Decisions are in engine/domain/bill.
import type { AccountNumber, Command } from '../../../engine/api.ts'
import { BillPayment, BillPaymentList, ListBillPaymentsQuery, RedeliverBillBody } from '../../../engine/contract/bill.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { RefundBody } from '../../../engine/contract/money-body.ts'
import type { Position } from '../../../engine/kernel/position.ts'
import { answerDocuments, CsvColumns, csvResponse, type DocumentCsv, type DocumentListParts } from '../../lists/document-csv.ts'
import { CSV_DESCRIPTION } from '../../lists/statement-list.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { BILL_PAYMENT, REDELIVERED_BILL, REFUNDED_BILL } from './bill-examples.ts'

const PATH = '/v1/biz/bill-payments'
const TAG = 'Bill payments'
const PARAMS = { transaction_id: uuid({ description: 'Of the payment.' }) }

const CSV: DocumentCsv = { path: '/v1/biz/bill-payments', fileName: 'bill-payments.csv', columns: new CsvColumns(BillPayment) }

export interface BillPaymentRoutesParts extends DocumentListParts {}

export function billPaymentRoutes(parts: BillPaymentRoutesParts): readonly Route[] {
  return [...readingRoutes(parts), ...movingRoutes(parts)]
}

function readingRoutes(parts: BillPaymentRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listBillPayments',
      tag: TAG,
      summary: 'List what customers paid for your products',
      description: `${LIST_DESCRIPTION}\n\n${CSV_DESCRIPTION}`,
      auth: 'key-or-session',
      idempotency: 'none',
      query: ListBillPaymentsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: BillPaymentList,
          example: { data: [BILL_PAYMENT], has_more: false, next_cursor: null },
        },
        csvResponse(CSV, BILL_PAYMENT),
      ],
      errors: [],
      handle: (call) => listBills(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{transaction_id}`,
      operationId: 'getBillPayment',
      tag: TAG,
      summary: 'Get a bill payment',
      description: 'By the ledger transaction of the payment, which `bill.paid` carries.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: PARAMS,
      responses: [{ status: 200, description: 'The payment as it stands now.', schema: BillPayment, example: BILL_PAYMENT }],
      errors: [],
      handle: (call) => getBill(parts, call),
    }),
  ]
}

function movingRoutes(parts: BillPaymentRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: `${PATH}/{transaction_id}/redeliver`,
      operationId: 'redeliverBillPayment',
      tag: TAG,
      summary: 'Run the fulfillment code of a paid bill once more',
      description: REDELIVER_DESCRIPTION,
      auth: 'key-or-session',
      memberRole: 'manager',
      idempotency: 'required',
      params: PARAMS,
      body: RedeliverBillBody,
      bodyOptional: true,
      bodyExample: { force: false },
      responses: [{ status: 202, description: 'The payment; its code waits.', schema: BillPayment, example: REDELIVERED_BILL }],
      commands: ['RedeliverBill'],
      errors: [],
      handle: (call) => {
        const force = call.body.force ?? false
        submitMove(parts, call, (merchant, position) => ({ type: 'RedeliverBill', merchant, position, force }))
      },
    }),
    route({
      method: 'POST',
      path: `${PATH}/{transaction_id}/refund`,
      operationId: 'refundBillPayment',
      tag: TAG,
      summary: 'Refund a paid bill',
      description: REFUND_DESCRIPTION,
      auth: 'key-or-session',
      memberRole: 'manager',
      idempotency: 'required',
      params: PARAMS,
      body: RefundBody,
      bodyOptional: true,
      bodyExample: { amount: 5000, reason: 'not_received' },
      responses: [{ status: 200, description: 'The payment, refunded.', schema: BillPayment, example: REFUNDED_BILL }],
      commands: ['RefundBill'],
      errors: [],
      handle: (call) => {
        const { currency: _, ...expected } = call.body
        submitMove(parts, call, (merchant, position) => ({ type: 'RefundBill', merchant, position, ...expected }))
      },
    }),
  ]
}

const LIST_DESCRIPTION = `The data of \`bill.paid\`, with what became of the payment since. \`fulfillment\` is the product's \`onPaid\`: it runs after every payment,
however many are paid at once, behind your own earlier runs alone, and waits as long as it takes (\`pending\`). \`failed\`: it threw, took too long, or
was running when the service or its sandbox stopped; \`…/redeliver\` runs it again. Code that had not started then runs by itself. Money never depends
on it, and \`bill.paid\` is sent when it is over.`

const REDELIVER_DESCRIPTION = `The code that the product has now runs once more for this payment, then \`bill.paid\` is sent again. A product without code: only
\`bill.paid\` is sent again. Code that has succeeded runs again with \`{"force": true}\` alone (\`already_fulfilled\`). While the code
waits, nothing is added: it runs once. While it runs: 409 \`fulfillment_running\`; try again under a new key. Your code receives the same \`transaction_id\` each time: use it to do nothing twice.`

const REFUND_DESCRIPTION = `The whole amount returns to the payer’s wallet at once, while your available balance covers it. Code that still waits is not run any
more; code that runs is not stopped. The wallet gets a push notification and \`bill.refunded\` on its stream. A body is optional: an \`amount\`
that is not the whole amount is 400 \`partial_refund_unsupported\`, and nothing is refunded. A \`reason\` stays with the refund.`

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function listBills(parts: BillPaymentRoutesParts, call: MerchantCall<unknown, ListBillPaymentsQuery>): void {
  const { account } = call.principal
  answerDocuments(parts, call, CSV, (query, slice) => parts.engine.query('bills.list', { account, query, slice }))
}

function getBill({ engine }: BillPaymentRoutesParts, call: MerchantCall): void {
  const bill = engine.query('bills.get', named(call))
  if (bill === null) return call.refuse('not_found')
  call.answer(200, bill)
}

function submitMove(
  { engine }: BillPaymentRoutesParts,
  call: MerchantCall,
  command: (merchant: AccountNumber, position: Position) => Command,
): void {
  const { account } = call.principal
  const position = engine.query('bills.position', named(call))
  if (position === null) return call.refuse('not_found')
  call.submit(command(account, position), account)
}

function named(call: MerchantCall): { readonly account: AccountNumber; readonly transactionId: string } {
  return { account: call.principal.account, transactionId: String(call.params[0]) }
}
