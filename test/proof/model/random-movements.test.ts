// The operator's rules against a model of their own: random movements of three currencies, with tiers, limits and plans that change, over
// days, month ends and restarts. After each movement the answer, its fee and every balance are those of the model. `npm run model` is the
// long form.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MOVEMENTS_OF_WORLD, playedWorlds } from './played-worlds.ts'

it('no sequence of movements passes a limit, each fee is as the formula says, and each currency sums to zero', async () => {
  const seen = await playedWorlds(1, MOVEMENTS_OF_WORLD)
  const wanted = [
    'made',
    'fee',
    'refund',
    'bill',
    'refund of a bill',
    'mandate',
    'mandate by timer: made',
    'mandate by timer: limit_exceeded',
    'disbursement',
    'disbursement paused',
    'withdrawal',
    'restart',
    'month',
    'limit.near',
    'insufficient_balance',
    'currency_mismatch',
    'funds_paid_out',
  ]
  const limits = ['limit_exceeded', 'recipient_limit_exceeded', 'merchant_limit_exceeded']
  for (const what of [...wanted, ...limits]) assert.ok((seen.get(what) ?? 0) > 0, `${what} occurs: ${JSON.stringify([...seen])}`)
})
