// Bills for the golden files: quotes, payments with and without code, what becomes of the code, redelivery and refund.

import assert from 'node:assert/strict'
import type { EndFulfillment } from '../../engine/domain/bill/fulfillment-decide.ts'
import { readDefinition } from '../../engine/domain/biller/biller-definition.ts'
import type { Command } from '../../engine/domain/command.ts'
import { positionOf } from '../../engine/kernel/position.ts'
import { deposit, openMerchant, openWallet } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { outcomeStatus } from '../support/outcome-status.ts'

export function playBills(fixture: EngineFixture): void {
  const { live: merchant, test } = openMerchant(fixture, 'bills')
  const awa = openWallet(fixture, 'awa')
  const tell = teller(fixture)
  tell(deposit({ tag: 'awa' }, 50_000), 201)
  becomeBiller(tell, merchant)
  const url = 'https://eau.example/hooks'
  tell({ type: 'CreateEndpoint', merchant: test, url, events: ['bill.paid'], description: '', sealedSecret: 'sealed' }, 201)
  const due = {
    ...{ amount: 1500, currency: 'XOF', label: 'Août "2026"', customer_name: 'Awa D.', biller_ref: 'F-1' },
    line_items: [
      { label: 'Eau', amount: 1600 },
      { label: 'Remise', amount: -100 },
    ],
  }
  const formValues = { contrat: 'é-1', mois: 2 }
  const asked = { payer: awa, biller: 'eau-vive', product: 'facture' }
  const quote = tell({ type: 'CreateQuote', ...asked, formValues, due }, 201, 'quote')
  tell({ type: 'CreateQuote', ...asked, formValues, due }, 201)
  const nothing = { type: 'PayBill', payer: awa, biller: 'eau-vive', quoteId: null, packageId: null, amount: null, formValues: {} } as const
  const byQuote = { ...nothing, product: 'facture', quoteId: String(quote.id) }
  const first = tell(byQuote, 200, 'pay')
  tell(byQuote, 409, 'again')
  const second = tell({ ...nothing, product: 'don', amount: 700 }, 200)
  tell({ ...nothing, product: 'don', formValues: { montant: '500' } }, 200)
  const chargeId = String(first.charge_id)
  tell({ type: 'StartFulfillment', merchant: test, chargeId }, 200)
  const succeeded = { state: 'succeeded', error: null, duration_ms: 41 } as const
  tell({ type: 'EndFulfillment', merchant: test, chargeId, fulfillment: succeeded }, 200)
  const failed = { state: 'failed', error: 'Error: "x"', duration_ms: null } as const
  tell({ type: 'EndFulfillment', merchant: test, chargeId: String(second.charge_id), fulfillment: failed }, 200)
}

/** What becomes of payments: code that was not begun, redelivery, refunds before, while and after the code runs. */
export function playBillOutcomes(fixture: EngineFixture): void {
  const { live: merchant, test } = openMerchant(fixture, 'bills')
  const awa = openWallet(fixture, 'awa')
  const tell = teller(fixture)
  tell(deposit({ tag: 'awa' }, 50_000), 201)
  becomeBiller(tell, merchant)
  const nothing = { type: 'PayBill', payer: awa, biller: 'eau-vive', quoteId: null, packageId: null, formValues: {} } as const
  const pay = (amount: number): { readonly chargeId: string; readonly position: number } => {
    const { charge_id } = tell({ ...nothing, product: 'don', amount }, 200)
    return { chargeId: String(charge_id), position: positionOf(fixture.records.at(-1)?.sequence ?? 0, 0) }
  }
  const start = (chargeId: string): unknown => tell({ type: 'StartFulfillment', merchant: test, chargeId }, 200)
  const end = (chargeId: string, fulfillment: EndFulfillment['fulfillment']): unknown =>
    tell({ type: 'EndFulfillment', merchant: test, chargeId, fulfillment }, 200)
  const redeliver = ({ position }: { readonly position: number }, force: boolean, status: number, key: string): unknown =>
    tell({ type: 'RedeliverBill', merchant: test, position, force }, status, key)
  const succeeded = { state: 'succeeded', error: null, duration_ms: 7 } as const
  const failed = { state: 'failed', error: 'Error: "é"', duration_ms: 9 } as const
  const again = pay(500)
  start(again.chargeId)
  tell({ type: 'ReturnFulfillment', merchant: test, chargeId: again.chargeId }, 200)
  start(again.chargeId)
  end(again.chargeId, failed)
  redeliver(again, false, 202, 'redeliver')
  start(again.chargeId)
  end(again.chargeId, succeeded)
  redeliver(again, false, 409, 'succeeded')
  redeliver(again, true, 202, 'force')
  const [waiting, running, over] = [pay(501), pay(502), pay(503)]
  start(running.chargeId)
  start(over.chargeId)
  end(over.chargeId, succeeded)
  for (const [index, { position }] of [waiting, running, over].entries()) {
    tell({ type: 'RefundBill', merchant: test, position }, 200, `refund ${index}`)
  }
  tell({ type: 'RefundBill', merchant: test, position: over.position }, 409, 'refunded')
  const open = pay(504)
  start(open.chargeId)
  tell({ type: 'MarkFulfillmentCall', merchant: test, chargeId: open.chargeId }, 200)
  tell({ type: 'ReturnFulfillment', merchant: test, chargeId: open.chargeId }, 404)
  end(running.chargeId, failed)
}

type Tell = (command: Command, status: number, key?: string) => Record<string, unknown>

/** Sends commands a second apart, each with the status that it must answer. */
export function teller(fixture: EngineFixture): Tell {
  return (command, status, key) => {
    fixture.loop.nowMs += 1000
    const outcome = fixture.do(command, key === undefined ? {} : { key })
    assert.equal(outcomeStatus(outcome), status, `${command.type}: ${outcome.body}`)
    return JSON.parse(outcome.body) as Record<string, unknown>
  }
}

export function becomeBiller(tell: Tell, merchant: number): void {
  const logosBase = 'https://cauri.example/logos/'
  const code = { fulfillment_mode: 'code', fulfillment_code: 'function onPaid(ctx) {}' }
  const fields = [
    { id: 'contrat', label: 'Contrat', type: 'text', required: true },
    { id: 'mois', label: 'Mois', type: 'number' },
  ]
  const lookup = {
    title: 'Facture',
    amount_mode: 'lookup',
    lookup_url: 'https://eau.example/lookup',
    schema: { steps: [{ fields }] },
    ...code,
  }
  const amount = { steps: [{ fields: [{ id: 'montant', label: 'Montant', type: 'amount' }] }] }
  tell({ type: 'SaveBiller', merchant, displayName: 'Eau vive', category: 'water', shortDesc: 'é', logosBase }, 200)
  tell({ type: 'SetBillerLogo', merchant, file: 'a.png', contentType: 'image/png', base64: 'YQ==', logosBase }, 200)
  const bodies = { facture: lookup, don: { title: 'Don', amount_mode: 'user', schema: amount, ...code } }
  for (const [slug, body] of Object.entries(bodies)) {
    tell({ type: 'SaveProduct', merchant, slug, mode: 'create', definition: readDefinition(body), sealedSecret: null }, 201)
  }
  tell({ type: 'SubmitBiller', merchant, logosBase }, 200)
  tell({ type: 'CurateBiller', slug: 'eau-vive', curation: 'approved', reason: '', submittedAt: null, logosBase }, 200)
}
