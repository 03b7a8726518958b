import { randomBytes } from 'node:crypto'
import { cauri } from './cauri.mjs'

await cauri.test.deposit({ amount: 1_000_000, reference: 'DEPOT-1' })
const { tag, phone, pin } = await cauri.test.createWallet(`client_${randomBytes(4).toString('hex')}`)
// The wallet is empty: with this deposit it can pay a charge.
await cauri.test.deposit({ recipient: tag, amount: 50_000, reference: 'DEPOT-2' })
console.log(tag, phone, pin)
