import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkToken } from '../../../http/crypto/link-token.ts'

test('no token of a link begins with a hyphen, and none comes twice', () => {
  const tokens = Array.from({ length: 2000 }, () => linkToken(16))
  assert.deepEqual(
    tokens.filter((token) => !/^[A-Za-z0-9_][A-Za-z0-9_-]{21}$/.test(token)),
    [],
  )
  assert.equal(new Set(tokens).size, tokens.length)
})
