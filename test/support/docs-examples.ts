// What the examples of the documents need: programs that run them, and a merchant whose customers have done their part.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { bundleClient } from '../../http/client/build/client-bundle.ts'
import { exampleParams, type ParamValues } from '../../http/pages/docs/reference-samples.ts'
import { readSamples } from '../../http/pages/docs/samples.ts'
import type { Route } from '../../http/server/route.ts'
import { CODE } from './bill-callers.ts'
import { logoForm } from './biller-callers.ts'
import { GOOD_PRODUCTS } from './biller-engine.ts'
import { signUp as signUpMerchant } from './dashboard-callers.ts'
import { eventuallyAsync } from './eventually.ts'
import { type Merchant, newKey, type TestServer } from './server-fixture.ts'
import { OPERATOR_TOKEN } from './server-process.ts'
import { newTestPhone, ok, type Person, PIN, showCode } from './wallet-callers.ts'

export const EXAMPLE_LANGUAGES = ['sh', 'mjs', 'py', 'php'] as const

export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number]

/** Runs each file in one process, behind a line with its name. An error of the API ends its file alone. */
export const RUNNERS: Readonly<Record<ExampleLanguage, string>> = {
  sh: 'for file in "$@"; do echo; echo "== $file"; (. "./$file"); done',
  mjs: `import { ApiError } from '@cauri/node'
for (const file of process.argv.slice(2)) {
  console.log('\\n== ' + file)
  await import('./' + file).catch((error) => {
    if (!(error instanceof ApiError)) throw error
    console.log('"code":', error.code)
  })
}`,
  py: `import runpy, sys, urllib.error
sys.path.insert(0, '.')
from cauri import CauriError
for file in sys.argv[1:]:
    print('\\n== ' + file)
    try:
        runpy.run_path(file)
    except CauriError as error:
        print('"code":', error.code)
    except urllib.error.HTTPError as error:
        print('"code":', error.read())`,
  php: `<?php
require_once 'cauri.php';
foreach (array_slice($argv, 1) as $file) {
    echo "\\n== $file\\n";
    try { (function () use ($file) { require $file; })(); } catch (CauriError $error) { echo '"code": ', $error->getMessage(); }
}`,
}

/** The same for the reference. Its many keys are made by the shell: the guides' examples run openssl. */
export const REFERENCE_RUNNERS: typeof RUNNERS = {
  ...RUNNERS,
  sh: `openssl() { echo "key-$RANDOM-$RANDOM-$RANDOM"; }\n${RUNNERS.sh}`,
}

/** Returns a function of the shell that runs npm's scripts without npm, from the build where there is one. */
export function npmFunction(root: string): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Readonly<Record<string, string>> }
  const rows = Object.entries(scripts).flatMap(([name, line]) => {
    const source = /^node --import tsx (\S+\.ts)$/.exec(line)?.[1]
    if (source === undefined) return []
    const entry = processEntry(pathToFileURL(join(root, source)))
    return [`${name}) '${process.execPath}' ${entry.map((word) => `'${word}'`).join(' ')} "$@" ;;`]
  })
  return `npm() { name=$2; shift 3; case $name in ${rows.join(' ')} *) exit 1 ;; esac; }\n`
}

/** Settings of the small clients, with a new pair of keys. */
export async function settingsOf(server: TestServer, merchant: Merchant, baseUrl: string): Promise<NodeJS.ProcessEnv> {
  const body = { environment: 'test', scopes: ['disbursements.write', 'disbursements.approve', 'billers.write'] }
  const path = `/v1/operator/merchants/${merchant.id}/api-keys`
  const key = (await ok(server.operator.post<{ public_key: string; secret_key: string }>(path, body))).body
  return { CAURI_URL: baseUrl, CAURI_API_KEY: key.public_key, CAURI_API_SECRET: key.secret_key }
}

/** Settings of the requests of wallets, operators and dashboard sessions. */
export async function tokensOf(server: TestServer, person: Person): Promise<NodeJS.ProcessEnv> {
  return {
    ACCESS_TOKEN: person.accessToken,
    SIGNUP_TOKEN: await showCode(server.anybody, newTestPhone(), 'signup'),
    LOGIN_TOKEN: await showCode(server.anybody, person.phone, 'login'),
    OPERATOR_TOKEN,
    ...(await sessionOf(server)),
  }
}

/** A session of a new merchant's dashboard. */
export async function sessionOf(server: TestServer): Promise<NodeJS.ProcessEnv> {
  const { cookie, csrfToken } = await signUpMerchant(server)
  return { SESSION_COOKIE: cookie, CSRF_TOKEN: csrfToken }
}

/** The profile that the guide to billers saves. After its publication name and category are frozen. */
const PROFILE = { display_name: 'Énergie du Sahel', category: 'electricity', short_desc: 'L’électricité de Dakar à Tambacounda.' }

/**
 * Does the customer's part of the guides: two mandates are approved, a charge and a bill are paid. Returns the ids that a merchant has
 * stored by then, as the examples read them.
 */
