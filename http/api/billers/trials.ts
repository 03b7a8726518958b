// Trials: a merchant runs its own lookup or fulfillment code. The calls are the same as for customers, without a quote or
// a payment. The run log records each trial.
import { randomUUID } from 'node:crypto'
import type {
  CodeRunReport,
  EngineApi,
  FormField,
  MerchantRow,
  OwnProduct,
  ProductDefinition,
  ProductRow,
  Sandbox,
  SandboxEntry,
  SandboxResult,
} from '../../../engine/api.ts'
import type { TestFulfillmentBody, TestLookupBody } from '../../../engine/contract/code-run.ts'
import type { Amount } from '../../../engine/kernel/amount.ts'
import { unreachable } from '../../../engine/kernel/assert.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { later } from '../../server/later.ts'
import type { Call, MerchantPrincipal } from '../../server/route.ts'
import { FULFILLMENT_TRIAL_MAX_MS } from '../../workers/hosted-code/hosted-code-limits.ts'
import { reportOf } from '../../workers/hosted-code/recorded-code.ts'
import { lookupAddress } from '../../workers/lookups/lookup-address.ts'
import { readAnswer } from '../../workers/lookups/lookup-answer.ts'
import { LOOKUP_MAX_MS } from '../../workers/lookups/lookup-limits.ts'
import { type LookupAddress, type Lookups, lookupRequest } from '../../workers/lookups/lookups.ts'

type TrialCall<Body> = Call<Body, Record<string, unknown>, MerchantPrincipal>

export interface TrialParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly lookups: Pick<Lookups, 'asked'>
  readonly sandbox: Pick<Sandbox, 'run'>
}

/** Returns null when the merchant has no such product. */
function ownProduct({ engine }: TrialParts, { principal: { account }, params }: TrialCall<unknown>): OwnProduct | null {
  return engine.query('products.own', { account, slug: String(params[0]) })
}

export function tryLookup(parts: TrialParts, call: TrialCall<TestLookupBody>): void {
  const own = ownProduct(parts, call)
  if (own === null) return call.refuse('product_not_found')
  const { product } = own
  const to = trialAddress(call.body, own)
  if (to === null) return call.refuse('lookup_not_configured')
  if (hasResult(parts, call)) return end(call, null, '')
  const { account, environment, merchant } = call.principal
  const fields = call.body.fields ?? {}
  later(call, async () => {
    if (to.kind === 'webhook') {
      const question = { merchantId: merchant.id, account, environment, currency: merchant.currency, product: product.slug, fields, to }
      const { raw, run } = await parts.lookups.asked(question)
      const answer = raw.kind === 'json' ? shown(raw.text, merchant.currency) : transportError(raw.transportError)
      return end(call, run, answer)
    }
    const argument = lookupRequest(product.slug, fields, Math.floor(parts.engine.query('engine.time', null) / 1000))
    const trial = { purpose: 'trial', entry: 'lookup', source: to.source, argument, timeoutMs: LOOKUP_MAX_MS } as const
    const result = await parts.sandbox.run({ merchantId: merchant.id, ...trial })
    end(call, reported(product, 'lookup', result), result.ok ? shown(result.value, merchant.currency) : transportError(result.error))
  })
}

export function tryFulfillment(parts: TrialParts, call: TrialCall<TestFulfillmentBody>): void {
  const own = ownProduct(parts, call)
  if (own === null) return call.refuse('product_not_found')
  const source = call.body.fulfillment_code ?? savedFulfillment(own)
  if (source === null) return call.refuse('fulfillment_not_configured')
  if (hasResult(parts, call)) return end(call, null, '')
  const { merchant } = call.principal
  const argument = JSON.stringify(simulatedContext(own, merchant, call.body, parts.engine.query('engine.time', null)))
  const trial = { purpose: 'trial', entry: 'onPaid', source, argument, timeoutMs: FULFILLMENT_TRIAL_MAX_MS } as const
  later(call, async () => {
    const result = await parts.sandbox.run({ merchantId: merchant.id, ...trial })
    const answer = result.ok ? { ok: true, result: null } : { ok: false, error: result.error }
    end(call, reported(own.product, 'onPaid', result), JSON.stringify(answer))
  })
}

