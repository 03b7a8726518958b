// Runs inside the virtual machine: `crypto` (w3.org/TR/WebCryptoAPI). The host computes; keys stay here and go with each operation.
import { bufferOf, bytesOf, fromBase64, isBufferSource, toBase64, toHex, uncurry, utf8Bytes } from './bytes.ts'
import { type Algorithm, algorithmOf, GuestCryptoKey, hashOf, keyFor, materialOf, newKey } from './crypto-key.ts'
import type { GuestHost, KeyWire } from './host.ts'

const { parse, stringify } = JSON
const setBytes = uncurry(Uint8Array.prototype.set)
const BYTE_BITS = 8
const RANDOM_BYTES_MAX = 65_536
const UUID_BYTES = 16

/** Set once, when the globals are made: a machine has one host. */
let host: Pick<GuestHost, 'crypto' | 'random'>

export function createCrypto(given: Pick<GuestHost, 'crypto' | 'random'>): {
  readonly crypto: object
  readonly classes: Readonly<Record<string, unknown>>
} {
  host = given
  return { crypto: new Crypto(), classes: { Crypto, SubtleCrypto, CryptoKey: GuestCryptoKey } }
}

function ask(op: string, fields: object): unknown {
  const { value, error } = parse(host.crypto(stringify({ __proto__: null, op, ...fields }))) as {
    value?: unknown
    error?: readonly [name: string, message: string]
  }
  if (error !== undefined) throw new DOMException(error[1], error[0])
  return value
}

function random(sizeBytes: number): Uint8Array<ArrayBuffer> {
  return fromBase64(host.random(sizeBytes))
}

class SubtleCrypto {
  async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
    return bufferIn(ask('digest', { hash: hashOf(algorithm), data: text64(data) }))
  }

  async sign(given: unknown, key: GuestCryptoKey, data: unknown): Promise<ArrayBuffer> {
    const algorithm = algorithmOf(given)
    const { base64, type } = keyFor(key, algorithm.name, 'sign')
    if (algorithm.name === 'HMAC') return bufferIn(ask('hmac', { hash: hashOf(key.algorithm.hash), key: base64, data: text64(data) }))
    return bufferIn(ask('sign', { ...schemeOf(algorithm, key), type, der: base64, data: text64(data) }))
  }

  async verify(given: unknown, key: GuestCryptoKey, signature: unknown, data: unknown): Promise<boolean> {
    const algorithm = algorithmOf(given)
    const { base64, type } = keyFor(key, algorithm.name, 'verify')
    const both = { signature: text64(signature), data: text64(data) }
    if (algorithm.name === 'HMAC') return ask('hmacVerify', { hash: hashOf(key.algorithm.hash), key: base64, ...both }) === true
    return ask('verify', { ...schemeOf(algorithm, key), type, der: base64, ...both }) === true
  }

  async encrypt(given: unknown, key: GuestCryptoKey, data: unknown): Promise<ArrayBuffer> {
    return bufferIn(cipher('encrypt', given, key, data))
  }

  async decrypt(given: unknown, key: GuestCryptoKey, data: unknown): Promise<ArrayBuffer> {
    return bufferIn(cipher('decrypt', given, key, data))
  }

  async deriveBits(given: unknown, key: GuestCryptoKey, length: number): Promise<ArrayBuffer> {
    return bufferIn(derive(given, keyFor(key, algorithmOf(given).name, 'deriveBits').base64, length))
  }

  async deriveKey(
    given: unknown,
    key: GuestCryptoKey,
    target: unknown,
    extractable: boolean,
    usages: Iterable<string>,
  ): Promise<GuestCryptoKey> {
    const { base64 } = keyFor(key, algorithmOf(given).name, 'deriveKey')
    const algorithm = algorithmOf(target)
    const raw = derive(given, base64, secretBits(algorithm)) as string
    return secretKey(algorithm, fromBase64(raw), extractable, usages)
  }

  async importKey(format: unknown, data: unknown, given: unknown, extractable: unknown, usages: Iterable<string>): Promise<GuestCryptoKey> {
    const algorithm = algorithmOf(given)
    if (isSecret(algorithm)) return secretKey(algorithm, secretBytes(format, data), extractable, usages)
    const key = ask('importKey', { family: familyOf(algorithm), namedCurve: algorithm.namedCurve, format, data: keyData(format, data) })
    return asymmetricKey(algorithm, key as KeyWire, extractable, usages)
  }

  async exportKey(format: unknown, key: GuestCryptoKey): Promise<ArrayBuffer | object> {
    const { type, base64 } = materialOf(key)
    if (!key.extractable) throw new DOMException('key is not extractable', 'InvalidAccessError')
    const traits = { ...jwkAlgorithm(key.algorithm), key_ops: key.usages, ext: true }
    if (type !== 'secret') {
      const exported = ask('exportKey', { format, type, der: base64 })
      return typeof exported === 'string' ? bufferIn(exported) : { ...traits, ...(exported as object) }
    }
    if (format === 'raw') return bufferIn(base64)
    if (format === 'jwk') return { kty: 'oct', k: toBase64(fromBase64(base64), { alphabet: 'base64url', omitPadding: true }), ...traits }
    throw new DOMException('Unable to export a secret key in this format', 'NotSupportedError')
  }

  async generateKey(given: unknown, extractable: unknown, usages: Iterable<string>): Promise<object> {
    const algorithm = algorithmOf(given)
    if (isSecret(algorithm)) return secretKey(algorithm, random(secretBits(algorithm) / BYTE_BITS), extractable, usages)
    if (algorithm.name.startsWith('RSA')) throw new DOMException('RSA keys cannot be generated here', 'NotSupportedError')
    const pair = ask('generateKey', algorithm) as { readonly privateKey: string; readonly publicKey: string }
    const own = (type: KeyWire['type'], der: string, used: string): GuestCryptoKey =>
      asymmetricKey(
        algorithm,
        { type, der, modulusLength: 0, publicExponent: 0 },
        type === 'public' || extractable,
        [...usages].filter((usage) => usage === used),
      )
    return { publicKey: own('public', pair.publicKey, 'verify'), privateKey: own('private', pair.privateKey, 'sign') }
  }
}

