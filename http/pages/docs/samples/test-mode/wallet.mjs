import { randomBytes } from 'node:crypto'
import { cauri } from './cauri.mjs'

await cauri.test.deposit({ amount: 1_000_000 })
const { tag, phone, pin } = await cauri.test.createWallet(`client_${randomBytes(4).toString('hex')}`)
console.log(tag, phone, pin)
