// Who takes part in the payout rows: how many wallets and merchants, what they are called, and the payout request
// that every server under test gets, byte for byte but for the keys.
import { randomBytes } from 'node:crypto'
import type { LoadPlan, RequestShape } from './plan.ts'

export const WALLETS = 100_000
export const MERCHANTS = 100
/** Far more than a run can pay out, far less than an account may hold. */
export const MERCHANT_FUNDS = 1_000_000_000_000
const TAG_DIGITS = 7
const FIRST_WARMUP_SECONDS = 4

export interface MerchantKeys {
  readonly publicKey: string
  readonly secretKey: string
}

export function walletTag(index: number): string {
  return `w${String(index).padStart(TAG_DIGITS, '0')}`
}

/** Keys of the form and length that the API gives out. */
export function inventMerchantKeys(count: number): MerchantKeys[] {
  return Array.from({ length: count }, () => ({
    publicKey: `pk_live_${randomBytes(18).toString('base64url')}`,
    secretKey: `sk_live_${randomBytes(32).toString('base64url')}`,
  }))
}

/** What every payout of a run has in common. */
export const PAYOUT = { amount: 100, reference: 'salaire-2026-11' } as const

/** What a paid payout's answer must say. */
export const PAID = { status: 201, bodyText: '"state":"paid"' } as const

/** One shape a merchant; idempotency keys are new in every run, recipients are drawn from all wallets. */
export function payoutShapes(merchants: readonly MerchantKeys[], wallets: number): RequestShape[] {
  const run = randomBytes(6).toString('hex')
  return merchants.map(({ publicKey, secretKey }) => ({
    method: 'POST',
    path: '/v1/biz/payouts',
    headers: {
      'X-Api-Key': publicKey,
      'X-Api-Secret': secretKey,
      'Idempotency-Key': `${run}-{{sequence:11}}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ recipient: `@w{{random:${TAG_DIGITS}:${wallets}}}`, ...PAYOUT }),
  }))
}

export type PayoutLoad = Pick<LoadPlan, 'port' | 'connections' | 'seconds' | 'ratePerSecond' | 'seed'> & {
  /** Of a server that has not been under load yet: its code is still to be compiled. */
  readonly isFirst: boolean
  readonly merchants: readonly MerchantKeys[]
  readonly wallets: number
}

export function payoutPlan(load: PayoutLoad): LoadPlan {
  const { merchants, wallets, isFirst, ...rest } = load
  const warmupSeconds = isFirst ? FIRST_WARMUP_SECONDS : Math.max(1, Math.min(2, load.seconds / 2))
  return { ...rest, shapes: payoutShapes(merchants, wallets), expect: PAID, warmupSeconds }
}
