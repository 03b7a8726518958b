// Demo data in production. A development server makes a merchant whose login and test keys its start prints. A production server over
// the same data folder accepts neither, nor its open sessions.
import type { EngineApi } from '../../engine/api.ts'

/** Scope of the idempotency keys that made the demo data, and the key of its merchant. */
export const DEMO_SCOPE = 'demo'
export const DEMO_MERCHANT_KEY = 'merchant'

/** The demo is made in an empty log: a longer log without it never has one. */
const DEMO_WITHIN_SEQUENCE = 1_000

export interface DemoLockParts {
  readonly isProduction: boolean
  /** Exists once the log is recovered. */
  readonly engine: () => Pick<EngineApi, 'query'>
}

export class DemoLock {
  readonly #parts: DemoLockParts
  #merchantId: string | null
  #isKnown: boolean

  constructor(parts: DemoLockParts) {
    this.#parts = parts
    this.#merchantId = null
    this.#isKnown = !parts.isProduction
  }

  /** Id of the demo's merchant in production; null where there is none, and in development. */
  get merchantId(): string | null {
    if (!this.#isKnown) this.#find()
    return this.#merchantId
  }

  isLocked(merchantId: string): boolean {
    return this.merchantId === merchantId
  }

  #find(): void {
    const engine = this.#parts.engine()
    const made = engine.query('results.known', { scope: DEMO_SCOPE, key: DEMO_MERCHANT_KEY, fingerprint: null })
    if (made !== null) {
      const { user_id } = JSON.parse(made.body) as { readonly user_id: string }
      this.#merchantId = engine.query('dashboardUsers.byId', { id: user_id })?.merchant_id ?? null
    }
    this.#isKnown = made !== null || engine.query('engine.figures', null).lastSequence > DEMO_WITHIN_SEQUENCE
  }
}

/** Locks no merchant. */
export const NO_DEMO: Pick<DemoLock, 'isLocked'> = { isLocked: () => false }
