// A biller: one lookup, as hosted code and as a webhook of the biller's own server. Both products are made and tried.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { billers, Cauri, CauriError, NotFoundError, WebhookSignatureError } from '@cauri/node'
import { lookup } from './lookup.js'

const { CAURI_URL = 'http://127.0.0.1:8080', CAURI_API_KEY = '', CAURI_API_SECRET = '' } = process.env
const { TLS_KEY = '', TLS_CERT = '', PORT = '3443', LOOKUP_URL = '', LOOKUP_SECRET = 'un-secret-pour-les-consultations' } = process.env
const METERS = ['01234567890', '00000000000']

const PROFILE = {
  display_name: 'Énergie du Sahel',
  category: /** @type {const} */ ('electricity'),
  short_desc: 'L’électricité de Dakar à Tambacounda.',
}
const FIELD = { id: 'numero', label: 'Numéro de compteur', type: 'text', required: true, pattern: '^[0-9]{11}$' }
const PRODUCT = {
  amount_mode: 'lookup',
  schema: { steps: [{ id: 'compteur', title: 'Votre compteur', action: 'resolve', fields: [FIELD] }] },
}

if (LOOKUP_SECRET === '') {
  console.error('LOOKUP_SECRET is empty: with an empty key any caller can sign.')
  process.exit(2)
}
if (CAURI_API_KEY === '' || CAURI_API_SECRET === '') {
  console.error('Set CAURI_API_KEY and CAURI_API_SECRET: npm start prints a pair of test keys.')
  process.exit(2)
}
const cauri = new Cauri({ baseUrl: CAURI_URL, publicKey: CAURI_API_KEY, secretKey: CAURI_API_SECRET, language: 'en' })

/** Returns the first answer, or the second where the first finds nothing. */
async function found(first, second) {
  try {
    return await first()
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    return await second()
  }
}

async function saveProduct(slug, body) {
  await found(
    () => cauri.products.replace(slug, { ...PRODUCT, ...body }),
    () => cauri.products.create({ slug, ...PRODUCT, ...body }),
  )
}

async function tryLookups(slug) {
  for (const numero of METERS) {
    const answer = await cauri.products.testLookup(slug, { fields: { numero } })
    const reason = 'reason' in answer ? answer.reason : 'no answer'
    const text = 'amount' in answer ? `${answer.amount} XOF, ${answer.label}, ${answer.customer_name}` : reason
    console.log(`${slug} ${numero}: ${text}`)
  }
}

async function answerLookup(request, response) {
  const question = await billers.receiveLookup(request, LOOKUP_SECRET)
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(lookup(question)))
}

async function listen() {
  const keys = { key: await readFile(TLS_KEY), cert: await readFile(TLS_CERT) }
  const server = createServer(keys, (request, response) => {
    answerLookup(request, response).catch((error) => {
      if (error instanceof WebhookSignatureError) return response.writeHead(error.status).end()
      console.error(error)
      response.writeHead(500).end()
    })
  })
  server.listen(Number(PORT), 'localhost')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return LOOKUP_URL === '' ? `https://localhost:${port}/lookup` : LOOKUP_URL
}

async function main() {
  await found(
    () => cauri.biller.get(),
    () => cauri.biller.save(PROFILE),
  )
  const code = await readFile(join(import.meta.dirname, 'lookup.js'), 'utf8')
  await saveProduct('facture-code', { title: 'Facture (code hébergé)', lookup_integration: 'code', lookup_code: code })
  await tryLookups('facture-code')
  if (TLS_KEY === '') {
    console.log('facture-webhook: set TLS_KEY and TLS_CERT to answer lookups by webhook too')
  } else {
    const url = await listen()
    const webhook = { lookup_integration: 'webhook', lookup_url: url, lookup_secret: LOOKUP_SECRET }
    await saveProduct('facture-webhook', { title: 'Facture (webhook)', ...webhook })
    await tryLookups('facture-webhook')
    console.log(`Lookups: ${url}`)
  }
}

try {
  await main()
} catch (error) {
  // A file of TLS_KEY or TLS_CERT, or the port.
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
  if (!(error instanceof CauriError) && code === undefined) throw error
  console.error(error instanceof CauriError ? `${CAURI_URL}: ${message}` : message)
  process.exit(1)
}