class Crypto {
  readonly subtle = new SubtleCrypto()

  getRandomValues<View>(view: View): View {
    if (!ArrayBuffer.isView(view) || view instanceof DataView || view instanceof Float32Array || view instanceof Float64Array) {
      throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError')
    }
    if (view.byteLength > RANDOM_BYTES_MAX) {
      throw new DOMException(`The requested length exceeds ${RANDOM_BYTES_MAX} bytes`, 'QuotaExceededError')
    }
    setBytes(bytesOf(view), random(view.byteLength))
    return view
  }

  randomUUID(): string {
    const bytes = random(UUID_BYTES)
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    const hex = toHex(bytes)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
}

function cipher(op: 'encrypt' | 'decrypt', given: unknown, key: GuestCryptoKey, data: unknown): unknown {
  const { name, iv, additionalData, tagLength, label } = algorithmOf(given)
  const { base64, type } = keyFor(key, name, op)
  if (name === 'RSA-OAEP') {
    return ask(op === 'encrypt' ? 'oaepEncrypt' : 'oaepDecrypt', {
      hash: hashOf(key.algorithm.hash),
      type,
      der: base64,
      label: text64(label),
      data: text64(data),
    })
  }
  if (!isBufferSource(iv)) throw new TypeError(`${name} needs an iv`)
  return ask(op, {
    name,
    key: base64,
    iv: text64(iv),
    additionalData: text64(additionalData),
    tagLength: tagLength ?? 128,
    data: text64(data),
  })
}

function derive(given: unknown, key: string, bits: unknown): unknown {
  const { name, hash, salt, info, iterations } = algorithmOf(given)
  if (typeof bits !== 'number' || bits % BYTE_BITS !== 0) throw new DOMException('length must be a multiple of 8', 'OperationError')
  return ask('derive', { name, hash: hashOf(hash), key, salt: text64(salt), info: text64(info), iterations, size: bits / BYTE_BITS })
}

/** Base64 of a BufferSource; of nothing where it is optional. */
function text64(data: unknown): string {
  return data === undefined ? '' : toBase64(bytesOf(data))
}

function bufferIn(base64: unknown): ArrayBuffer {
  return bufferOf(fromBase64(base64 as string))
}

function schemeOf({ name, hash, saltLength }: Algorithm, key: GuestCryptoKey): object {
  return name === 'Ed25519' ? { name } : { name, saltLength, hash: hashOf(name === 'ECDSA' ? hash : key.algorithm.hash) }
}

function isSecret({ name }: Algorithm): boolean {
  return name === 'HMAC' || name.startsWith('AES') || name === 'PBKDF2' || name === 'HKDF'
}

function familyOf({ name }: Algorithm): string {
  return name.startsWith('RSA') ? 'RSA' : name
}

const HMAC_BLOCK_BITS: Readonly<Record<string, number>> = { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 }

function secretBits({ name, length, hash }: Algorithm): number {
  if (name === 'HMAC') return typeof length === 'number' ? length : (HMAC_BLOCK_BITS[hashOf(hash)] ?? 0)
  if (length === 128 || length === 192 || length === 256) return length
  throw new DOMException('AES keys have 128, 192 or 256 bits', 'OperationError')
}

function secretKey(algorithm: Algorithm, bytes: Uint8Array, extractable: unknown, usages: Iterable<string>): GuestCryptoKey {
  const { name, hash } = algorithm
  const length = bytes.length * BYTE_BITS
  if (name.startsWith('AES') && length !== 128 && length !== 192 && length !== 256)
    throw new DOMException('Invalid key length', 'DataError')
  if (name === 'HMAC' && length === 0) throw new DOMException('Zero-length key is not supported', 'DataError')
  const own = name === 'HMAC' ? { name, hash: { name: hashOf(hash) }, length } : name.startsWith('AES') ? { name, length } : { name }
  return newKey({ type: 'secret', base64: toBase64(bytes), algorithm: own, extractable: extractable === true, usages: [...usages] })
}

function secretBytes(format: unknown, data: unknown): Uint8Array {
  if (format === 'raw') return bytesOf(data)
  const k = format === 'jwk' ? (data as { readonly k?: unknown } | null)?.k : undefined
  if (typeof k !== 'string') throw new DOMException('Invalid keyData', 'DataError')
  return fromBase64(k, { alphabet: 'base64url' })
}

function keyData(format: unknown, data: unknown): string {
  return format === 'jwk' ? toBase64(utf8Bytes(stringify(data))) : text64(data)
}

function asymmetricKey(algorithm: Algorithm, key: KeyWire, extractable: unknown, usages: Iterable<string>): GuestCryptoKey {
  const { name, hash, namedCurve } = algorithm
  const rsa = {
    name,
    hash: { name: name.startsWith('RSA') ? hashOf(hash) : '' },
    modulusLength: key.modulusLength,
    publicExponent: exponentBytes(key.publicExponent),
  }
  const own = name.startsWith('RSA') ? rsa : name === 'ECDSA' ? { name, namedCurve } : { name }
  return newKey({ type: key.type, base64: key.der, algorithm: own, extractable: extractable === true, usages: [...usages] })
}

/** Prefixes of the names of algorithms in a JWK (RFC 7518). */
const JWK_NAMES: Readonly<Record<string, string>> = { HMAC: 'HS', 'RSASSA-PKCS1-v1_5': 'RS', 'RSA-PSS': 'PS' }

function jwkAlgorithm({ name, hash, length }: Algorithm): { readonly alg?: string } {
  const bits = (hash as { readonly name: string } | undefined)?.name.slice('SHA-'.length) ?? ''
  if (name.startsWith('AES')) return { alg: `A${length}${name.slice('AES-'.length)}` }
  if (name === 'RSA-OAEP') return { alg: bits === '1' ? name : `${name}-${bits}` }
  const prefix = JWK_NAMES[name]
  return prefix === undefined ? {} : { alg: prefix + bits }
}

/** Big-endian, without leading zeros. */
function exponentBytes(exponent: number): Uint8Array {
  const bytes: number[] = []
  for (let left = exponent; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return new Uint8Array(bytes)
}
