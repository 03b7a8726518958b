import { createServer } from 'node:http'
import { WebhookSignatureError, webhooks } from '@cauri/node'

const SECRET = process.env.CAURI_WEBHOOK_SECRET ?? ''

async function receive(request, response) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  // The raw bytes of the body. Throws a WebhookSignatureError for a forged or old event.
  const event = await webhooks.verify(Buffer.concat(chunks), request.headers['x-service-signature'], SECRET)
  // Store the event with its id before you answer: an event may come twice.
  console.log(request.headers['x-service-event-id'], event.type)
  response.writeHead(204).end()
}

const server = createServer((request, response) => {
  receive(request, response).catch((error) => {
    response.writeHead(error instanceof WebhookSignatureError ? 401 : 500).end()
  })
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log(`port ${server.address().port}`))
