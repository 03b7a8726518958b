import { cauri } from './cauri.mjs'

const { available, pending, currency } = await cauri.balance()
console.log(`${available} available, ${pending} pending, ${currency}`)
