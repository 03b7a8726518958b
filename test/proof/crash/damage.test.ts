// The short form of `npm run crash -- --damage 3000`.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runDamage } from './damage-run.ts'

const DAMAGES = 50

it(`${DAMAGES} damaged data folders are refused, rebuilt or served as they were`, async () => {
  const { damages, outcomes, faults } = await runDamage({ damages: DAMAGES, seed: 16 })
  assert.deepEqual(faults, [])
  assert.equal(damages, DAMAGES)
  assert.ok(Object.keys(outcomes).length > 1, JSON.stringify(outcomes))
})