export async function doCustomersPart({ test: client }: Merchant, customer: Person): Promise<NodeJS.ProcessEnv> {
  await ok(client.post('/v1/biz/test/deposits', { recipient: customer.tag, amount: 100_000 }))
  const approved = async (terms: object): Promise<string> => {
    const { id } = (await ok(client.post<{ id: string }>('/v1/biz/mandates', { customer_tag: customer.tag, ...terms }))).body
    await ok(customer.client.post(`/v1/me/mandates/${id}/approve`, { pin: PIN }))
    return id
  }
  const MANDATE_ID = await approved({ amount: 5000, interval: 'monthly', reference: 'ABO-118' })
  const USAGE_MANDATE_ID = await approved({ max_amount: 10_000, interval: 'on_demand', reference: 'CONSO-7' })
  const { token: CHARGE_TOKEN } = (await ok(client.post<{ token: string }>('/v1/biz/charges', { amount: 900, reference: 'CMD-117' }))).body
  await ok(client.post(`/v1/biz/test/charges/${CHARGE_TOKEN}/pay`, { payer_tag: customer.tag }))
  const endpoint = { url: 'https://boutique.example/hooks', events: ['charge.succeeded'] }
  const { id: ENDPOINT_ID } = (await ok(client.post<{ id: string }>('/v1/biz/webhook-endpoints', endpoint))).body
  const { slug } = (await ok(client.request<{ slug: string }>('PUT', '/v1/biz/biller', { json: PROFILE }))).body
  await ok(client.request('POST', '/v1/biz/biller/logo', logoForm()))
  // While the sandbox starts, the API asks for another try.
  await eventuallyAsync(async () => {
    const made = await client.post('/v1/biz/biller/products', { slug: 'don', ...GOOD_PRODUCTS.user, ...CODE })
    assert.ok(made.status === 201 || made.status === 503, made.text)
    return made.status === 201
  }, 'the sandbox')
  await ok(client.post('/v1/biz/biller/submit', {}))
  await ok(client.post('/v1/biz/test/billers/approve', {}))
  const bill = { amount: 1500, pin: PIN }
  const paid = await ok(customer.client.post<{ transaction_id: string }>(`/v1/me/directory/${slug}/products/don/pay`, bill, newKey()))
  return { MANDATE_ID, USAGE_MANDATE_ID, CHARGE_TOKEN, ENDPOINT_ID, TRANSACTION_ID: paid.body.transaction_id }
}

/** Creates one object of each kind, and returns a function that gives a route the ids that exist. */
export async function existingValues({ test: client }: Merchant): Promise<(route: Route) => ParamValues> {
  const create = async (path: string, body: object): Promise<Record<string, string>> =>
    (await ok(client.post<Record<string, string>>(`/v1/biz/${path}`, body, newKey()))).body
  const { tag = '' } = await create('test/wallets', { tag: `t_${Date.now().toString(36)}${Math.floor(performance.now() * 1000) % 1e6}` })
  const line = { recipient: tag, amount: 100 }
  const made: Record<string, Record<string, string>> = {
    // The amount that the example of a refund has.
    charges: await create('charges', { amount: 15_000 }),
    'payment-links': await create('payment-links', { description: 'Caisse' }),
    payouts: await create('payouts', line),
    batch: await create('payouts/batch', { items: [line] }),
    'payout-schedules': await create('payout-schedules', { items: [line], recurrence: 'monthly', start_at: '2099-01-01T00:00:00Z' }),
    mandates: await create('mandates', { customer_tag: tag, amount: 100, interval: 'on_demand' }),
    'webhook-endpoints': await create('webhook-endpoints', { url: 'https://boutique.example/hooks', events: ['charge.succeeded'] }),
    'top-ups': await create('top-ups', { amount: 100 }),
    withdrawals: await create('withdrawals', { amount: 100, destination: { kind: 'bank', name: 'Awa Diallo', account: 'SN08 0100 1520' } }),
    transactions: (await ok(client.get<{ data: Record<string, string>[] }>('/v1/biz/transactions'))).body.data[0] ?? {},
    events: (await ok(client.get<{ data: Record<string, string>[] }>('/v1/biz/events'))).body.data[0] ?? {},
  }
  return (route) => {
    const segments = route.path.split('/')
    const noun = segments[segments.findIndex((segment) => segment.startsWith('{')) - 1] ?? ''
    const found = made[noun === 'checkout' ? 'charges' : noun] ?? {}
    return Object.fromEntries(Object.entries(exampleParams(route)).map(([name, example]) => [name, found[name] ?? example]))
  }
}

/** Returns a new folder with all examples and the client that they import. The caller removes it. */
export async function openExamples(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-docs-'))
  const own = join(folder, 'node_modules', '@cauri', 'node')
  await bundleClient(join(own, 'dist'))
  writeFileSync(join(own, 'package.json'), JSON.stringify({ type: 'module', exports: './dist/index.js' }))
  for (const [name, sample] of readSamples()) {
    for (const [ending, text] of Object.entries(sample)) writeFileSync(join(folder, fileOf(name, ending)), text)
  }
  return folder
}

/** Examples stand side by side, because they import the client from their own folder. */
export function fileOf(name: string, ending: string): string {
  return `${name.replace('/', '-')}.${ending}`
}
