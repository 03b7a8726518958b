// The host's side of Intl and crypto.subtle, given anything: the answer is a value or an error, in bounded time, and nothing of the
// host changes.
import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { answerCrypto } from '../../sandbox-pool/host-crypto.ts'
import { answerIntl } from '../../sandbox-pool/host-intl.ts'
import { CRYPTO_TEXT_LENGTH_MAX, INTL_QUESTION_LENGTH_MAX } from '../../sandbox-pool/limits.ts'
import { runs } from '../support/property-runs.ts'

type Answer = { readonly value?: unknown; readonly error?: readonly [name: string, message: string] }

const crypto = (request: unknown): Answer => JSON.parse(answerCrypto(JSON.stringify(request))) as Answer
const intl = (question: unknown): Answer => JSON.parse(answerIntl(JSON.stringify(question))) as Answer
const bytes = (text: string): string => Buffer.from(text).toString('base64')

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'prototype', '', 'x']

test('names of prototypes are no operations, formatters or methods', () => {
  for (const name of NAMES) {
    assert.ok(crypto({ op: name }).error, name)
    assert.ok(crypto({ op: 'digest', hash: name, data: '' }).error, name)
    assert.ok(crypto({ op: 'sign', name, type: 'private', der: '', data: '' }).error, name)
    assert.ok(intl({ kind: name, method: 'format', given: [] }).error, name)
    assert.ok(intl({ kind: 'NumberFormat', method: name, given: [] }).error, name)
    assert.ok(intl({ kind: 'Date', method: name, given: [] }).error, name)
  }
})

test('what is no request gets an error', () => {
  for (const text of ['', 'null', '[]', '5', '"x"', '{', '{}', '{"op":{}}', '{"kind":1}', '{"__proto__":{"op":"digest"}}']) {
    for (const answer of [answerCrypto(text), answerIntl(text)]) assert.ok((JSON.parse(answer) as Answer).error, text)
  }
  assert.match(answerCrypto(`"${'x'.repeat(CRYPTO_TEXT_LENGTH_MAX)}"`), /larger than 1 MB/)
  assert.match(answerIntl(`"${'x'.repeat(INTL_QUESTION_LENGTH_MAX)}"`), /RangeError/)
})

const KINDS = [
  'NumberFormat',
  'DateTimeFormat',
  'PluralRules',
  'Collator',
  'ListFormat',
  'RelativeTimeFormat',
  'DisplayNames',
  'Date',
  'Intl',
]
const METHODS = ['format', 'formatToParts', 'resolvedOptions', 'select', 'compare', 'of', 'formatRange', 'toLocaleString', ...NAMES]

test('random questions get an answer and leave the host unchanged', () => {
  const before = Reflect.ownKeys(Object.prototype).length
  const question = fc.record({
    kind: fc.constantFrom(...KINDS, ...NAMES),
    method: fc.constantFrom(...METHODS),
    locales: fc.oneof(
      fc.constant(undefined),
      fc.array(fc.oneof(fc.constantFrom('fr', 'en-US'), fc.string()), { maxLength: 3 }),
      fc.jsonValue(),
    ),
    options: fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('style', 'currency', 'type', 'timeZone', '__proto__'), fc.jsonValue())),
    given: fc.array(fc.oneof(fc.jsonValue(), fc.record({ number: fc.string() }), fc.record({ bigint: fc.string() })), { maxLength: 3 }),
  })
  const isAnswer = (text: string): void => {
    const answer = JSON.parse(text) as Answer
    if (answer.error !== undefined) assert.match(answer.error.join(), /^(?:RangeError|TypeError|[A-Z]\w+Error),/)
    assert.doesNotMatch(text, /node:|\/work|\.ts\b|node_modules/)
  }
  fc.assert(
    fc.property(question, (given) => isAnswer(answerIntl(JSON.stringify(given)))),
    { numRuns: runs(300) },
  )
  const request = fc.dictionary(
    fc.constantFrom(
      'op',
      'name',
      'hash',
      'key',
      'data',
      'iv',
      'type',
      'der',
      'salt',
      'size',
      'iterations',
      'format',
      'family',
      'tagLength',
    ),
    fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('encrypt', 'sign', 'derive', 'importKey', 'AES-GCM', 'PBKDF2', 'SHA-256', 'RSA', 'private', 'jwk'),
    ),
  )
  fc.assert(
    fc.property(request, (given) => isAnswer(answerCrypto(JSON.stringify(given)))),
    { numRuns: runs(300) },
  )
  assert.equal(Reflect.ownKeys(Object.prototype).length, before)
})

test('PBKDF2 is bounded in iterations times blocks, and in size', () => {
  const derive = (fields: object): Answer =>
    crypto({ op: 'derive', name: 'PBKDF2', hash: 'SHA-256', key: bytes('k'), salt: '', info: '', iterations: 1, size: 32, ...fields })
  assert.ok(derive({ iterations: 200_000 }).value)
  for (const fields of [
    { iterations: 200_001 },
    { iterations: 100_001, size: 33 },
    { size: 1_025 },
    { iterations: 0 },
    { iterations: 1e300 },
  ]) {
    assert.equal(derive(fields).error?.[0], 'OperationError', JSON.stringify(fields))
  }
})

function signWith(der: Buffer, name = 'RSASSA-PKCS1-v1_5'): Answer {
  return crypto({ op: 'sign', name, hash: 'SHA-256', saltLength: 0, type: 'private', der: der.toString('base64'), data: bytes('x') })
}

test('a key whose primes are larger than its modulus is refused, so that a signature takes bounded time', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  const large = generateKeyPairSync('rsa', { modulusLength: 4_096 }).privateKey.export({ format: 'jwk' })
  const { n = '', e = '', d = '' } = privateKey.export({ format: 'jwk' })
  const { p = '', q = '', dp = '', dq = '', qi = '' } = large
  const forged = createPrivateKey({ key: { kty: 'RSA', n, e, d, p, q, dp, dq, qi } satisfies JsonWebKey, format: 'jwk' })
  assert.equal(signWith(forged.export({ format: 'der', type: 'pkcs8' })).error?.[0], 'DataError')
  assert.ok(signWith(privateKey.export({ format: 'der', type: 'pkcs8' })).value)
})

test('keys of other curves, other types and other sizes are refused', () => {
  const der = { format: 'der', type: 'pkcs8' } as const
  assert.equal(signWith(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey.export(der), 'ECDSA').error?.[0], 'DataError')
  assert.equal(signWith(generateKeyPairSync('ed25519').privateKey.export(der), 'ECDSA').error?.[0], 'DataError')
  assert.equal(signWith(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(der)).error?.[0], 'DataError')
  assert.equal(signWith(Buffer.alloc(4_000)).error?.[0], 'DataError')
  const [n, e] = [Buffer.alloc(1_024, 0xff).toString('base64url'), 'AQAB']
  const data = bytes(JSON.stringify({ kty: 'RSA', n, e }))
  assert.equal(crypto({ op: 'importKey', family: 'RSA', format: 'jwk', data }).error?.[0], 'DataError')
  const exponent = Buffer.alloc(256, 0xff).toString('base64url')
  const slow = bytes(JSON.stringify({ kty: 'RSA', n: Buffer.alloc(256, 0xff).toString('base64url'), e: exponent }))
  assert.equal(crypto({ op: 'importKey', family: 'RSA', format: 'jwk', data: slow }).error?.[0], 'DataError')
})
