// Secrets that webhooks are signed with: made here, sealed at rest, opened to sign and for nothing else.
import { createHmac, randomBytes } from 'node:crypto'
import type { State } from '../../../engine/domain/state.ts'
import type { WebhookEndpoint } from '../../../engine/domain/webhook/webhook-state.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'
import type { Seal } from '../../crypto/seal.ts'

const SECRET_BYTES = 32
/** The field that it is sealed for: the one of the answers that show it. */
const FIELD = 'secret'

export class WebhookSecrets {
  readonly #state: State
  readonly #seal: Pick<Seal, 'seal' | 'open'>
  readonly #defaultKey: Uint8Array

  /** `defaultKey` is derived from the master key for this use alone. */
  constructor(state: State, seal: Pick<Seal, 'seal' | 'open'>, defaultKey: Uint8Array) {
    this.#state = state
    this.#seal = seal
    this.#defaultKey = defaultKey
  }

  /** A new secret, sealed. */
  newSealed(): string {
    return this.#seal.seal(FIELD, `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`)
  }

  /** What signs where a merchant has no endpoint: always the same for its account, and kept nowhere. */
  defaultOf(account: AccountNumber): string {
    const merchant = this.#state.merchants.byAccount(account)
    assert(merchant !== undefined, 'webhooks belong to merchants')
    const environment = this.#state.accounts.environment(account)
    return `whsec_${createHmac('sha256', this.#defaultKey).update(`${merchant.id}\n${environment}`).digest('base64url')}`
  }

  /** The endpoint's, the one before it while it rotates. Null, for a charge's own address: those of the first endpoint, or the default. */
  signing(account: AccountNumber, endpoint: WebhookEndpoint | null, nowMs: TimeMs): readonly string[] {
    const signer = endpoint ?? this.#state.webhooks.endpointsOf(account)[0]
    if (signer === undefined) return [this.defaultOf(account)]
    const { sealed_secret, previous_secret } = signer
    const secret = this.#seal.open(FIELD, sealed_secret)
    return previous_secret === null || previous_secret.untilMs <= nowMs
      ? [secret]
      : [secret, this.#seal.open(FIELD, previous_secret.sealed)]
  }
}
