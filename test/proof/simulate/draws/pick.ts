// What most requests are drawn from: merchants, wallets, amounts and texts.
import type { Caller } from '../../../../engine/contract/created-by.ts'
import { type Drawing, recent } from '../entry.ts'
import type { Environment, ModelMerchant, ModelWallet } from '../models/accounts.ts'
import type { Models } from '../models.ts'

const TEXTS = ['', '', 'salaire', 'prime "août"', 'ligne\nnouvelle', '\ud800', 'Ünï💶'] as const

/** Near the maximum of a wallet, so that a few of them fill it. */
const LARGE = 400_000_000_000_000

export function text({ prng }: Drawing): string {
  return prng.pick(TEXTS)
}

/** Mostly small; now and then near what an account may hold at most. */
export function amount({ prng }: Drawing): number {
  return prng.chance(0.02) ? LARGE + prng.below(1000) : 1 + prng.below(prng.pick([10, 1000, 100_000]))
}

export function environment({ prng }: Drawing): Environment {
  return prng.chance(0.35) ? 'live' : 'test'
}

export function merchant({ accounts }: Models, { prng }: Drawing): ModelMerchant | undefined {
  return prng.chance(0.15) ? accounts.merchants[0] : recent(prng, accounts.merchants)
}

/** The account of a merchant in an environment. */
export function merchantAccount(models: Models, drawing: Drawing): number | undefined {
  return merchant(models, drawing)?.[environment(drawing)]
}

export function wallet({ accounts }: Models, { prng }: Drawing, of?: Environment): ModelWallet | undefined {
  const first = recent(prng, accounts.wallets)
  if (of === undefined || first === undefined || first.environment === of) return first
  return recent(
    prng,
    accounts.wallets.slice(-40).filter((one) => one.environment === of),
  )
}

/** The tag of a wallet, or one that a sign-up reserves or has reserved. */
export function takenTag(models: Models, drawing: Drawing, of?: Environment): string | undefined {
  const { prng } = drawing
  const signup = prng.chance(0.5) ? recent(prng, models.signIn.tagged) : undefined
  return signup?.tag ?? wallet(models, drawing, of)?.tag
}

/** Mostly a wallet that has money. */
export function payer(models: Models, drawing: Drawing, of?: Environment): ModelWallet | undefined {
  const { accounts } = models
  const { prng } = drawing
  for (let tries = prng.chance(0.85) ? 6 : 0; tries > 0; tries--) {
    const found = recent(prng, accounts.funded)
    if (found !== undefined && (of === undefined || found.environment === of) && accounts.available(found.account) > 0) return found
  }
  return wallet(models, drawing, of)
}

/** An amount that the account can pay, mostly. */
export function affordable({ accounts }: Models, drawing: Drawing, account: number | undefined): number {
  const available = account === undefined ? 0 : accounts.available(account)
  const sum = amount(drawing)
  return available > 0 && drawing.prng.chance(0.8) ? Math.min(sum, available) : sum
}

/** A name or a phone, mostly of a wallet of the environment. */
export function recipient(models: Models, drawing: Drawing, of: Environment): string {
  const { prng } = drawing
  const found = prng.chance(0.92) ? (prng.chance(0.2) ? payer : wallet)(models, drawing, of) : undefined
  if (found === undefined) return prng.pick(['ghost', '+2250099999999', '+2250799999999'])
  return prng.chance(0.2) ? found.phone : found.tag
}

export function minutes({ prng, nowMs }: Drawing, most: number): number {
  return nowMs + 60_000 * (1 + prng.below(most))
}

/** A key of any merchant, also one that was revoked meanwhile: the engine counts what it is given. Null: a member. */
export function apiKey({ apiKeys }: Models, { prng }: Drawing): string | null {
  return prng.chance(0.5) ? null : (recent(prng, [...apiKeys.keys.values()])?.id ?? null)
}

/** A member or a key of the merchant, mostly. */
export function caller({ accounts, apiKeys, members }: Models, { prng }: Drawing, merchant: number): Caller {
  const { id } = accounts.merchantAt(merchant)
  const isOwn = prng.chance(0.95)
  const all = [
    ...Array.from(apiKeys.keys.values(), (key) => ({ kind: 'key', ...key }) as const),
    ...Array.from(members.users.values(), (user) => ({ kind: 'member', ...user }) as const),
  ].filter(({ merchantId }) => !isOwn || merchantId === id)
  const found = all.length === 0 ? ({ kind: 'key', id: 'ghost' } as const) : prng.pick(all)
  return { kind: found.kind, id: found.id, name: 'Paie' }
}
