// Requests about billers, their products, bills and the runs of their code by a simulated sandbox.

import { readDefinition } from '../../../engine/domain/biller/biller-definition.ts'
import type { Command, CommandType } from '../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { ModelBill, ModelBiller } from '../models/bills.ts'
import type { Models } from '../models.ts'
import { environment, merchant, wallet } from './pick.ts'

const logosBase = 'https://cauri.example/logos/'
const CODE = { fulfillment_mode: 'code', fulfillment_code: 'function onPaid(ctx) {}' }
const CONTRACT = { steps: [{ fields: [{ id: 'contrat', label: 'Contrat', type: 'text', required: true }] }] }
const AMOUNT = { steps: [{ fields: [{ id: 'montant', label: 'Montant', type: 'amount' }] }] }
const PRODUCTS: Readonly<Record<string, object>> = {
  facture: { title: 'Facture', amount_mode: 'lookup', lookup_url: 'https://eau.example/lookup', schema: CONTRACT },
  don: { title: 'Don', amount_mode: 'user', schema: AMOUNT, ...CODE },
  pass: { title: 'Pass', amount_mode: 'fixed', schema: { steps: [] }, packages: [{ id: 'jour', label: 'Pass jour', amount: 500 }] },
}
const SLUGS = ['facture', 'don', 'pass'] as const

/** The biller that lacks least, so that some are published soon. */
function billerOf(models: Models, { prng }: Drawing): ModelBiller | undefined {
  const all = [...models.bills.billers.values()]
  return prng.chance(0.7) ? all[0] : recent(prng, all)
}

/** An account of the biller's merchant. */
function accountOf(models: Models, drawing: Drawing, biller: ModelBiller | undefined): number | undefined {
  const owner = models.accounts.merchants.find(({ id }) => id === biller?.merchantId) ?? merchant(models, drawing)
  return owner?.[environment(drawing)]
}

function ofBiller(models: Models, make: (merchantAccount: number, drawing: Drawing) => Command): Draw {
  return (drawing) => {
    const account = accountOf(models, drawing, billerOf(models, drawing))
    return account === undefined ? null : make(account, drawing)
  }
}

function productDraw(models: Models): Draw {
  return (drawing) => {
    const { prng } = drawing
    const biller = billerOf(models, drawing)
    const account = accountOf(models, drawing, biller)
    if (account === undefined) return null
    const missing = SLUGS.find((slug) => biller?.products.has(slug) !== true)
    const slug = prng.chance(0.8) && missing !== undefined ? missing : prng.pick(SLUGS)
    const mode = biller?.products.has(slug) === prng.chance(0.95) ? 'replace' : 'create'
    const body = prng.chance(0.03) ? { title: '' } : { ...PRODUCTS[slug], ...(prng.chance(0.2) ? CODE : {}) }
    return { type: 'SaveProduct', merchant: account, slug, mode, definition: readDefinition(body), sealedSecret: null }
  }
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
    const bill = recent(drawing.prng, fitting.length > 0 && drawing.prng.chance(0.85) ? fitting : all)
    return bill === undefined ? null : make(bill, drawing)
  }
}

function payDraw(models: Models): Draw {
  return (drawing) => {
    const { prng, nowMs } = drawing
    const biller = billerOf(models, drawing)
    const payer = wallet(models, drawing)
    if (payer === undefined) return null
    const slug = biller?.slug ?? 'ghost'
    const nothing = {
      type: 'PayBill',
      payer: payer.account,
      biller: slug,
      quoteId: null,
      packageId: null,
      amount: null,
      formValues: {},
    } as const
    const quotes = [...models.bills.quotes.values()].slice(-20)
    const quote = recent(prng, prng.chance(0.85) ? quotes.filter(({ isUsed, expiresMs }) => !isUsed && nowMs < expiresMs) : quotes)
    if (quote !== undefined && prng.chance(0.5))
      return { ...nothing, payer: quote.payer, biller: quote.biller, product: quote.product, quoteId: quote.id }
    if (prng.chance(0.3)) return { ...nothing, product: 'pass', packageId: prng.chance(0.95) ? 'jour' : 'nuit' }
    return { ...nothing, product: prng.chance(0.97) ? 'don' : 'facture', amount: 50 + prng.below(1000) }
  }
}

