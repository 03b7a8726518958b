import { cauri } from './cauri.mjs'

const [endpoint] = await cauri.webhookEndpoints.list().toArray(1)
const { secret } = await cauri.webhookEndpoints.rotateSecret(endpoint.id, { overlap_seconds: 86_400 })
// Store the new secret. For a day each delivery is signed with both.
console.log(endpoint.url, secret.slice(0, 6))
