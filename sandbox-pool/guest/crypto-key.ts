// Runs inside the virtual machine: `CryptoKey`, and the names of algorithms (w3.org/TR/WebCryptoAPI, sections 13 and 18).

export interface Algorithm {
  readonly name: string
  readonly [parameter: string]: unknown
}

/** What an operation sends to the host: base64 of a secret, or DER with its type. */
interface Material {
  readonly type: 'secret' | 'private' | 'public'
  readonly base64: string
}

interface KeyParts extends Material {
  readonly algorithm: Algorithm
  readonly extractable: boolean
  readonly usages: readonly string[]
}

/** Key that creates a CryptoKey. Merchant code does not have it. */
const KEY = Symbol('key')

export class GuestCryptoKey {
  readonly #material: Material
  readonly type: Material['type']
  readonly algorithm: Algorithm
  readonly extractable: boolean
  readonly usages: readonly string[]

  constructor(key?: unknown, parts?: KeyParts) {
    if (key !== KEY || parts === undefined) throw new TypeError('Illegal constructor')
    this.#material = { type: parts.type, base64: parts.base64 }
    this.type = parts.type
    this.algorithm = parts.algorithm
    this.extractable = parts.extractable
    this.usages = parts.usages
  }

  /** Returns the bytes of a key. Only these files have it. */
  static material(key: unknown): Material {
    if (!(key instanceof GuestCryptoKey)) throw new TypeError('the key must be a CryptoKey')
    return key.#material
  }
}

/** Captured, and then removed from the class that merchant code gets. */
export const materialOf = GuestCryptoKey.material
Reflect.deleteProperty(GuestCryptoKey, 'material')

export function newKey(parts: KeyParts): GuestCryptoKey {
  if (parts.type !== 'public' && parts.usages.length === 0) {
    throw new DOMException(`Usages cannot be empty when creating a ${parts.type} key.`, 'SyntaxError')
  }
  return new GuestCryptoKey(KEY, parts)
}

/** Returns the material of a key for an operation. */
export function keyFor(key: unknown, name: string, usage: string): Material {
  const material = materialOf(key)
  const { algorithm, usages } = key as GuestCryptoKey
  if (algorithm.name !== name) throw new DOMException('Key algorithm mismatch', 'InvalidAccessError')
  if (!usages.includes(usage)) throw new DOMException(`Unable to use this key to ${usage}`, 'InvalidAccessError')
  return material
}

const NAMES = [
  ...['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'HMAC', 'AES-GCM', 'AES-CBC', 'PBKDF2', 'HKDF'],
  ...['RSASSA-PKCS1-v1_5', 'RSA-PSS', 'RSA-OAEP', 'ECDSA', 'Ed25519'],
]

/** Returns the algorithm with its name as the standard writes it. */
export function algorithmOf(given: unknown): Algorithm {
  const parameters = typeof given === 'string' ? { name: given } : (given as { readonly name?: unknown } | null)
  const wanted = `${parameters?.name}`.toLowerCase()
  const name = NAMES.find((known) => known.toLowerCase() === wanted)
  if (name === undefined) throw new DOMException('Unrecognized algorithm name', 'NotSupportedError')
  return { ...parameters, name }
}

export function hashOf(given: unknown): string {
  return algorithmOf(given).name
}
