// Cryptography of hosted code: one operation of the Web Cryptography API (w3.org/TR/WebCryptoAPI) as a function from text to text, in
// the worker thread. Synchronous, so that its time counts as computing of the run. All input is untrusted; no key is kept.
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  pbkdf2Sync,
  privateDecrypt,
  publicEncrypt,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import { Refusal, type Wire, WireReader } from './host-crypto-wire.ts'
import { exportedKey, importedKey, keyOf } from './host-keys.ts'
import { CRYPTO_DERIVED_BYTES_MAX, CRYPTO_ROUNDS_MAX, CRYPTO_TEXT_LENGTH_MAX } from './limits.ts'

/** Returns the JSON text of `{value}` or `{error: [name, message]}`. Never throws. */
export function answerCrypto(request: string): string {
  try {
    if (request === '' || request.length > CRYPTO_TEXT_LENGTH_MAX) throw new Refusal('OperationError', 'the data is larger than 1 MB')
    const wire = new WireReader(JSON.parse(request) as Wire)
    return JSON.stringify({ value: operationOf(wire)(wire) })
  } catch (error) {
    // Errors of OpenSSL have one text for all causes, as in Node.js.
    const { errorName, message } = error instanceof Refusal ? error : FAILED
    return JSON.stringify({ error: [errorName, message] })
  }
}

const FAILED = new Refusal('OperationError', 'The operation failed for an operation-specific reason')

const OPERATIONS: Readonly<Record<string, (wire: WireReader) => unknown>> = {
  digest: (wire) => createHash(wire.hash()).update(wire.bytes('data')).digest('base64'),
  hmac: (wire) => createHmac(wire.hash(), wire.bytes('key')).update(wire.bytes('data')).digest('base64'),
  hmacVerify(wire) {
    const expected = createHmac(wire.hash(), wire.bytes('key')).update(wire.bytes('data')).digest()
    const given = wire.bytes('signature')
    return given.length === expected.length && timingSafeEqual(given, expected)
  },
  encrypt,
  decrypt,
  oaepEncrypt: (wire) => publicEncrypt(oaepOf(wire), wire.bytes('data')).toString('base64'),
  oaepDecrypt: (wire) => privateDecrypt(oaepOf(wire), wire.bytes('data')).toString('base64'),
  sign: (wire) => sign(digestOf(wire), wire.bytes('data'), schemeOf(wire)).toString('base64'),
  verify: (wire) => verify(digestOf(wire), wire.bytes('data'), schemeOf(wire), wire.bytes('signature')),
  derive: (wire) => derive(wire).toString('base64'),
  importKey: importedKey,
  exportKey: exportedKey,
  generateKey,
}

function operationOf(wire: WireReader): (wire: WireReader) => unknown {
  const name = wire.text('op')
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
  if (operation === undefined) throw new Refusal('NotSupportedError', 'Unrecognized algorithm name')
  return operation
}

const BYTE_BITS = 8
const CBC_IV_BYTES = 16
const GCM_IV_BYTES_MAX = 128
const GCM_TAG_BITS = [32, 64, 96, 104, 112, 120, 128]
const AES_KEY_BYTES = [16, 24, 32]

interface Cipher {
  readonly isGcm: boolean
  readonly name: string
  readonly key: Buffer
  readonly iv: Buffer
  readonly tagBytes: number
}

function cipherOf(wire: WireReader): Cipher {
  const isGcm = wire.oneOf('name', ['AES-GCM', 'AES-CBC']) === 'AES-GCM'
  const key = wire.bytes('key')
  const iv = wire.bytes('iv')
  const tagBits = isGcm ? wire.integer('tagLength', GCM_TAG_BITS.at(-1) as number) : 0
  if (!AES_KEY_BYTES.includes(key.length)) throw new Refusal('DataError', 'Invalid key length')
  if (isGcm ? iv.length === 0 || iv.length > GCM_IV_BYTES_MAX : iv.length !== CBC_IV_BYTES) {
    throw new Refusal('OperationError', isGcm ? `iv must have 1 to ${GCM_IV_BYTES_MAX} bytes` : 'iv must have 16 bytes')
  }
  if (isGcm && !GCM_TAG_BITS.includes(tagBits)) throw new Refusal('OperationError', `${tagBits} is not a valid AES-GCM tag length`)
  return { isGcm, name: `aes-${key.length * BYTE_BITS}-${isGcm ? 'gcm' : 'cbc'}`, key, iv, tagBytes: tagBits / BYTE_BITS }
}

