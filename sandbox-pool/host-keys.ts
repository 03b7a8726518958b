// Asymmetric keys of hosted code, as DER. A key is parsed for each operation, and checked each time: the code could send any bytes.
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { CURVES, type KeyWire } from './guest/host.ts'
import { OPENSSL_CURVES, Refusal, type WireReader } from './host-crypto-wire.ts'
import { CRYPTO_KEY_BYTES_MAX, CRYPTO_RSA_BITS_MAX } from './limits.ts'

/** Algorithms by type of key. */
const TYPES = { RSA: 'rsa', ECDSA: 'ec', Ed25519: 'ed25519' } as const
type KeyType = (typeof TYPES)[keyof typeof TYPES]

/** Returns the key of the fields `type` and `der`, which must have one of the types. */
export function keyOf(wire: WireReader, types: readonly KeyType[]): KeyObject {
  const isPrivate = wire.oneOf('type', ['private', 'public']) === 'private'
  const der = wire.bytes('der')
  if (der.length > CRYPTO_KEY_BYTES_MAX) throw new Refusal('DataError', 'the key is too large')
  return checked(decoded(der, isPrivate), types)
}

/** Newer versions of OpenSSL refuse some forged keys that older ones read. */
function decoded(der: Buffer, isPrivate: boolean): KeyObject {
  try {
    return isPrivate
      ? createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
      : createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    throw new Refusal('DataError', 'the key is not valid')
  }
}

/** Bounds the time of an operation: it grows with the third power of the size. */
function checked(key: KeyObject, types: readonly KeyType[]): KeyObject {
  const type = types.find((known) => known === key.asymmetricKeyType)
  if (type === undefined) throw new Refusal('DataError', 'Invalid key type')
  if (type === 'ec' && curveOf(key) === null) throw new Refusal('DataError', 'Named curve mismatch')
  if (type !== 'rsa') return key
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  if (modulusLength > CRYPTO_RSA_BITS_MAX) throw new Refusal('DataError', `RSA keys have at most ${CRYPTO_RSA_BITS_MAX} bits`)
  if (publicExponent > PUBLIC_EXPONENT_MAX) throw new Refusal('DataError', 'the public exponent is too large')
  // A forged key may have primes that are larger than its modulus.
  const { n = '', ...parts } = key.export({ format: 'jwk' })
  for (const part of Object.values(parts)) {
    if (typeof part === 'string' && part.length > Math.max(n.length, SHORT_PART_LENGTH))
      throw new Refusal('DataError', 'the key is not valid')
  }
  return key
}

const PUBLIC_EXPONENT_MAX = 2n ** 32n - 1n
const SHORT_PART_LENGTH = 8

function curveOf(key: KeyObject): (typeof CURVES)[number] | null {
  const { namedCurve } = key.asymmetricKeyDetails ?? {}
  return CURVES.find((name) => OPENSSL_CURVES[name] === namedCurve) ?? null
}

/** Reads a key in the field `format`, and returns it as DER with its traits. */
export function importedKey(wire: WireReader): KeyWire {
  const type = TYPES[wire.oneOf('family', ['RSA', 'ECDSA', 'Ed25519'])]
  const key = checked(readKey(wire, type), [type])
  const curve = curveOf(key)
  if (type === 'ec' && curve !== wire.field('namedCurve')) throw new Refusal('DataError', 'Named curve mismatch')
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  return { ...derOf(key), modulusLength, publicExponent: Number(publicExponent) }
}

function derOf(key: KeyObject): Pick<KeyWire, 'type' | 'der'> {
  if (key.type === 'private') return { type: 'private', der: key.export({ format: 'der', type: 'pkcs8' }).toString('base64') }
  return { type: 'public', der: key.export({ format: 'der', type: 'spki' }).toString('base64') }
}

function readKey(wire: WireReader, type: KeyType): KeyObject {
  try {
    switch (wire.oneOf('format', ['pkcs8', 'spki', 'jwk', 'raw'])) {
      case 'pkcs8':
        return createPrivateKey({ key: sized(wire.bytes('data')), format: 'der', type: 'pkcs8' })
      case 'spki':
        return createPublicKey({ key: sized(wire.bytes('data')), format: 'der', type: 'spki' })
      case 'jwk':
        return readJwk(sized(wire.bytes('data')))
      case 'raw':
        return createPublicKey({ key: rawJwk(wire, type), format: 'jwk' })
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('DataError', 'Invalid keyData')
  }
}

function sized(bytes: Buffer): Buffer {
  if (bytes.length > CRYPTO_KEY_BYTES_MAX) throw new Refusal('DataError', 'the key is too large')
  return bytes
}

function readJwk(bytes: Buffer): KeyObject {
  const jwk = JSON.parse(bytes.toString()) as JsonWebKey
  const key = Object.fromEntries(JWK_FIELDS.flatMap((name) => (typeof jwk[name] === 'string' ? [[name, jwk[name]]] : []))) as JsonWebKey
  return key.d === undefined ? createPublicKey({ key, format: 'jwk' }) : createPrivateKey({ key, format: 'jwk' })
}

const JWK_FIELDS = ['kty', 'crv', 'n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi', 'x', 'y'] as const
/** First byte of an uncompressed point (SEC 1, section 2.3.3). */
const UNCOMPRESSED = 4
const ED25519_BYTES = 32

function rawJwk(wire: WireReader, type: KeyType): JsonWebKey {
  const raw = sized(wire.bytes('data'))
  if (type === 'ed25519' && raw.length === ED25519_BYTES) return { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }
  if (type !== 'ec' || raw[0] !== UNCOMPRESSED) throw new Refusal('DataError', 'Invalid keyData')
  const half = (raw.length - 1) / 2
  const [x, y] = [raw.subarray(1, 1 + half), raw.subarray(1 + half)].map((part) => part.toString('base64url'))
  return { kty: 'EC', crv: wire.oneOf('namedCurve', CURVES), ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) }
}

/** Returns the key as base64 of DER or of a point, or as a JWK. */
export function exportedKey(wire: WireReader): string | JsonWebKey {
  const key = keyOf(wire, Object.values(TYPES))
  const format = wire.oneOf('format', ['pkcs8', 'spki', 'jwk', 'raw'])
  if (format === 'jwk') return key.export({ format: 'jwk' })
  if (format !== 'raw') {
    if ((key.type === 'private') !== (format === 'pkcs8'))
      throw new Refusal('InvalidAccessError', `a ${key.type} key has no form ${format}`)
    return derOf(key).der
  }
  const { x, y } = key.export({ format: 'jwk' })
  if (key.type === 'private' || x === undefined) throw new Refusal('NotSupportedError', `a ${key.type} key has no raw form`)
  const point = [x, y ?? ''].map((part) => Buffer.from(part, 'base64url'))
  return Buffer.concat(y === undefined ? point : [Buffer.from([UNCOMPRESSED]), ...point]).toString('base64')
}
