// Secrets at rest: opened by the right key, in the right field, on the way out, and never found in text that users wrote.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Seal } from '../../../http/crypto/seal.ts'

const MASTER_KEY = Buffer.alloc(32, 7)
const seal = new Seal(MASTER_KEY)

test('any secret comes back, also after a restart with the same master key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (secret) => {
      const sealed = seal.seal('secret_key', secret)
      assert.match(sealed, /^sealed:v1:[A-Za-z0-9_-]+$/)
      assert.equal(new Seal(Buffer.from(MASTER_KEY)).open('secret_key', sealed), secret)
    }),
  )
})

test('bytes come back as they were, also those that are no text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      assert.deepEqual(seal.openBytes('file', seal.sealBytes('file', bytes)), Buffer.from(bytes))
    }),
  )
})

test('the same secret is never sealed alike twice', () => {
  assert.notEqual(seal.seal('secret_key', 'sk_test_x'), seal.seal('secret_key', 'sk_test_x'))
})

test('another master key, another field, a changed or shortened value do not open', () => {
  const sealed = seal.seal('secret_key', 'sk_test_x')
  assert.throws(() => new Seal(randomBytes(32)).open('secret_key', sealed))
  assert.throws(() => seal.open('secret', sealed))
  assert.throws(() => seal.open('secret_key', sealed.slice(0, -4)))
  assert.throws(() => seal.open('secret_key', 'sealed:v1:'))
  assert.throws(() => seal.open('secret_key', 'sk_test_x'))
  const bytes = Buffer.from(sealed.slice('sealed:v1:'.length), 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] as number) ^ 1
    assert.throws(() => seal.open('secret_key', `sealed:v1:${changed.toString('base64url')}`), `byte ${index}`)
  }
})

test('a master key of another length is refused', () => {
  assert.throws(() => new Seal(randomBytes(31)))
  assert.throws(() => new Seal(randomBytes(0)))
})

test('a stored body leaves with its field in clear and everything else as it was, the same bytes each time', () => {
  const label = `x","secret_key":"${seal.seal('secret_key', 'stolen')}","y":"`
  const stored = JSON.stringify({
    id: '1',
    label,
    secret_key: seal.seal('secret_key', 'sk_test_mine'),
    nested: { secret_key: 'sealed:v1:AAAA' },
  })
  const revealed = seal.reveal(stored, 'secret_key')
  assert.deepEqual(JSON.parse(revealed), { id: '1', label, secret_key: 'sk_test_mine', nested: { secret_key: 'sealed:v1:AAAA' } })
  assert.equal(seal.reveal(stored, 'secret_key'), revealed)
})

test('a stored body whose field is not sealed is a bug, not an answer; one without the field shows no secret', () => {
  assert.equal(seal.reveal('{"id":"1"}', 'secret_key'), '{"id":"1"}')
  assert.throws(() => seal.reveal('{"secret_key":"sk_test_clear"}', 'secret_key'))
})
