import { createServer } from 'node:http'
import { billers, WebhookSignatureError } from '@cauri/node'

const SECRET = process.env.LOOKUP_SECRET ?? ''
if (SECRET === '') throw new Error('LOOKUP_SECRET is empty: with an empty key any caller can sign')
const BILLS = new Map([['01234567890', { number: 'FAC-2026-11-0042', customer: 'Awa Diallo', amount: 12_500 }]])

const server = createServer(async (request, response) => {
  try {
    const { fields } = await billers.receiveLookup(request, SECRET)
    const bill = BILLS.get(fields.numero)
    const due =
      bill === undefined
        ? { ok: false, reason: 'Compteur inconnu.' }
        : { ok: true, amount: bill.amount, customer_name: bill.customer, biller_ref: bill.number }
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(due))
  } catch (error) {
    // Forged, old, too large or broken off.
    response.writeHead(error instanceof WebhookSignatureError ? error.status : 500).end()
  }
})
server.listen(Number(process.env.PORT ?? 3443), () => console.log(`port ${server.address().port}`))
