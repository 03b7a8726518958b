// Signing secrets of webhooks: generated here, sealed at rest, opened only to sign.
import { createHmac, randomBytes } from 'node:crypto'
import type { AccountNumber, EngineApi, WebhookEndpointRow } from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { Seal } from '../../crypto/seal.ts'

const SECRET_BYTES = 32
/** Field name that secrets are sealed for: the field of the responses that show it. */
const FIELD = 'secret'

export class WebhookSecrets {
  readonly #engine: Pick<EngineApi, 'query'>
  readonly #seal: Pick<Seal, 'seal' | 'open'>
  readonly #defaultKey: Uint8Array

  /** `defaultKey` is derived from the master key for this use. */
  constructor(engine: Pick<EngineApi, 'query'>, seal: Pick<Seal, 'seal' | 'open'>, defaultKey: Uint8Array) {
    this.#engine = engine
    this.#seal = seal
    this.#defaultKey = defaultKey
  }

  /** Returns a new sealed secret. */
  newSealed(): string {
    return this.#seal.seal(FIELD, `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`)
  }

  /** Returns the secret of a merchant without endpoints. It is derived from the account and not stored. */
  defaultOf(account: AccountNumber): string {
    const merchant = this.#engine.query('merchants.byAccount', { account })
    assert(merchant !== null, 'webhooks belong to merchants')
    const environment = this.#engine.query('accounts.environment', { account })
    return `whsec_${createHmac('sha256', this.#defaultKey).update(`${merchant.id}\n${environment}`).digest('base64url')}`
  }

  /**
   * Returns the endpoint's secrets, with the previous one during rotation. For a charge's own address (null): those
   * of the first endpoint, or the default.
   */
  signing(account: AccountNumber, endpoint: WebhookEndpointRow | null, nowMs: TimeMs): readonly string[] {
    const signer = endpoint ?? this.#engine.query('endpoints.first', { account })
    if (signer === null) return [this.defaultOf(account)]
    const { sealed_secret, previous_secret } = signer
    const secret = this.#seal.open(FIELD, sealed_secret)
    return previous_secret === null || previous_secret.untilMs <= nowMs
      ? [secret]
      : [secret, this.#seal.open(FIELD, previous_secret.sealed)]
  }
}
