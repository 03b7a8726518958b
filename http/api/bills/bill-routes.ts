// Quotes and bill payments of wallets. Decisions are in engine/domain/bill.
import { CreateQuoteBody, PaidBill, PayBillBody, Quote, slugParam } from '../../../engine/contract/bill.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import { type Call, type Route, route, type WalletPrincipal } from '../../server/route.ts'
import { type QuoteParts, Quotes } from '../directory/quotes.ts'
import { BILL_REQUEST, PAID_BILL, QUOTE, QUOTE_REQUEST } from './bill-examples.ts'

const PATH = '/v1/me/directory/{biller}/products/{slug}'
const PARAMS = { biller: slugParam('Slug of the biller.'), slug: slugParam('Slug of the product.') }

export interface BillRoutesParts extends QuoteParts {
  readonly wallets: Pick<WalletAccess, 'pinChecks'>
}

export function billRoutes(parts: BillRoutesParts): readonly Route[] {
  const quotes = new Quotes(parts)
  return [
    route({
      method: 'POST',
      path: `${PATH}/quote`,
      operationId: 'createQuote',
      tag: 'Wallet directory',
      summary: 'Have the amount due looked up',
      description: QUOTE_DESCRIPTION,
      auth: 'wallet',
      idempotency: 'accepted',
      params: PARAMS,
      body: CreateQuoteBody,
      bodyExample: QUOTE_REQUEST,
      responses: [{ status: 201, description: 'What is due, held for five minutes.', schema: Quote, example: QUOTE }],
      commands: ['CreateQuote'],
      errors: [
        'lookup_not_configured',
        'invalid_form_values',
        'amount_out_of_bounds',
        'rate_limited',
        'lookup_failed',
        'lookup_unavailable',
        'lookup_timeout',
      ],
      handle: (call) => quotes.create(call),
    }),
    route({
      method: 'POST',
      path: `${PATH}/pay`,
      operationId: 'payBill',
      tag: 'Wallet directory',
      summary: 'Pay a bill',
      description: PAY_DESCRIPTION,
      auth: 'wallet',
      idempotency: 'required',
      params: PARAMS,
      body: PayBillBody,
      bodyExample: BILL_REQUEST,
      secretFields: ['pin'],
      responses: [{ status: 200, description: 'Paid.', schema: PaidBill, example: PAID_BILL }],
      commands: ['PayBill'],
      errors: ['pin_incorrect', 'pin_locked'],
      handle: (call) => pay(parts, call),
    }),
  ]
}

const QUOTE_DESCRIPTION = `For products of mode \`lookup\`. The biller's system is called at once and has ten seconds; \`lookup_failed\` contains its message. The
amount of its answer holds for one payment within five minutes. A wallet has at most two lookups under way (\`rate_limited\`).`

const PAY_DESCRIPTION = `In mode \`lookup\` with \`quote_id\`, in mode \`fixed\` with \`package_id\`, in mode \`user\` with \`amount\` or the form's field of type \`amount\` (both
must then be equal). A field of another mode is \`invalid_request\`, and so is an \`amount\` that is no longer the package's. A quote of another wallet, or for
another product, is \`not_found\`. The values of the form are text, numbers (or decimal strings), phones in E.164, values of options; a pattern must match
the whole value; a field that the form does not have is \`invalid_form_values\`. With a quote, values that are sent must be those that were looked up.

The PIN is checked first. The merchant has the money at once; the answer does not wait for the merchant's code. Decided outcomes (200, 402, 409) are
stored under the Idempotency-Key: a replay does not check the PIN, and the PIN is not compared.
\`quota_exceeded\`: too many paid bills of the biller wait for its code; the payment was not made.`

function pay({ wallets }: BillRoutesParts, call: Call<PayBillBody, Record<string, unknown>, WalletPrincipal>): void {
  const { quote_id, package_id, amount = null, form_values = {}, pin } = call.body
  const { account } = call.principal
  wallets.pinChecks.guard(call, { account, pin }, () => {
    call.submit(
      {
        type: 'PayBill',
        payer: account,
        biller: String(call.params[0]),
        product: String(call.params[1]),
        quoteId: quote_id?.toLowerCase() ?? null,
        packageId: package_id ?? null,
        amount,
        formValues: form_values,
      },
      account,
    )
  })
}
