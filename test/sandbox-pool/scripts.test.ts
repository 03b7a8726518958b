// The compiled scripts of hosted code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileScripts } from '../../sandbox-pool/scripts.ts'

test('of two callers at once each gets the scripts', async () => {
  const first = compileScripts()
  await new Promise((resolve) => setImmediate(resolve))
  const [one, other] = await Promise.all([first, compileScripts()])
  assert.match(one.globals, /guest\.install/)
  assert.equal(other.child, one.child)
})
