import { cauri } from './cauri.mjs'

const link = await cauri.paymentLinks.create({ description: 'Boutique du marché, caisse 1' })
console.log(link.url)
