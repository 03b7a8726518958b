// Gets the amount due from a merchant's system: by a signed call, or by its code in the sandbox. It moves no money.
// Each call is in the product's run log.
import { randomUUID } from 'node:crypto'
import type { AccountNumber, AmountDue, CodeRunReport, FormValues, SandboxFault, SandboxResult } from '../../../engine/api.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import type { Seal } from '../../crypto/seal.ts'
import type { OutboundCalls } from '../../outbound/outbound-calls.ts'
import type { OutboundFailure, OutboundOutcome } from '../../outbound/outcome.ts'
import { OUTBOUND_RULES, type OutboundRule } from '../../outbound/rules.ts'
import { isBoundedJson } from '../../server/body/json-body.ts'
import type { RecordedCode } from '../hosted-code/recorded-code.ts'
import { signatureHeader } from '../webhooks/verify-signature.ts'
import { Admission } from './admission.ts'
import { NO_JSON, type ReadAnswer, readAnswer } from './lookup-answer.ts'
import { LOOKUP_MAX_MS, LOOKUPS_MAX } from './lookup-limits.ts'
import { callReport } from './lookup-report.ts'
import type { RawLookup, TransportFailure } from './raw-lookup.ts'

/** The specification's lookup request, with its target. */
export interface LookupQuestion {
  readonly merchantId: string
  /** The merchant's account, in the environment of the wallet. */
  readonly account: AccountNumber
  readonly environment: Environment
  /** Of the merchant's account. */
  readonly currency: Currency
  /** Slug. */
  readonly product: string
  /** The customer's input by field id. */
  readonly fields: FormValues
  readonly to: LookupAddress
}

export type LookupAddress =
  /** `sealedSecret` is sealed for the field `lookup_secret`. Null: the call is not signed. */
  | { readonly kind: 'webhook'; readonly url: string; readonly sealedSecret: string | null }
  | { readonly kind: 'code'; readonly source: string }

/** A response with its row of the run log; null when code ran, which is logged separately, or without a call. */
export interface AskedLookup {
  readonly raw: RawLookup
  readonly run: CodeRunReport | null
}

type LookupRefusal = TransportFailure['code'] | 'lookup_failed'

/** Outcome for a customer. `message` replaces the catalogue's. */
export type LookupOutcome =
  | { readonly kind: 'due'; readonly due: AmountDue }
  | { readonly kind: 'refused'; readonly code: LookupRefusal; readonly message: string | null }

/** Counts of outcomes. */
export interface LookupFigures {
  due: number
  failed: number
  unavailable: number
  timeout: number
}

export interface LookupParts {
  readonly outbound: Pick<OutboundCalls, 'call'>
  readonly code: Pick<RecordedCode, 'run' | 'record'>
  readonly seal: Pick<Seal, 'open'>
  readonly nowMs: () => number
  /** Shorter in tests. */
  readonly rule?: OutboundRule
}

/** Field name that the secret is sealed for. */
const SECRET_FIELD = 'lookup_secret'

