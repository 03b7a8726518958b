import { cauri } from './cauri.mjs'

const charge = await cauri.charges.create({ amount: 2000, reference: 'CMD-1', description: 'Savon de karité' })
console.log(charge.state, charge.checkout_url)
