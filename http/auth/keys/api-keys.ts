// Makes and checks API key pairs. Only the SHA-256 of a secret is kept. Secrets are 256 random bits, so a fast hash is
// enough.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ApiKeyRow, EngineApi } from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import type { MerchantPrincipal } from '../../server/route.ts'

const PUBLIC_BYTES = 18
const SECRET_BYTES = 32
/** Keys of this server are shorter; a longer text is refused before it is hashed. */
const KEY_LENGTH_MAX = 128
/** What the secret of an unknown key is compared with, so that both cases take the same steps. */
const NO_HASH = Buffer.alloc(32)

export interface NewApiKey {
  readonly publicKey: string
  readonly secretKey: string
  /** SHA-256 of the secret, hex: the engine keeps this and never sees the secret. */
  readonly secretHash: string
}

export function newApiKey(environment: Environment): NewApiKey {
  const publicKey = `pk_${environment}_${randomBytes(PUBLIC_BYTES).toString('base64url')}`
  const secretKey = `sk_${environment}_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { publicKey, secretKey, secretHash: hash('sha256', secretKey, 'hex') }
}

interface KnownKey {
  readonly secretHash: Buffer
  principal: MerchantPrincipal
  /** Since its use was noted last. */
  wasUsed: boolean
}

export class ApiKeys {
  readonly #engine: Pick<EngineApi, 'query'>
  /** Rows are immutable, so what is derived from one stays right for as long as the row is there. */
  readonly #known = new WeakMap<ApiKeyRow, KnownKey>()
  /** Each once; no longer than there are keys. */
  #used: string[] = []

  constructor(engine: Pick<EngineApi, 'query'>) {
    this.#engine = engine
  }

  /**
   * Null for a missing, unknown or wrong pair alike. The public key is no secret and is looked up as it is; the
   * secret is hashed and compared in constant time, for unknown keys too.
   */
  check(publicKey: string, secret: string): MerchantPrincipal | null {
    if (publicKey === '' || secret === '' || publicKey.length > KEY_LENGTH_MAX || secret.length > KEY_LENGTH_MAX) return null
    const row = this.#engine.query('apiKeys.byPublicKey', { publicKey })
    const known = row === null ? undefined : this.#knownKey(row)
    const matches = timingSafeEqual(hash('sha256', secret, 'buffer'), known?.secretHash ?? NO_HASH)
    if (!matches || known === undefined) return null
    // Hot path of every payout: a flag, without reading a clock.
    if (!known.wasUsed) this.#used.push(publicKey)
    known.wasUsed = true
    return known.principal
  }

  /** Keys that were used since the last call. */
  takeUsed(): readonly string[] {
    const used = this.#used
    this.#used = []
    for (const publicKey of used) {
      const row = this.#engine.query('apiKeys.byPublicKey', { publicKey })
      const known = row === null ? undefined : this.#known.get(row)
      if (known !== undefined) known.wasUsed = false
    }
    return used
  }

  #knownKey(row: ApiKeyRow): KnownKey {
    const merchant = this.#engine.query('merchants.byId', { id: row.merchant_id })
    assert(merchant !== null, 'an API key belongs to a merchant')
    let known = this.#known.get(row)
    if (known?.principal.merchant === merchant) return known
    const { environment, scopes } = row
    const principal: MerchantPrincipal = { kind: 'merchant', merchant, environment, account: merchant.accounts[environment], scopes }
    known = { secretHash: Buffer.from(row.secret_hash, 'hex'), principal, wasUsed: known?.wasUsed ?? false }
    this.#known.set(row, known)
    return known
  }
}
