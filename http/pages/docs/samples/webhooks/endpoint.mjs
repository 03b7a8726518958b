import { cauri } from './cauri.mjs'

const url = 'https://boutique.example/hooks/cauri'
const endpoint = await cauri.webhookEndpoints.create({ url, events: ['charge.succeeded', 'charge.refunded'] })
// The secret is in this answer alone: store it as CAURI_WEBHOOK_SECRET.
console.log(endpoint.id, endpoint.secret.slice(0, 6))
