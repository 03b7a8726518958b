import { cauri } from './cauri.mjs'

// The id of the answer that made the endpoint; `cauri.webhookEndpoints.list()` lists it.
const { url, secret } = await cauri.webhookEndpoints.rotateSecret(process.env.ENDPOINT_ID, { overlap_seconds: 86_400 })
// Store the new secret. For a day each delivery is signed with both.
console.log(url, secret.slice(0, 6))
