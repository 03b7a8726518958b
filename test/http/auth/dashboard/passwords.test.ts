// Which passwords are too easy.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isWeakPassword } from '../../../../http/auth/dashboard/password-rules.ts'

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
