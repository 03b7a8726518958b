// Which passwords are too easy, and how often an address may try.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AddressLimit } from '../../http/auth/address-limit.ts'
import { isWeakPassword } from '../../http/auth/password-rules.ts'

const OWNER = { email: 'compta@boutique-awa.example', merchantName: 'Boutique Awa' }

const WEAK = [
  '',
  'court',
  'neuf_cars',
  '1234567890',
  '0987654321',
  '9876543210',
  '1111111111',
  '1212121212',
  '123123123123',
  'aaaaaaaaaaaa',
  'abababababab',
  'azertyuiop',
  'Azertyuiop1',
  'Password123',
  'motdepasse',
  'MotDePasse1!',
  '!!bonjour!',
  'compta@boutique-awa.example',
  'boutique awa',
  '😀😀😀😀😀😀😀😀😀',
]
const FINE = [
  'cauris au soleil de midi',
  'Tr0is-pirogues',
  'zq8rk2vb1x',
  'password et plus encore',
  '4815162342x',
  '0758412963',
  '19 mars 1962 à Évian',
]

describe('passwords', () => {
  for (const password of WEAK) test(`${JSON.stringify(password)} is weak`, () => assert.equal(isWeakPassword(password, OWNER), true))
  for (const password of FINE) test(`${JSON.stringify(password)} is fine`, () => assert.equal(isWeakPassword(password, OWNER), false))
})

describe('an address', () => {
  const HOUR_MS = 3_600_000

  test('has so many tries at once, and as many again over an hour', () => {
    const limit = new AddressLimit(4, 10)
    for (let tries = 0; tries < 4; tries++) {
      assert.equal(limit.waitS('a', 0), 0)
      limit.count('a', 0)
    }
    assert.equal(limit.waitS('a', 0), 900)
    assert.equal(limit.waitS('b', 0), 0)
    assert.equal(limit.waitS('a', HOUR_MS / 8), 450)
    assert.equal(limit.waitS('a', HOUR_MS / 4), 0)
    limit.count('a', HOUR_MS / 4)
    assert.equal(limit.waitS('a', HOUR_MS / 4), 900)
    assert.equal(limit.waitS('a', 9 * HOUR_MS), 0)
  })

  test('is one of a bounded number: the one that tried longest ago is forgotten', () => {
    const limit = new AddressLimit(1, 2)
    for (const address of ['a', 'b', 'a', 'c']) limit.count(address, 0)
    assert.deepEqual(
      ['a', 'b', 'c'].map((address) => limit.waitS(address, 0) > 0),
      [true, false, true],
    )
  })
})
