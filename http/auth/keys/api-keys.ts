// Makes and checks API key pairs. Only the SHA-256 of a secret is stored. A fast hash is enough for 256 random bits.
import { hash, randomBytes } from 'node:crypto'
import type { ApiKeyRow, EngineApi } from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { KEY_LENGTH_MAX, secretHashOf } from '../../server/body/prepared-body.ts'
import type { MerchantPrincipal } from '../../server/route.ts'
import { KNOWN_KEYS_MAX } from '../../server/server-limits.ts'
import { type DemoLock, NO_DEMO } from '../demo-lock.ts'

const PUBLIC_BYTES = 18
const SECRET_BYTES = 32
/** Stands in for an unknown key's hash, so that both cases take the same steps. It is the hash of no known secret. */
const NO_HASH = Buffer.alloc(32).toString('base64url')

export interface NewApiKey {
  readonly publicKey: string
  readonly secretKey: string
  /** SHA-256 of the secret, hex. The engine never sees the secret. */
  readonly secretHash: string
}

export function newApiKey(environment: Environment): NewApiKey {
  const publicKey = `pk_${environment}_${randomBytes(PUBLIC_BYTES).toString('base64url')}`
  const secretKey = `sk_${environment}_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { publicKey, secretKey, secretHash: hash('sha256', secretKey, 'hex') }
}

interface KnownKey {
  readonly row: ApiKeyRow
  /** As `secretHashOf` makes it. */
  readonly secretHash: string
  principal: MerchantPrincipal
  /** Changes of keys and merchants after which it was read; it is valid until the next one. */
  readAt: number
  /** True when the key was used since the last record. */
  wasUsed: boolean
}

export class ApiKeys {
  readonly #engine: Pick<EngineApi, 'query'>
  readonly #demo: Pick<DemoLock, 'isLocked'>
  /** Decoded keys by public key: one look-up for a request instead of three. */
  readonly #known = new Map<string, KnownKey>()
  /** Used keys, each once. */
  #used: string[] = []

  constructor(engine: Pick<EngineApi, 'query'>, demo: Pick<DemoLock, 'isLocked'> = NO_DEMO) {
    this.#engine = engine
    this.#demo = demo
  }

  /**
   * Returns the principal of a pair; null for a missing, unknown or wrong one. The public key is looked up directly.
   * The secret is hashed and compared in constant time, for unknown keys too. `secretHash` is empty where no HTTP thread hashed it.
   */
  check(publicKey: string, secret: string, secretHash = ''): MerchantPrincipal | null {
    if (publicKey === '' || secret === '' || publicKey.length > KEY_LENGTH_MAX || secret.length > KEY_LENGTH_MAX) return null
    const known = this.#knownKey(publicKey)
    const matches = areEqual(secretHash === '' ? secretHashOf(secret) : secretHash, known?.secretHash ?? NO_HASH)
    if (!matches || known === null) return null
    // Hot path of every payout, so it sets a flag and reads no clock.
    if (!known.wasUsed) this.#used.push(known.row.public_key)
    known.wasUsed = true
    return known.principal
  }

  /** Returns the keys used since the last call. */
  takeUsed(): readonly string[] {
    const used = this.#used
    this.#used = []
    for (const publicKey of used) {
      const known = this.#known.get(publicKey)
      if (known !== undefined) known.wasUsed = false
    }
    return used
  }

  #knownKey(publicKey: string): KnownKey | null {
    const changes = this.#engine.query('apiKeys.changes', null)
    const before = this.#known.get(publicKey)
    return before?.readAt === changes ? before : this.#readKey(publicKey, before, changes)
  }

  #readKey(publicKey: string, before: KnownKey | undefined, readAt: number): KnownKey | null {
    const row = this.#engine.query('apiKeys.byPublicKey', { publicKey })
    if (row === null || this.#demo.isLocked(row.merchant_id)) {
      this.#known.delete(publicKey)
      return null
    }
    const merchant = this.#engine.query('merchants.byId', { id: row.merchant_id })
    assert(merchant !== null, 'an API key belongs to a merchant')
    if (before?.row === row && before.principal.merchant === merchant) {
      before.readAt = readAt
      return before
    }
    const { environment, scopes, public_key, id, label } = row
    const account = merchant.accounts[environment]
    const caller = { kind: 'key', id, name: label === '' ? public_key : label } as const
    const principal: MerchantPrincipal = { kind: 'merchant', merchant, environment, account, scopes, caller, publicKey: public_key }
    const secretHash = Buffer.from(row.secret_hash, 'hex').toString('base64url')
    const known = { row, secretHash, principal, readAt, wasUsed: before?.row === row && before.wasUsed }
    // Keys that were revoked and not sent again stay until then.
    if (this.#known.size >= KNOWN_KEYS_MAX) this.#known.clear()
    this.#known.set(public_key, known)
    return known
  }
}

/** Compares two hashes of equal length in constant time, without the buffers that `timingSafeEqual` needs. */
function areEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < other.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
