// The CSRF token of a session is compared whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCsrfToken } from '../../../http/server/route-guards.ts'

const TOKEN = 'pQ2x0kJ9dV4nZc7mT1sRwA8fYb3gHe6u'

test('a CSRF token counts in every character and in its length', () => {
  assert.equal(isCsrfToken(TOKEN, TOKEN), true)
  const changed = Array.from(TOKEN, (_, at) => `${TOKEN.slice(0, at)}-${TOKEN.slice(at + 1)}`)
  for (const wrong of ['', TOKEN.slice(1), TOKEN.slice(0, -1), `${TOKEN}A`, ...changed])
    assert.equal(isCsrfToken(wrong, TOKEN), false, wrong)
})
