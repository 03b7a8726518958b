// Quotes: the merchant's system is asked what is due, then the engine writes it down. A wallet has few questions under way.
import type { CreateQuoteBody } from '../../../engine/contract/bill.ts'
import type { AmountDue, FormValues } from '../../../engine/domain/bill/bill-state.ts'
import { readForm } from '../../../engine/domain/bill/form-values.ts'
import { findPayable } from '../../../engine/domain/bill/payable.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'
import type { House } from '../../app/house.ts'
import { later } from '../../server/later.ts'
import type { Call, WalletPrincipal } from '../../server/route.ts'
import { Admission } from '../../workers/lookups/admission.ts'
import { lookupAddress } from '../../workers/lookups/lookup-address.ts'
import { LOOKUPS_PER_WALLET_MAX, LOOKUPS_WAITED_FOR_MAX } from '../../workers/lookups/lookup-limits.ts'
import type { LookupOutcome, LookupQuestion } from '../../workers/lookups/lookups.ts'

type QuoteCall = Call<CreateQuoteBody, Record<string, unknown>, WalletPrincipal>

interface UnderWay {
  readonly fingerprint: string | undefined
  readonly answer: Promise<LookupOutcome>
}

export class Quotes {
  readonly #house: House
  /** A person looks up one bill at a time: whoever asks for many would only take the places of others. */
  readonly #asking = new Admission<AccountNumber>(LOOKUPS_WAITED_FOR_MAX, LOOKUPS_PER_WALLET_MAX)

  /** By key: the same request again waits for the answer to the first and asks nobody, another one has no right to the key. */
  readonly #underWay = new Map<string, UnderWay>()

  constructor(house: House) {
    this.#house = house
  }

  create(call: QuoteCall): void {
    if (this.#hasResult(call)) return submit(call, {}, null)
    const { engine } = this.#house
    const { environment } = call.principal
    const payable = findPayable(engine.state, engine.history, {
      environment,
      biller: String(call.params[0]),
      product: String(call.params[1]),
    })
    if (typeof payable === 'string') return call.refuse(payable)
    const { product, definition, merchant } = payable
    const to = lookupAddress(product, definition)
    if (to === null) return call.refuse('lookup_not_configured')
    const form = readForm(definition.schema, call.body.form_values ?? {})
    if ('fault' in form) return call.refuse(form.fault.code, form.fault.param)
    const asked = { merchantId: merchant.id, account: merchant.accounts[environment], environment, product: product.slug, to }
    this.#ask(call, { ...asked, fields: form.values }, form.values)
  }

  #ask(call: QuoteCall, question: LookupQuestion, values: FormValues): void {
    const first = this.#underWay.get(nameOf(call) ?? '')
    if (first !== undefined && first.fingerprint !== call.idempotency?.fingerprint) return call.refuse('idempotency_key_reused')
    const answer = first?.answer ?? this.#begin(call, question)
    if (answer === null) return call.refuse('rate_limited')
    later(call, async () => {
      const outcome = await answer
      if (outcome.kind === 'due') submit(call, values, outcome.due)
      else call.refuse(outcome.code, undefined, outcome.message === null ? undefined : { message: outcome.message })
    })
  }

  /** Null when the wallet has its questions under way. */
  #begin(call: QuoteCall, question: LookupQuestion): Promise<LookupOutcome> | null {
    const { account } = call.principal
    const name = nameOf(call)
    if (!this.#asking.take(account)) return null
    const answer = this.#house.outside.lookups.ask(question).finally(() => {
      this.#asking.giveBack(account)
      if (name !== null) this.#underWay.delete(name)
    })
    if (name !== null) this.#underWay.set(name, { fingerprint: call.idempotency?.fingerprint, answer })
    return answer
  }

  /** The key has its quote: nobody is asked again. */
  #hasResult({ idempotency }: QuoteCall): boolean {
    return idempotency !== null && this.#house.engine.history.result(idempotency.scope, idempotency.key) !== null
  }
}

/** Null without a key: such a request is one of its own. */
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