function encrypt(wire: WireReader): string {
  const { isGcm, name, key, iv, tagBytes } = cipherOf(wire)
  if (!isGcm) {
    const cbc = createCipheriv(name, key, iv)
    return Buffer.concat([cbc.update(wire.bytes('data')), cbc.final()]).toString('base64')
  }
  const gcm = createCipheriv(name as 'aes-256-gcm', key, iv, { authTagLength: tagBytes })
  gcm.setAAD(wire.bytes('additionalData'))
  return Buffer.concat([gcm.update(wire.bytes('data')), gcm.final(), gcm.getAuthTag()]).toString('base64')
}

function decrypt(wire: WireReader): string {
  const { isGcm, name, key, iv, tagBytes } = cipherOf(wire)
  const data = wire.bytes('data')
  if (!isGcm) {
    const cbc = createDecipheriv(name, key, iv)
    return Buffer.concat([cbc.update(data), cbc.final()]).toString('base64')
  }
  if (data.length < tagBytes) throw FAILED
  const gcm = createDecipheriv(name as 'aes-256-gcm', key, iv, { authTagLength: tagBytes })
  gcm.setAAD(wire.bytes('additionalData')).setAuthTag(data.subarray(data.length - tagBytes))
  return Buffer.concat([gcm.update(data.subarray(0, data.length - tagBytes)), gcm.final()]).toString('base64')
}

function oaepOf(wire: WireReader): { key: KeyObject; padding: number; oaepHash: string; oaepLabel: Buffer } {
  return {
    key: keyOf(wire, ['rsa']),
    padding: constants.RSA_PKCS1_OAEP_PADDING,
    oaepHash: wire.hash(),
    oaepLabel: wire.bytes('label'),
  }
}

/** Null where the scheme has its own hash. */
function digestOf(wire: WireReader): string | null {
  return wire.text('name') === 'Ed25519' ? null : wire.hash()
}

const SALT_BYTES_MAX = 512

function schemeOf(wire: WireReader): { key: KeyObject; padding?: number; saltLength?: number; dsaEncoding?: 'ieee-p1363' } {
  switch (wire.oneOf('name', ['RSASSA-PKCS1-v1_5', 'RSA-PSS', 'ECDSA', 'Ed25519'])) {
    case 'RSASSA-PKCS1-v1_5':
      return { key: keyOf(wire, ['rsa']), padding: constants.RSA_PKCS1_PADDING }
    case 'RSA-PSS':
      return { key: keyOf(wire, ['rsa']), padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: wire.integer('saltLength', SALT_BYTES_MAX) }
    case 'ECDSA':
      return { key: keyOf(wire, ['ec']), dsaEncoding: 'ieee-p1363' }
    case 'Ed25519':
      return { key: keyOf(wire, ['ed25519']) }
  }
}

const HASH_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

function derive(wire: WireReader): Buffer {
  const hash = wire.hash()
  const [key, salt, size] = [wire.bytes('key'), wire.bytes('salt'), wire.integer('size', CRYPTO_DERIVED_BYTES_MAX)]
  if (size === 0) return Buffer.alloc(0)
  if (wire.oneOf('name', ['PBKDF2', 'HKDF']) === 'HKDF') return Buffer.from(hkdfSync(hash, key, salt, wire.bytes('info'), size))
  const iterations = wire.integer('iterations', Number.MAX_SAFE_INTEGER)
  const rounds = iterations * Math.ceil(size / (HASH_BYTES[hash] ?? 1))
  if (iterations === 0) throw new Refusal('OperationError', 'iterations cannot be zero')
  if (rounds > CRYPTO_ROUNDS_MAX) {
    throw new Refusal('OperationError', `PBKDF2: iterations times blocks of the hash may be at most ${CRYPTO_ROUNDS_MAX}`)
  }
  return pbkdf2Sync(key, salt, iterations, size, hash)
}

/** Keys that are quick to make. RSA keys take up to seconds. */
function generateKey(wire: WireReader): { readonly privateKey: string; readonly publicKey: string } {
  const isEd = wire.oneOf('name', ['ECDSA', 'Ed25519']) === 'Ed25519'
  const pair = isEd ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: wire.curve() })
  return {
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}
