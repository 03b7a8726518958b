import { createServer } from 'node:http'
import { billers, WebhookSignatureError } from '@cauri/node'

const SECRET = process.env.LOOKUP_SECRET ?? ''
const BILLS = { '01234567890': { number: 'FAC-2026-11-0042', customer: 'Awa Diallo', amount: 12_500 } }

async function answer(request, response) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  // Throws a WebhookSignatureError for a forged or old request.
  const { fields } = await billers.verifyLookup(Buffer.concat(chunks), request.headers['x-service-signature'], SECRET)
  const bill = BILLS[fields.numero]
  const due =
    bill === undefined
      ? { ok: false, reason: 'Compteur inconnu.' }
      : { ok: true, amount: bill.amount, customer_name: bill.customer, biller_ref: bill.number }
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(due))
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    response.writeHead(error instanceof WebhookSignatureError ? 401 : 500).end()
  })
})
server.listen(Number(process.env.PORT ?? 3443), () => console.log(`port ${server.address().port}`))
