import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cauri } from './cauri.mjs'

// Each test makes its own wallet and reference, so that it depends on no other one.
const id = randomBytes(4).toString('hex')
const { tag } = await cauri.test.createWallet(`client_${id}`)
await cauri.test.deposit({ recipient: tag, amount: 5000 })

const charge = await cauri.charges.create({ amount: 1500, reference: `TEST-${id}` })
await cauri.test.payCharge(charge.token, { payer_tag: tag })
assert.equal((await cauri.charges.get(charge.token)).state, 'paid')

const failed = await cauri.payouts.create({ recipient: `nobody_${id}`, amount: 100 })
assert.equal(failed.failure_code, 'recipient_not_found')
console.log('passed')
