// A token under a mask: another text each time, the same token behind it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { masked, unmasked } from '../../../http/crypto/masked-token.ts'
import { isCsrfToken } from '../../../http/server/route-guards.ts'

const TOKEN = 'q8Jm3vN0sT2bXk5LrYc7WfHdPzUaGe1oI9nM4t6B-_8'

test('a masked token reads as another text each time and stands for the same token', () => {
  const [one, other] = [masked(TOKEN), masked(TOKEN)]
  assert.notEqual(one, other)
  assert.ok(!one.includes(TOKEN.slice(0, 8)))
  for (const sent of [one, other, TOKEN]) assert.deepEqual([unmasked(sent), isCsrfToken(sent, TOKEN)], [TOKEN, true])
})

test('what is no masked token stands for itself, and for no token', () => {
  const [mask = '', hidden = ''] = masked(TOKEN).split('.')
  for (const sent of ['', '.', mask, hidden, `${mask}.`, `.${hidden}`, `${mask}.${hidden.slice(2)}`, `${hidden}.${mask.slice(1)}x`, 'é.é'])
    assert.equal(isCsrfToken(sent, TOKEN), false, sent)
})
