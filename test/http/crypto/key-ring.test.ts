// Key rings, and what each root key is for: sealed values, keyed hashes and derived keys after a rotation.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ROOT_KEYS_MAX } from '../../../http/crypto/crypto-limits.ts'
import { derivedKey, derivedKeys } from '../../../http/crypto/derived-key.ts'
import { isGuessable, masterKeyFrom, newKeyRing, openKeyRing, rotatedKeyRing } from '../../../http/crypto/key-ring.ts'
import { ScryptThreads } from '../../../http/crypto/scrypt-threads.ts'
import { type RootKeys, Seal } from '../../../http/crypto/seal.ts'
import { SlowHash } from '../../../http/crypto/slow-hash.ts'

const [OLD, NEW, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)]

describe('key rings', () => {
  it('a ring without a rotation has the master key as its only root key', () => {
    assert.deepEqual(openKeyRing(newKeyRing(OLD), OLD), [OLD])
    assert.equal(openKeyRing(newKeyRing(OLD), NEW), null)
  })

  it('a rotated ring opens under its master key alone, in any character of its fingerprint', () => {
    const ring = rotatedKeyRing([OLD], NEW)
    assert.equal(openKeyRing(ring, NEW)?.length, 2)
    for (const wrong of [OLD, OTHER]) assert.equal(openKeyRing(ring, wrong), null)
    for (let at = 3; at < 67; at++) {
      const changed = `${ring.slice(0, at)}${ring[at] === '0' ? '1' : '0'}${ring.slice(at + 1)}`
      assert.equal(openKeyRing(changed, NEW), null, `character ${at}`)
    }
  })

  it('a ring whose sealed part was changed is an error, not another set of keys', () => {
    const ring = rotatedKeyRing([OLD], NEW)
    assert.throws(() => openKeyRing(`${ring.slice(0, -2)}${ring.endsWith('AA') ? 'BB' : 'AA'}`, NEW))
    assert.equal(openKeyRing('', NEW), null)
    assert.equal(openKeyRing(`${newKeyRing(NEW)}0`, NEW), null)
  })

  it('two rotations to the same master key make two root keys', () => {
    const [one, two] = [rotatedKeyRing([OLD], NEW), rotatedKeyRing([OLD], NEW)].map((ring) => openKeyRing(ring, NEW)?.[1])
    assert.notDeepEqual(one, two)
  })

  it('a ring has room for a maximum of root keys', () => {
    const full = Array.from({ length: ROOT_KEYS_MAX }, () => randomBytes(32)) as unknown as RootKeys
    assert.throws(() => rotatedKeyRing(full, NEW))
    assert.equal(openKeyRing(rotatedKeyRing(full.slice(1) as unknown as RootKeys, NEW), NEW)?.length, ROOT_KEYS_MAX)
  })

  it('a master key in base64 is read with and without padding, and anything else is none', () => {
    const key = randomBytes(32)
    assert.deepEqual(masterKeyFrom(key.toString('base64')), key)
    assert.deepEqual(masterKeyFrom(key.toString('base64').replaceAll('=', '')), key)
    for (const wrong of [
      '',
      'short',
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      `${key.toString('base64')}!`,
    ]) {
      assert.equal(masterKeyFrom(wrong), null, wrong)
    }
    assert.deepEqual([isGuessable(Buffer.alloc(32)), isGuessable(key)], [true, false])
  })
})

describe('values of before and after a rotation', () => {
  const roots: RootKeys = [OLD, NEW]

  it('a value is sealed under the newest root key, and values of all root keys open', () => {
    const before = new Seal(OLD).seal('secret', 'of before')
    const both = new Seal(...roots)
    const now = both.seal('secret', 'of now')
    assert.match(now, /^sealed:v2:1:[\w-]+$/)
    assert.deepEqual([both.open('secret', before), both.open('secret', now)], ['of before', 'of now'])
    assert.deepEqual([both.isNewest(before), both.isNewest(now), new Seal(OLD).isNewest(before)], [false, true, true])
    assert.equal(new Seal(...roots, OTHER).open('secret', now), 'of now')
  })

  it('the old master key alone opens nothing that was sealed after the rotation', () => {
    const now = new Seal(...roots).seal('secret', 'of now')
    assert.throws(() => new Seal(OLD).open('secret', now), /restart it after a rotation/)
    assert.throws(() => new Seal(OLD).open('secret', now.replace('v2:1:', 'v1:')))
    for (const number of ['0', '01', '-1', '2', '1.0', '1e0', '999']) {
      assert.throws(() => new Seal(...roots).open('secret', now.replace('v2:1:', `v2:${number}:`)), number)
    }
  })

  it('what people keep is derived from the first root key, what a rotation must end from the newest', () => {
    assert.deepEqual(derivedKey(roots, 'webhook-secret'), derivedKey([OLD], 'webhook-secret'))
    assert.deepEqual(derivedKey(roots, 'demo-password'), derivedKey([OLD], 'demo-password'))
    for (const use of ['access-token', 'operator-session', 'csrf', 'device-cookie', 'stream-ticket', 'otp', 'checkout-code'] as const) {
      assert.deepEqual(derivedKey(roots, use), derivedKey([NEW], use), use)
    }
    assert.deepEqual(derivedKeys(roots, 'pin-pepper'), [...derivedKeys([OLD], 'pin-pepper'), ...derivedKeys([NEW], 'pin-pepper')])
  })

  it('each use has a key of its own', () => {
    const keys = (['csrf', 'otp', 'access-token', 'device-cookie', 'checkout-code'] as const).map((use) =>
      derivedKey([OLD], use).toString('hex'),
    )
    assert.equal(new Set(keys).size, keys.length)
    assert.throws(() => derivedKey([Buffer.alloc(31)], 'otp'))
  })

  describe('slow hashes', () => {
    const order = { queue: 'test', address: '', log2Cost: 10 } as const
    let threads: ScryptThreads

    before(() => {
      threads = new ScryptThreads(1)
    })

    after(() => threads.close())

    it('a hash names its pepper: hashes of before match, new ones are made under the newest', async () => {
      const [first, second] = [Buffer.alloc(32, 5), Buffer.alloc(32, 6)]
      const before = new SlowHash([first], threads)
      const both = new SlowHash([first, second], threads)
      const [old, now] = [String(await before.hash('7391', order)), String(await both.hash('7391', order))]
      assert.match(old, /^scrypt:v1:10:/)
      assert.match(now, /^scrypt:v2:1:10:/)
      assert.deepEqual([await both.matches('7391', old, order), await both.matches('7391', now, order)], [true, true])
      assert.deepEqual([await both.matches('7392', old, order), await both.matches('7392', now, order)], [false, false])
      const swapped = new SlowHash([second, first], threads)
      assert.deepEqual([await swapped.matches('7391', old, order), await swapped.matches('7391', now, order)], [false, false])
      await assert.rejects(before.matches('7391', now, order), /restart it after a rotation/)
    })
  })
})
