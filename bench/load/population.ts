// Wallets and merchants of the payout rows, their names, and the payout request. Every server under test gets the same bytes except for
// the keys.
import { randomBytes } from 'node:crypto'
import type { LoadPlan, OpenLoop, RequestShape } from './plan.ts'

export const WALLETS = 100_000
export const MERCHANTS = 100
/** Funds of a merchant: far more than a run can pay out, far less than the maximum balance. */
export const MERCHANT_FUNDS = 1_000_000_000_000
const TAG_DIGITS = 7
const FIRST_WARMUP_SECONDS = 4
/** Windows up to this length have a short warm-up. */
const SHORT_WINDOW_SECONDS = 1
const SHORT_FIRST_WARMUP_SECONDS = 1
const SHORT_WARMUP_SECONDS = 0.3

export interface MerchantKeys {
  readonly publicKey: string
  readonly secretKey: string
}

export function walletTag(index: number): string {
  return `w${String(index).padStart(TAG_DIGITS, '0')}`
}

/** Returns keys in the format of the API. */
export function inventMerchantKeys(count: number): MerchantKeys[] {
  return Array.from({ length: count }, () => ({
    publicKey: `pk_live_${randomBytes(18).toString('base64url')}`,
    secretKey: `sk_live_${randomBytes(32).toString('base64url')}`,
  }))
}

/** Fields that are equal in all payouts of a run. */
export const PAYOUT = { amount: 100, reference: 'salaire-2026-11' } as const

/** Expected response of a paid payout. */
export const PAID = { status: 201, bodyText: '"state":"paid"' } as const

/** Returns one template per merchant. Idempotency keys are new in every run; recipients are random. */
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

/** Groups of the workload in which one merchant has half of the connections. */
export const HOT_GROUP = 'hot'
export const OTHER_GROUP = 'others'

/** Returns templates of which every second is the first merchant's. */
function hotMerchantShapes(merchants: readonly MerchantKeys[], wallets: number): RequestShape[] {
  const [hot, ...others] = payoutShapes(merchants, wallets)
  if (hot === undefined) throw new Error('a hot merchant is one of several')
  return others.flatMap((shape) => [
    { ...hot, group: HOT_GROUP },
    { ...shape, group: OTHER_GROUP },
  ])
}

/** Lines of a payout batch of the bench: the maximum. */
export const BATCH_LINES = 500

/** Returns one template per merchant for batches. Every line pays a random wallet. */
function batchShapes(merchants: readonly MerchantKeys[], wallets: number, lines: number): RequestShape[] {
  const line = `{"recipient":"@w{{random:${TAG_DIGITS}:${wallets}}}","amount":${PAYOUT.amount}}`
  const body = `{"items":[${Array.from({ length: lines }, () => line).join(',')}],"reference":"${PAYOUT.reference}"}`
  return payoutShapes(merchants, wallets).map((shape) => ({ ...shape, path: '/v1/biz/payouts/batch', body }))
}

/** At most 10 000 wake-ups a second, which cost 20 to 60 µs each with both threads of the generator. */
const OPEN_LOOP: OpenLoop = { pacing: 'sleep', wakeUpUs: 100, whenBusy: 'wait' }

export type PayoutLoad = Pick<LoadPlan, 'port' | 'connections' | 'seconds' | 'ratePerSecond' | 'seed'> & {
  /** Default: this machine. */
  readonly host?: string
  /** Default: a generator that sleeps, and requests that wait. */
  readonly openLoop?: Partial<OpenLoop>
  /** Whether the server has not been under load yet: V8 must still compile its code. */
  readonly isFirst: boolean
  readonly merchants: readonly MerchantKeys[]
  readonly wallets: number
}

export function payoutPlan(load: PayoutLoad): LoadPlan {
  return planOf(load, { shapes: payoutShapes(load.merchants, load.wallets), expect: PAID })
}

/** As `payoutPlan`, but every second connection is the first merchant's. */
export function hotMerchantPlan(load: PayoutLoad): LoadPlan {
  return planOf(load, { shapes: hotMerchantShapes(load.merchants, load.wallets), expect: PAID })
}

/** Every line of a batch has to be paid. */
export function batchPlan(load: PayoutLoad, lines: number): LoadPlan {
  const expect = { status: 201, bodyText: `"paid_count":${lines},` }
  return planOf(load, { shapes: batchShapes(load.merchants, load.wallets, lines), expect })
}

/** Returns a plan that sends requests of any kind. */
export function planOf(load: Omit<PayoutLoad, 'merchants' | 'wallets'>, requests: Pick<LoadPlan, 'shapes' | 'expect'>): LoadPlan {
  const { host = '127.0.0.1', port, connections, seconds, ratePerSecond, seed, isFirst } = load
  const warmupSeconds = warmupOf(seconds, isFirst)
  const openLoop = { ...OPEN_LOOP, ...load.openLoop }
  return { host, port, connections, seconds, ratePerSecond, openLoop, seed, warmupSeconds, ...requests }
}

function warmupOf(seconds: number, isFirst: boolean): number {
  if (seconds <= SHORT_WINDOW_SECONDS) return isFirst ? SHORT_FIRST_WARMUP_SECONDS : SHORT_WARMUP_SECONDS
  return isFirst ? FIRST_WARMUP_SECONDS : Math.max(1, Math.min(2, seconds / 2))
}
