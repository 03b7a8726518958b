// A shop: an order is paid on Cauri's payment page, a signed webhook confirms it, and a button refunds it.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { ApiError, Cauri, CauriError, WebhookSignatureError, webhooks } from '@cauri/node'
import { homePage, orderPage } from './pages.js'

const { CAURI_URL = 'http://127.0.0.1:8080', CAURI_API_KEY = '', CAURI_API_SECRET = '' } = process.env
const { PORT = '3000', PUBLIC_URL = '', WEBHOOK_SECRET } = process.env
const BODY_MAX_BYTES = 64 * 1024
const PRODUCTS = [
  { id: 'pagne', name: 'Pagne wax', amount: 12_500 },
  { id: 'cafe', name: 'Café Touba', amount: 1_500 },
]

if (CAURI_API_KEY === '' || CAURI_API_SECRET === '') {
  console.error('Set CAURI_API_KEY and CAURI_API_SECRET: npm start prints a pair of test keys.')
  process.exit(2)
}
const cauri = new Cauri({ baseUrl: CAURI_URL, publicKey: CAURI_API_KEY, secretKey: CAURI_API_SECRET })
/** Orders by id. A real shop stores them in its database. */
const orders = new Map()
/** Signs webhooks: the secret of the first endpoint, or the default one of a merchant without endpoints. */
let secret = WEBHOOK_SECRET ?? ''
let shopUrl = ''

async function createOrder(productId) {
  const product = PRODUCTS.find(({ id }) => id === productId)
  if (product === undefined) return null
  const id = `CMD-${randomUUID()}`
  const charge = await cauri.charges.create(
    {
      amount: product.amount,
      reference: id,
      description: product.name,
      redirect_url: `${shopUrl}/orders/${id}`,
      ...(PUBLIC_URL === '' ? {} : { webhook_url: `${PUBLIC_URL}/webhooks` }),
    },
    // The same order never has two charges, also when this request is repeated after a crash.
    { idempotencyKey: id },
  )
  orders.set(id, { id, product, state: 'pending', token: charge.token })
  return charge.checkout_url
}

/** An event may come twice: the second changes nothing. */
function takeEvent(event) {
  if (event.type !== 'charge.succeeded') return
  const order = orders.get(event.data.reference)
  if (order?.state === 'pending' && event.data.amount === order.product.amount) order.state = 'paid'
}

async function refund(order) {
  if (order.state !== 'paid') return
  const charge = await cauri.charges.refund(order.token, { amount: order.product.amount }, { idempotencyKey: `refund-${order.id}` })
  order.state = charge.state
}

async function bodyOf(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > BODY_MAX_BYTES) throw new RangeError('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function answer(request, response) {
  const [, place, id = '', action = ''] = new URL(request.url, 'http://shop').pathname.split('/')
  const route = `${request.method} /${place}`
  if (route === 'GET /') return page(response, homePage(PRODUCTS, [...orders.values()]))
  if (route === 'POST /webhooks') {
    takeEvent(await webhooks.receive(request, secret))
    return response.end()
  }
  if (route === 'POST /orders' && id === '') {
    const form = new URLSearchParams((await bodyOf(request)).toString())
    const checkoutUrl = await createOrder(form.get('product'))
    if (checkoutUrl !== null) return response.writeHead(303, { Location: checkoutUrl }).end()
  }
  const order = orders.get(id)
  if (route === 'GET /orders' && order !== undefined) return page(response, orderPage(order))
  if (route === 'POST /orders' && order !== undefined && action === 'refund') {
    await refund(order)
    return response.writeHead(303, { Location: `/orders/${id}` }).end()
  }
  response.writeHead(404).end()
}

function page(response, html) {
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.end(html)
}

function fail(response, error) {
  if (error instanceof WebhookSignatureError) return response.writeHead(error.status).end()
  if (error instanceof RangeError) return response.writeHead(413).end()
  console.error(error)
  // The message of a rejection is in French, ready to be shown.
  response.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' })
  response.end(error instanceof ApiError ? error.message : 'Une erreur est survenue. Réessayez.')
}

/** Without a public address no webhook can come: events of the stream are signed and posted to this server instead. */
async function forwardEvents(onOpen) {
  const onLost = (error) => console.error(error.message)
  for await (const { type, data } of cauri.events.stream({ types: ['charge.succeeded'], onOpen, onLost })) {
    const body = JSON.stringify({ type, data })
    const headers = { 'X-Service-Signature': await webhooks.sign(body, secret) }
    await fetch(`${shopUrl}/webhooks`, { method: 'POST', headers, body })
  }
}

async function main() {
  if (secret === '') secret = await cauri.webhookEndpoints.defaultSecret()
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => fail(response, error))
  })
  server.listen(Number(PORT), 'localhost')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  shopUrl = `http://localhost:${port}`
  const ready = () => console.log(`Shop: ${shopUrl}/`)
  if (PUBLIC_URL === '') await forwardEvents(ready)
  else ready()
}

try {
  await main()
} catch (error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
  const isTaken = code === 'EADDRINUSE'
  if (!isTaken && !(error instanceof CauriError)) throw error
  console.error(isTaken ? `Port ${PORT} is taken: set PORT to another one.` : `${CAURI_URL}: ${message}`)
  process.exit(1)
}