export class Lookups {
  readonly figures: LookupFigures = { due: 0, failed: 0, unavailable: 0, timeout: 0 }
  readonly #parts: LookupParts
  readonly #rule: OutboundRule
  readonly #admissions: Readonly<Record<Environment, Admission<AccountNumber>>> = {
    live: new Admission(LOOKUPS_MAX.live),
    test: new Admission(LOOKUPS_MAX.test),
  }

  constructor(parts: LookupParts) {
    this.#parts = parts
    this.#rule = parts.rule ?? OUTBOUND_RULES.lookup
  }

  /** Number of active lookups. */
  get underWay(): number {
    return this.#admissions.live.taken + this.#admissions.test.taken
  }

  /** Returns the amount due from a valid response. Never rejects. */
  async ask(question: LookupQuestion): Promise<LookupOutcome> {
    const { raw, run } = await this.asked(question)
    if (run !== null) this.#parts.code.record(question.account, run)
    const outcome = raw.kind === 'failed' ? refused(raw.code) : outcomeOf(raw.read)
    this.figures[outcome.kind === 'due' ? 'due' : FIGURE_OF[outcome.code]]++
    return outcome
  }

  /** Returns the raw response and its log row. Never rejects. */
  async asked(question: LookupQuestion): Promise<AskedLookup> {
    const { account, environment } = question
    const admission = this.#admissions[environment]
    if (!admission.take(account)) return { raw: failed('lookup_unavailable', TOO_MANY), run: null }
    try {
      return await this.#ask(question)
    } finally {
      admission.giveBack(account)
    }
  }

  async #ask({ merchantId, account, environment, currency, product, fields, to }: LookupQuestion): Promise<AskedLookup> {
    const ts = Math.floor(this.#parts.nowMs() / 1000)
    const body = lookupRequest(product, fields, ts)
    if (to.kind === 'webhook') {
      const outcome = await this.#call(to, ts, body)
      const raw = rawAnswer(outcome, currency)
      return { raw, run: callReport({ product, url: to.url, outcome, raw }) }
    }
    const about = { merchantId, account, product, purpose: environment }
    const run = { entry: 'lookup', source: to.source, argument: body, timeoutMs: LOOKUP_MAX_MS } as const
    return { raw: rawResult(await this.#parts.code.run({ ...about, ...run }), currency), run: null }
  }

  #call({ url, sealedSecret }: Extract<LookupAddress, { kind: 'webhook' }>, ts: number, body: string): Promise<OutboundOutcome> {
    const { outbound, seal } = this.#parts
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
    if (sealedSecret !== null) headers['x-service-signature'] = signatureHeader([seal.open(SECRET_FIELD, sealedSecret)], ts, body)
    return outbound.call({ rule: this.#rule, method: 'POST', url, headers, body, withinMs: LOOKUP_MAX_MS })
  }
}

/** Returns the request as JSON: the body of the call, or the code's argument. Values are text, numbers included. */
export function lookupRequest(product: string, fields: FormValues, ts: number): string {
  const texts = Object.fromEntries(Object.entries(fields).map(([id, value]) => [id, String(value)]))
  return JSON.stringify({ product, fields: texts, request_id: randomUUID(), ts })
}

const FIGURE_OF = {
  lookup_failed: 'failed',
  lookup_timeout: 'timeout',
  lookup_unavailable: 'unavailable',
  unavailable: 'unavailable',
} as const satisfies Record<LookupRefusal, keyof LookupFigures>

function outcomeOf(read: ReadAnswer): LookupOutcome {
  if (read.kind === 'due') return read
  return read.kind === 'failed' ? refused('lookup_failed', read.reason) : refused('lookup_unavailable')
}

function refused(code: LookupRefusal, message: string | null = null): LookupOutcome {
  return { kind: 'refused', code, message }
}

const TOO_MANY = 'Trop de consultations de ce marchand sont déjà en cours : son système répond trop lentement.'

function rawAnswer(outcome: OutboundOutcome, currency: Currency): RawLookup {
  if (outcome.kind === 'failed') return failed(codeOf(outcome.failure), outcome.message)
  const { status, body } = outcome
  if (status < 200 || status > 299) return failed('lookup_unavailable', `Le serveur a répondu avec le statut HTTP ${status}.`)
  return rawJson(body, currency)
}

/** Converts a sandbox result, which is JSON of any depth. */
function rawResult(result: SandboxResult, currency: Currency): RawLookup {
  return result.ok ? rawJson(result.value, currency) : failed(FAULTS[result.fault], result.error)
}

function rawJson(text: string, currency: Currency): RawLookup {
  return isBoundedJson(text) ? { kind: 'json', text, read: readAnswer(text, currency) } : failed('lookup_unavailable', NO_JSON)
}

/** Maps sandbox faults. Faults of the merchant's code count against the merchant. */
const FAULTS: Readonly<Record<SandboxFault, TransportFailure['code']>> = {
  code: 'lookup_unavailable',
  timeout: 'lookup_timeout',
  busy: 'lookup_unavailable',
  unavailable: 'unavailable',
}

function codeOf(failure: OutboundFailure): TransportFailure['code'] {
  if (failure === 'timeout') return 'lookup_timeout'
  return failure === 'stopped' ? 'unavailable' : 'lookup_unavailable'
}

function failed(code: TransportFailure['code'], transportError: string): TransportFailure {
  return { kind: 'failed', code, transportError }
}