const billerDraws = (models: Models) =>
  ({
    SaveBiller: (drawing) => {
      const { prng } = drawing
      const old = prng.chance(0.5) ? billerOf(models, drawing) : undefined
      const account = accountOf(models, drawing, old)
      if (account === undefined) return null
      const displayName = prng.chance(0.05) ? null : old === undefined || prng.chance(0.3) ? drawing.name('Eau ') : null
      return {
        type: 'SaveBiller',
        merchant: account,
        displayName: displayName ?? (prng.chance(0.9) ? 'Eau vive' : null),
        category: 'water',
        shortDesc: 'é',
        logosBase,
      }
    },
    SetBillerLogo: ofBiller(models, (account, drawing) => {
      const file = `${drawing.name('logo')}.png`
      return { type: 'SetBillerLogo', merchant: account, file, contentType: 'image/png', base64: 'YQ==', logosBase }
    }),
    SubmitBiller: ofBiller(models, (account) => ({ type: 'SubmitBiller', merchant: account, logosBase })),
    CurateBiller: (drawing) => {
      const { prng } = drawing
      const biller = billerOf(models, drawing)
      const fitting = {
        in_review: ['approved', 'approved', 'rejected'],
        published: ['suspended', 'approved', 'rejected'],
        suspended: ['reinstated'],
      } as const
      const choice = fitting[biller?.state as keyof typeof fitting] ?? (['approved', 'rejected', 'suspended', 'reinstated'] as const)
      const curation = prng.chance(0.9) ? prng.pick(choice) : prng.pick(['approved', 'rejected', 'suspended', 'reinstated'] as const)
      return { type: 'CurateBiller', slug: biller?.slug ?? 'ghost', curation, reason: '', submittedAt: null, logosBase }
    },
    CurateLogo: (drawing) => {
      const pending = [...models.bills.billers.values()].find(({ hasPendingLogo }) => hasPendingLogo) ?? billerOf(models, drawing)
      const curation = drawing.prng.pick(['logo_approved', 'logo_rejected'] as const)
      return { type: 'CurateLogo', slug: pending?.slug ?? 'ghost', curation, file: null, logosBase }
    },
    ApproveTestBiller: (drawing) => {
      const biller = billerOf(models, drawing)
      const owner = models.accounts.merchants.find(({ id }) => id === biller?.merchantId)
      return owner === undefined ? null : { type: 'ApproveTestBiller', merchant: owner.test, logosBase }
    },
    SaveProduct: productDraw(models),
    SwitchProduct: (drawing) => {
      const biller = billerOf(models, drawing)
      const account = accountOf(models, drawing, biller)
      if (account === undefined) return null
      const inactive = [...(biller?.products ?? [])].find(([, state]) => state === 'inactive')
      const slug = inactive?.[0] ?? drawing.prng.pick(SLUGS)
      return {
        type: 'SwitchProduct',
        merchant: account,
        slug,
        to: inactive === undefined && drawing.prng.chance(0.3) ? 'inactive' : 'active',
      }
    },
  }) satisfies Partial<Record<CommandType, Draw>>

export const billDraws = (models: Models) =>
  ({
    ...billerDraws(models),
    CreateQuote: (drawing) => {
      const biller = billerOf(models, drawing)
      const payer = wallet(models, drawing)
      if (payer === undefined) return null
      const sum = 50 + drawing.prng.below(1000)
      const due = { amount: sum, currency: 'XOF', label: '', customer_name: 'É', biller_ref: `F-${sum}`, line_items: [] }
      const product = drawing.prng.chance(0.95) ? 'facture' : 'ghost'
      return { type: 'CreateQuote', payer: payer.account, biller: biller?.slug ?? 'ghost', product, formValues: { contrat: 'C-1' }, due }
    },
    PayBill: payDraw(models),
    StartFulfillment: runDraw(
      models,
      ({ merchant: account, chargeId }) => ({ type: 'StartFulfillment', merchant: account, chargeId }),
      'waiting',
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
      const bill = recent(drawing.prng, [...models.bills.bills.values()])
      if (bill === undefined) return null
      return { type: 'RedeliverBill', merchant: bill.merchant, position: bill.position, force: drawing.prng.chance(0.5) }
    },
    RefundBill: (drawing) => {
      const bill = recent(drawing.prng, [...models.bills.bills.values()])
      return bill === undefined ? null : { type: 'RefundBill', merchant: bill.merchant, position: bill.position }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
