// A deposit or withdrawal between its form and its confirmation: typed text, parsed values and idempotency key. The address
// of the confirmation carries it, encrypted. After a crash or a second click that page shows the result.
import { hash } from 'node:crypto'
import type { AccountNumber, EngineApi } from '../../../engine/api.ts'
import { AMOUNT_MAX } from '../../../engine/kernel/amount.ts'
import { type Currency, decimalsOf } from '../../../engine/kernel/currency.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { isPhoneWithoutPlus, normalizeTag } from '../../../engine/kernel/tag.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { Seal } from '../../crypto/seal.ts'
import type { Text } from '../../text/text.ts'
import { amountWanted, typedAmount } from '../shared/amount-text.ts'
import { texts } from '../shared/texts.ts'

const TEXTS = texts({
  fr: {
    chooseDepositOrWithdrawal: 'Choisissez un dépôt ou un retrait.',
    chooseEnvironment: 'Choisissez un environnement.',
    typeTagOrIdentifierMerchant: 'Saisissez un @tag, ou l’identifiant d’un marchand.',
    typeWholeAmountInFrancs: 'Saisissez un montant entier, en francs.',
    referenceTooLong: 'La référence est trop longue.',
  },
  en: {
    chooseDepositOrWithdrawal: 'Choose a deposit or a withdrawal.',
    chooseEnvironment: 'Choose an environment.',
    typeTagOrIdentifierMerchant: 'Type a @tag, or the identifier of a merchant.',
    typeWholeAmountInFrancs: 'Type a whole amount in francs.',
    referenceTooLong: 'The reference is too long.',
  },
})

/** Fields of the form, as typed. */
export interface TypedFunding {
  readonly kind: string
  readonly account: string
  readonly environment: string
  readonly amount: string
  readonly reference: string
  /** Key that was created with the form. */
  readonly key: string
}

export interface FundingDraft {
  readonly kind: 'deposit' | 'withdrawal'
  readonly target: { readonly merchant_id: string } | { readonly tag: string }
  readonly environment: Environment
  readonly amount: number
  readonly reference: string
  readonly idempotencyKey: string
  readonly madeMs: TimeMs
}

export type FundingField = 'account' | 'amount' | 'reference' | 'environment' | 'kind'

export type FundingFaults = Partial<Record<FundingField, Text>>

const REFERENCE_LENGTH_MAX = 255
const FORM_KEY = /^form-[0-9a-f-]{36}$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the movement, or the validation error of a field. `otherwise`: currency of the amount while the account is unknown. */
export function readFunding(engine: Pick<EngineApi, 'query'>, typed: TypedFunding, otherwise: Currency): FundingDraft | FundingFaults {
  const nowMs = engine.query('engine.time', null)
  const faults: FundingFaults = {}
  const { kind, environment } = typed
  if (kind !== 'deposit' && kind !== 'withdrawal') faults.kind = TEXTS.chooseDepositOrWithdrawal
  if (environment !== 'live' && environment !== 'test') faults.environment = TEXTS.chooseEnvironment
  const target = targetOf(typed.account.trim())
  if (target === null) faults.account = TEXTS.typeTagOrIdentifierMerchant
  const currency = currencyOf(engine, typed) ?? otherwise
  const amount = readAmount(typed.amount, currency)
  if (amount === null) faults.amount = decimalsOf(currency) === 0 ? TEXTS.typeWholeAmountInFrancs : amountWanted(currency)
  const reference = typed.reference.trim()
  if (reference.length > REFERENCE_LENGTH_MAX) faults.reference = TEXTS.referenceTooLong
  if (Object.keys(faults).length > 0 || target === null || amount === null) return faults
  const draft = {
    kind: kind as FundingDraft['kind'],
    target,
    environment: environment as Environment,
    amount,
    reference,
    madeMs: nowMs,
  }
  return { ...draft, idempotencyKey: keyOf(typed.key, draft) }
}

function targetOf(account: string): FundingDraft['target'] | null {
  if (UUID.test(account)) return { merchant_id: account.toLowerCase() }
  const tag = isPhoneWithoutPlus(account) ? null : normalizeTag(account)
  return tag === null ? null : { tag }
}

/** Returns the currency of the typed account. Null while it is not one. */
export function currencyOf(
  engine: Pick<EngineApi, 'query'>,
  { account, environment }: Pick<TypedFunding, 'account' | 'environment'>,
): Currency | null {
  const target = targetOf(account.trim())
  if (target === null) return null
  return fundedAccount(engine, { target, environment: environment === 'test' ? 'test' : 'live' })?.currency ?? null
}

export function isDraft(read: FundingDraft | FundingFaults): read is FundingDraft {
  return 'idempotencyKey' in read
}

export function isFormKey(key: string): boolean {
  return FORM_KEY.test(key)
}

/** Parses `250 000`, `250.000` and `250000`, `12,50` of a currency with decimals. Returns null for anything else. */
export function readAmount(typed: string, currency: Currency): number | null {
  const amount = typedAmount(typed, currency)
  return amount !== null && amount >= 1 && amount <= AMOUNT_MAX ? amount : null
}

/** Returns the idempotency key. The same form with equal values is the same movement, with other values a new one. */
function keyOf(formKey: string, { kind, target, environment, amount, reference }: Omit<FundingDraft, 'idempotencyKey'>): string {
  const words = JSON.stringify([kind, target, environment, amount, reference])
  return `${formKey}-${hash('sha256', words, 'hex').slice(0, 16)}`
}

const FIELD = 'operator-funding'
const SEALED = /^sealed:v1:[A-Za-z0-9_-]{38,2500}$/

export function sealDraft(seal: Pick<Seal, 'seal'>, draft: FundingDraft): string {
  return seal.seal(FIELD, JSON.stringify(draft))
}

/** Decrypts a draft. Returns null for anything that `sealDraft` did not create. */
export function openDraft(seal: Pick<Seal, 'open'>, sealed: string): FundingDraft | null {
  if (!SEALED.test(sealed)) return null
  try {
    return JSON.parse(seal.open(FIELD, sealed)) as FundingDraft
  } catch {
    return null
  }
}

/** The account that a movement changes. */
export interface FundedAccount {
  readonly account: AccountNumber
  readonly name: string
  /** `@awa` or the id of a merchant. */
  readonly handle: string
  readonly currency: Currency
}

/** Returns null when the draft's environment has no such account. */
export function fundedAccount(
  engine: Pick<EngineApi, 'query'>,
  { target, environment }: Pick<FundingDraft, 'target' | 'environment'>,
): FundedAccount | null {
  if ('tag' in target) {
    const wallet = engine.query('wallets.byTag', { environment, tag: target.tag })
    if (wallet === null) return null
    const { account, given_name, family_name } = wallet
    const currency = engine.query('accounts.currency', { account })
    return { account, name: `${given_name} ${family_name}`, handle: `@${wallet.tag}`, currency }
  }
  const merchant = engine.query('merchants.byId', { id: target.merchant_id })
  if (merchant === null) return null
  const { id, name, accounts, currency } = merchant
  return { account: accounts[environment], name, handle: id, currency }
}
