// What simulated clients ask for around bills: merchants become billers step by step, wallets have bills looked up and pay
// them, some more than once, and merchants' code starts and ends.
import { readDefinition } from '../../../engine/domain/biller/biller-definition.ts'
import type { Command } from '../../../engine/domain/command.ts'
import type { Prng } from '../../support/prng.ts'
import { type BillBooks, LEAST } from './bill-books.ts'

const AMOUNT = { steps: [{ fields: [{ id: 'montant', label: 'Montant', type: 'amount' }] }] }
const CODE = { fulfillment_mode: 'code', fulfillment_code: 'function onPaid(ctx) {}' }
const CONTRACT = { steps: [{ fields: [{ id: 'contrat', label: 'Contrat', type: 'text', required: true }] }] }
const LOOKUP = { title: 'Facture', amount_mode: 'lookup', schema: CONTRACT, lookup_url: 'https://a.example/' }
const TYPED = { title: 'Don', amount_mode: 'user', schema: AMOUNT, min: LEAST, ...CODE }

/** What a bill comes to, at most about. */
export const BILL_MAX = 1000
/** Slug of the one biller of a world. */
export const BILLER = 'facturier'

/** What its merchant (the live account) does to be in the directory, in this order; each step may be sent again. */
export function billerSteps(merchant: number): readonly Command[] {
  const logosBase = 'https://cauri.example/logos/'
  return [
    { type: 'SaveBiller', merchant, displayName: 'Facturier', category: 'water', shortDesc: 'é', logosBase },
    { type: 'SetBillerLogo', merchant, file: 'a.png', contentType: 'image/png', base64: 'YQ==', logosBase },
    newProduct(merchant, 'don', TYPED),
    newProduct(merchant, 'facture', LOOKUP),
    { type: 'SubmitBiller', merchant, logosBase },
    { type: 'CurateBiller', slug: BILLER, curation: 'approved', reason: '', submittedAt: null, logosBase },
  ]
}

/** For a published biller. */
export function billCommand(prng: Prng, books: BillBooks, payer: number): Command {
  const dice = prng.next()
  const amount = LEAST + prng.below(BILL_MAX)
  const nothing = { type: 'PayBill', payer, biller: BILLER, quoteId: null, packageId: null, amount: null, formValues: {} } as const
  const quoteId = books.quotes.at(-1 - prng.below(4))
  if (dice < 0.3) return quoteFor(payer, amount)
  if (dice < 0.6 && quoteId !== undefined) return { ...nothing, product: 'facture', quoteId }
  const payment = [...books.payments.values()].at(-1 - prng.below(6))
  if (dice < 0.7 || payment === undefined) return { ...nothing, product: 'don', amount }
  const { merchant, position } = payment
  if (dice < 0.75) return { type: 'RedeliverBill', merchant, position, force: prng.below(2) === 0 }
  if (dice < 0.79) return { type: 'RefundBill', merchant, position }
  const open = books.fulfilling.at(-1 - prng.below(3)) ?? payment
  return codeCommand(prng, open)
}

function codeCommand(prng: Prng, { merchant, chargeId }: { readonly merchant: number; readonly chargeId: string }): Command {
  const dice = prng.next()
  if (dice < 0.45) return { type: 'StartFulfillment', merchant, chargeId }
  if (dice < 0.55) return { type: 'ReturnFulfillment', merchant, chargeId }
  if (dice < 0.6) return { type: 'MarkFulfillmentCall', merchant, chargeId }
  const failed = { state: 'failed', error: 'Error', duration_ms: null } as const
  const fulfillment = dice < 0.7 ? failed : ({ state: 'succeeded', error: null, duration_ms: 5 } as const)
  return { type: 'EndFulfillment', merchant, chargeId, fulfillment }
}

function quoteFor(payer: number, amount: number): Command {
  const due = { amount, currency: 'XOF', label: '', customer_name: 'É', biller_ref: `F-${amount}`, line_items: [] }
  return { type: 'CreateQuote', payer, biller: BILLER, product: 'facture', formValues: { contrat: 'C-1' }, due }
}

function newProduct(merchant: number, slug: string, body: object): Command {
  return { type: 'SaveProduct', merchant, slug, mode: 'create', definition: readDefinition({ ...body }), sealedSecret: null }
}
