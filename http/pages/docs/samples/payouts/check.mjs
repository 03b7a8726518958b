import { cauri } from './cauri.mjs'

const { exists, display_name } = await cauri.payouts.checkRecipient('@awa_demo')
console.log(exists, display_name)