/** Returns the code that the request brings, or else what customers use; null for a mode without lookup. */
function trialAddress({ lookup_code }: TestLookupBody, { product, definition }: OwnProduct): LookupAddress | null {
  return lookup_code === undefined ? lookupAddress(product, definition) : { kind: 'code', source: lookup_code }
}

function savedFulfillment({ definition: { fulfillment_mode, fulfillment_code } }: OwnProduct): string | null {
  return fulfillment_mode === 'code' ? fulfillment_code : null
}

/**
 * Returns the merchant's answer with the service's verdict. `valid` and `problem` are added when the answer is malformed.
 * They replace the answer's own fields of these names. A value that is no object is wrapped into `answer`.
 */
function shown(answer: string, currency: Currency): string {
  const value: unknown = JSON.parse(answer)
  const read = readAnswer(answer, currency)
  const verdict = read.kind === 'malformed' ? { valid: false, problem: read.problem } : {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify({ answer: value, ...verdict })
  const { valid: _valid, problem: _problem, ...fields } = value as Readonly<Record<string, unknown>>
  return JSON.stringify({ ...fields, ...verdict })
}

function transportError(transport_error: string): string {
  return JSON.stringify({ ok: false, transport_error })
}

function reported({ slug: product }: ProductRow, entry: SandboxEntry, result: SandboxResult): CodeRunReport {
  return reportOf({ product, entry, test: true }, result)
}

/** Returns whether the idempotency key has a result. A replay runs no code. */
function hasResult({ engine }: TrialParts, { idempotency }: Call): boolean {
  if (idempotency === null) return false
  const { scope, key } = idempotency
  return engine.query('results.known', { scope, key, fingerprint: null }) !== null
}

/** Submits the result. The log records the run with the id of its request, and the key's result, before the merchant gets the answer. */
function end(call: TrialCall<unknown>, run: CodeRunReport | null, answer: string): void {
  const { account } = call.principal
  const trial = run === null ? null : { ...run, test: true }
  call.submit({ type: 'EndTrial', merchant: account, run: trial, requestId: call.requestId, answer }, account)
}

/** Returns the argument of `onPaid` for a simulated payment, with test values for the fields that the merchant omitted. */
function simulatedContext(
  { biller, product, definition }: OwnProduct,
  { id: merchant_id, currency }: Pick<MerchantRow, 'id' | 'currency'>,
  sent: TestFulfillmentBody,
  nowMs: number,
): object {
  const isLookup = definition.amount_mode === 'lookup'
  return {
    biller: biller.slug,
    product: product.slug,
    amount: sent.amount ?? testAmount(definition),
    currency,
    biller_ref: sent.biller_ref ?? (isLookup ? 'TEST-0001' : ''),
    form_values: sent.form_values ?? testValues(definition),
    transaction_id: randomUUID(),
    charge_id: randomUUID(),
    merchant_id,
    paid_at: Math.floor(nowMs / 1000),
  }
}

const TEST_AMOUNT: Amount = 1000

function testAmount({ packages, presets, min, max }: ProductDefinition): Amount {
  return packages[0]?.amount ?? presets[0] ?? min ?? Math.min(TEST_AMOUNT, max ?? TEST_AMOUNT)
}

function testValues(definition: ProductDefinition): Readonly<Record<string, string>> {
  const fields = definition.schema.steps.flatMap((step) => step.fields ?? [])
  return Object.fromEntries(fields.map((field) => [field.id, testValue(field, definition)]))
}

function testValue({ type, options }: FormField, definition: ProductDefinition): string {
  switch (type) {
    case 'text':
      return 'TEST'
    case 'number':
      return '1'
    case 'phone':
      return '+22500000000'
    case 'select':
      return options?.[0]?.value ?? ''
    case 'amount':
      return String(testAmount(definition))
    default:
      return unreachable(type)
  }
}
