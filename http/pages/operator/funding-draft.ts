// A deposit or withdrawal between its form and its confirmation: typed text, parsed values and idempotency key. The address
// of the confirmation carries it, encrypted. After a crash or a second click that page shows the result.
import { hash } from 'node:crypto'
import type { AccountNumber, EngineApi } from '../../../engine/api.ts'
import { AMOUNT_MAX } from '../../../engine/kernel/amount.ts'
import { type Currency, decimalsOf } from '../../../engine/kernel/currency.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
import { isPhoneWithoutPlus, normalizeTag } from '../../../engine/kernel/tag.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { Seal } from '../../crypto/seal.ts'
import type { Text } from '../../text/text.ts'
import { amountWanted, typedAmount } from '../shared/amount-text.ts'
import { texts } from '../shared/texts.ts'

const TEXTS = texts({
  fr: {
    chooseDepositOrWithdrawal: 'Choisissez un dépôt ou un retrait.',
    typeWholeAmountInFrancs: 'Saisissez un montant entier, en francs.',
    referenceTooLong: 'La référence est trop longue.',
  },
  en: {
    chooseDepositOrWithdrawal: 'Choose a deposit or a withdrawal.',
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

export type FundingField = 'amount' | 'reference' | 'kind'

export type FundingFaults = Partial<Record<FundingField, Text>>

const REFERENCE_LENGTH_MAX = 255
const FORM_KEY = /^form-[0-9a-f-]{36}$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the movement of an account, or the validation errors of fields. */
export function readFunding(engine: Pick<EngineApi, 'query'>, typed: TypedFunding, funded: FundedAccount): FundingDraft | FundingFaults {
  const faults: FundingFaults = {}
  const { kind } = typed
  if (kind !== 'deposit' && kind !== 'withdrawal') faults.kind = TEXTS.chooseDepositOrWithdrawal
  const { target, environment, currency } = funded
  const amount = readAmount(typed.amount, currency)
  if (amount === null) faults.amount = decimalsOf(currency) === 0 ? TEXTS.typeWholeAmountInFrancs : amountWanted(currency)
  const reference = typed.reference.trim()
  if (reference.length > REFERENCE_LENGTH_MAX) faults.reference = TEXTS.referenceTooLong
  if (Object.keys(faults).length > 0 || amount === null) return faults
  const draft = { kind: kind as FundingDraft['kind'], target, environment, amount, reference, madeMs: engine.query('engine.time', null) }
  return { ...draft, idempotencyKey: keyOf(typed.key, draft) }
}

function targetOf(account: string): FundingDraft['target'] | null {
  if (UUID.test(account)) return { merchant_id: account.toLowerCase() }
  const tag = isPhoneWithoutPlus(account) ? null : normalizeTag(account)
  return tag === null ? null : { tag }
}

/** Returns the account that a form or a link names; null where the environment has no such account. */
export function namedAccount(
  engine: Pick<EngineApi, 'query'>,
  { account, environment }: Pick<TypedFunding, 'account' | 'environment'>,
): FundedAccount | null {
  const target = targetOf(account.trim())
  return target === null || !isEnvironment(environment) ? null : fundedAccount(engine, { target, environment })
}

function isEnvironment(typed: string): typed is Environment {
  return ENVIRONMENTS.some((environment) => environment === typed)
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
export interface FundedAccount extends Pick<FundingDraft, 'target' | 'environment'> {
  readonly name: string
  /** `@awa`, or the e-mail address of a merchant. */
  readonly handle: string
  /** Address of its page, after `/operator/`. */
  readonly page: string
  readonly currency: Currency
  readonly balance: number
}

/** Returns null when the draft's environment has no such account. */
export function fundedAccount(
  engine: Pick<EngineApi, 'query'>,
  { target, environment }: Pick<FundingDraft, 'target' | 'environment'>,
): FundedAccount | null {
  const of = (account: AccountNumber) => ({ target, environment, balance: engine.query('accounts.balance', { account }).available })
  if ('tag' in target) {
    const wallet = engine.query('wallets.byTag', { environment, tag: target.tag })
    if (wallet === null) return null
    const { account, tag, given_name, family_name } = wallet
    const currency = engine.query('accounts.currency', { account })
    const page = `wallets/${tag}?environment=${environment}`
    return { ...of(account), name: `${given_name} ${family_name}`, handle: `@${tag}`, page, currency }
  }
  const merchant = engine.query('merchants.byId', { id: target.merchant_id })
  if (merchant === null) return null
  const { id, name, email, accounts, currency } = merchant
  return { ...of(accounts[environment]), name, handle: email, page: `merchants/${id}?environment=${environment}`, currency }
}
