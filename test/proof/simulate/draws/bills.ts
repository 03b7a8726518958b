// Requests about bills and the runs of their code by a simulated sandbox.
import type { PayBill } from '../../../../engine/domain/bill/bill-pay-decide.ts'
import type { Command, CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { ModelWallet } from '../models/accounts.ts'
import type { ModelBiller } from '../models/billers.ts'
import type { ModelBill } from '../models/bills.ts'
import type { Models } from '../models.ts'
import { billerOf } from './billers.ts'
import { affordable, environment, merchant, payer } from './pick.ts'

/** A biller that takes payments, mostly, and a wallet of the environment in which it does. */
function listed(models: Models, drawing: Drawing): { readonly biller: ModelBiller | undefined; readonly by: ModelWallet | undefined } {
  const { prng } = drawing
  const published = [...models.billers.billers.values()].filter(({ state, products }) => state === 'published' && products.size > 0)
  const biller = prng.chance(0.9) ? (recent(prng, published) ?? billerOf(models, drawing)) : billerOf(models, drawing)
  return { biller, by: payer(models, drawing, biller?.isLive === false && prng.chance(0.95) ? 'test' : undefined) }
}

/** The merchant of the bill, mostly. */
function ownerOf(models: Models, drawing: Drawing, { merchant: owner }: ModelBill): number {
  return drawing.prng.chance(0.97) ? owner : (merchant(models, drawing)?.[environment(drawing)] ?? owner)
}

/** One step of the run of the code behind a payment: late, doubled and in any order, as a sandbox that restarts reports it. */
function runDraw(
  models: Models,
  make: (bill: { readonly merchant: number; readonly chargeId: string }, drawing: Drawing) => Command,
  code: ModelBill['code'],
): Draw {
  return (drawing) => {
    const all = [...models.bills.bills.values()].slice(-40)
    const fitting = all.filter((bill) => bill.code === code)
    const bill = recent(drawing.prng, drawing.prng.chance(0.85) ? fitting : all)
    return bill === undefined ? null : make(bill, drawing)
  }
}

/** A payment by a quote: its customer's, mostly. */
function quotedDraw(
  models: Models,
  { prng, nowMs }: Drawing,
  by: ModelWallet,
): Pick<PayBill, 'payer' | 'biller' | 'product' | 'quoteId' | 'amount'> | null {
  const quotes = [...models.bills.quotes.values()].slice(-20)
  const quote = recent(prng, prng.chance(0.85) ? quotes.filter(({ isUsed, expiresMs }) => !isUsed && nowMs < expiresMs) : quotes)
  if (quote === undefined || prng.chance(0.5)) return null
  const { payer: customer, biller, product, id, amount } = quote
  const sent = prng.chance(0.03) ? amount + 1 : prng.pick([amount, null])
  return { payer: prng.chance(0.1) ? by.account : customer, biller, product, quoteId: id, amount: sent }
}

function payDraw(models: Models): Draw {
  return (drawing) => {
    const { prng } = drawing
    const { biller, by } = listed(models, drawing)
    if (by === undefined) return null
    const about = { type: 'PayBill', payer: by.account, biller: biller?.slug ?? 'ghost', formValues: {} } as const
    const nothing = { ...about, quoteId: null, packageId: null, amount: null } as const
    const quoted = quotedDraw(models, drawing, by)
    if (quoted !== null) return { ...nothing, ...quoted }
    if (prng.chance(0.3)) return { ...nothing, product: 'pass', packageId: prng.chance(0.95) ? 'jour' : 'nuit' }
    const sum = Math.min(50 + prng.below(1000), affordable(models, drawing, by.account))
    return { ...nothing, product: prng.chance(0.97) ? 'don' : 'facture', amount: sum }
  }
}

export const billDraws = (models: Models) =>
  ({
    CreateQuote: (drawing) => {
      const { biller, by } = listed(models, drawing)
      if (by === undefined) return null
      const sum = Math.min(50 + drawing.prng.below(1000), affordable(models, drawing, by.account))
      const due = { amount: sum, currency: 'XOF', label: '', customer_name: 'É', biller_ref: `F-${sum}`, line_items: [] }
      const product = drawing.prng.chance(0.95) ? 'facture' : 'ghost'
      return { type: 'CreateQuote', payer: by.account, biller: biller?.slug ?? 'ghost', product, formValues: { contrat: 'C-1' }, due }
    },
    PayBill: payDraw(models),
    StartFulfillment: runDraw(
      models,
      ({ merchant: account, chargeId }) => ({ type: 'StartFulfillment', merchant: account, chargeId }),
      'waiting',
    ),
    MarkFulfillmentCall: runDraw(
      models,
      ({ merchant: account, chargeId }) => ({ type: 'MarkFulfillmentCall', merchant: account, chargeId }),
      'running',
    ),
    ReturnFulfillment: runDraw(
      models,
      ({ merchant: account, chargeId }) => ({ type: 'ReturnFulfillment', merchant: account, chargeId }),
      'running',
    ),
    EndFulfillment: runDraw(
      models,
      ({ merchant: account, chargeId }, { prng }) => {
        const failed = { state: 'failed', error: 'Error', duration_ms: null } as const
        const fulfillment = prng.chance(0.4) ? failed : ({ state: 'succeeded', error: null, duration_ms: 5 } as const)
        return { type: 'EndFulfillment', merchant: account, chargeId, fulfillment }
      },
      'running',
    ),
    RedeliverBill: (drawing) => {
      const all = [...models.bills.bills.values()]
      const ended = all.filter(({ code }) => code === 'succeeded' || code === 'failed')
      const bill = recent(drawing.prng, ended.length > 0 && drawing.prng.chance(0.6) ? ended : all)
      if (bill === undefined) return null
      return { type: 'RedeliverBill', merchant: ownerOf(models, drawing, bill), position: bill.position, force: drawing.prng.chance(0.5) }
    },
    RefundBill: (drawing) => {
      const bill = recent(drawing.prng, [...models.bills.bills.values()])
      return bill === undefined ? null : { type: 'RefundBill', merchant: ownerOf(models, drawing, bill), position: bill.position }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
