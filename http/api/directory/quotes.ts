// Quotes: a lookup asks the merchant's system for the amount due, then a command records it. Each wallet has a concurrency
// limit.
import { type AmountDue, type EngineApi, type FormValues, readForm } from '../../../engine/api.ts'
import type { CreateQuoteBody } from '../../../engine/contract/bill.ts'
import type { Quotas } from '../../../engine/kernel/quota.ts'
import { AccountQuota } from '../../server/account-quota.ts'
import { later } from '../../server/later.ts'
import type { Call, WalletPrincipal } from '../../server/route.ts'
import { lookupAddress } from '../../workers/lookups/lookup-address.ts'
import { WALLET_LOOKUPS } from '../../workers/lookups/lookup-limits.ts'
import type { LookupOutcome, LookupQuestion, Lookups } from '../../workers/lookups/lookups.ts'

type QuoteCall = Call<CreateQuoteBody, Record<string, unknown>, WalletPrincipal>

interface UnderWay {
  readonly fingerprint: string | undefined
  readonly answer: Promise<LookupOutcome>
}

export interface QuoteParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly lookups: Pick<Lookups, 'ask'>
  readonly quotas: Quotas
}

export class Quotes {
  readonly #parts: QuoteParts
  /** Concurrency limiter per wallet: a user looks up one bill at a time. More lookups would take capacity from other wallets. */
  readonly #asking: AccountQuota
  /** Lookups under way, by key. A retry waits for the same answer; a different request with the key is rejected. */
  readonly #underWay = new Map<string, UnderWay>()

  constructor(parts: QuoteParts) {
    this.#parts = parts
    this.#asking = new AccountQuota(parts.quotas, WALLET_LOOKUPS, parts)
  }

  create(call: QuoteCall): void {
    if (this.#hasResult(call)) return submit(call, {}, null)
    const { environment } = call.principal
    const path = { environment, biller: String(call.params[0]), product: String(call.params[1]) }
    const payable = this.#parts.engine.query('products.payable', path)
    if (typeof payable === 'string') return call.refuse(payable)
    const { product, definition, merchant } = payable
    if (merchant.currency !== this.#parts.engine.query('accounts.currency', { account: call.principal.account }))
      return call.refuse('currency_mismatch')
    const to = lookupAddress(product, definition)
    if (to === null) return call.refuse('lookup_not_configured')
    const form = readForm(definition.schema, call.body.form_values ?? {})
    if ('fault' in form) return call.refuse(form.fault.code, form.fault.param)
    const asked = {
      merchantId: merchant.id,
      account: merchant.accounts[environment],
      environment,
      currency: merchant.currency,
      product: product.slug,
      to,
    }
    this.#ask(call, { ...asked, fields: form.values }, form.values)
  }

  #ask(call: QuoteCall, question: LookupQuestion, values: FormValues): void {
    const first = this.#underWay.get(nameOf(call) ?? '')
    if (first !== undefined && first.fingerprint !== call.idempotency?.fingerprint) return call.refuse('idempotency_key_reused')
    const answer = first?.answer ?? this.#begin(call, question)
    if (answer === null) return this.#asking.refuse(call)
    later(call, async () => {
      const outcome = await answer
      if (outcome.kind === 'due') submit(call, values, outcome.due)
      else call.refuse(outcome.code, undefined, outcome.message === null ? undefined : { message: outcome.message })
    })
  }

  /** Returns null when the wallet is at its concurrency limit. */
  #begin(call: QuoteCall, question: LookupQuestion): Promise<LookupOutcome> | null {
    const { account } = call.principal
    const name = nameOf(call)
    if (!this.#asking.take(account)) return null
    const answer = this.#parts.lookups.ask(question).finally(() => {
      this.#asking.giveBack(account)
      if (name !== null) this.#underWay.delete(name)
    })
    if (name !== null) this.#underWay.set(name, { fingerprint: call.idempotency?.fingerprint, answer })
    return answer
  }

  /** Returns whether the idempotency key has a quote. A replay makes no call. */
  #hasResult({ idempotency }: QuoteCall): boolean {
    if (idempotency === null) return false
    const { scope, key } = idempotency
    return this.#parts.engine.query('results.known', { scope, key, fingerprint: null }) !== null
  }
}

/** Returns the name of a request with a key. A request without one returns null: it shares no answer. */
function nameOf({ idempotency }: QuoteCall): string | null {
  return idempotency === null ? null : `${idempotency.scope} ${idempotency.key}`
}

function submit(call: QuoteCall, formValues: FormValues, due: AmountDue | null): void {
  const { account } = call.principal
  call.submit(
    { type: 'CreateQuote', payer: account, biller: String(call.params[0]), product: String(call.params[1]), formValues, due },
    account,
  )
}
