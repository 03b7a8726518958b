import { createServer } from 'node:http'
import { WebhookSignatureError, webhooks } from '@cauri/node'

const SECRET = process.env.CAURI_WEBHOOK_SECRET ?? ''
if (SECRET === '') throw new Error('CAURI_WEBHOOK_SECRET is empty: with an empty key any caller can sign')

const server = createServer(async (request, response) => {
  try {
    const event = await webhooks.receive(request, SECRET)
    // Store the event with its id before you answer: an event may come twice.
    console.log(request.headers['x-service-event-id'], event.type)
    response.writeHead(204).end()
  } catch (error) {
    // Forged, old, too large or broken off; an error of this program is answered with 500, and the event comes again.
    response.writeHead(error instanceof WebhookSignatureError ? error.status : 500).end()
  }
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log(`port ${server.address().port}`))
