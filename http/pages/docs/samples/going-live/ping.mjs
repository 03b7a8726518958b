import { cauri } from './cauri.mjs'

const { environment, scopes } = await cauri.ping()
console.log(environment, scopes)
