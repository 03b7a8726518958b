// Merchants try their code and their endpoints out over HTTP, and read what it did: real code in a real sandbox, a real
// TLS server for the webhook, every answer held against the document.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CodeRun } from '../../../../engine/contract/code-run.ts'
import { makeProduct } from '../../../support/bill-callers.ts'
import { openBiller } from '../../../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../../../support/biller-engine.ts'
import type { Client } from '../../../support/client.ts'
import { Receiver } from '../../../support/receiver.ts'
import { type Merchant, TestServer } from '../../../support/server-fixture.ts'
import { ownServer, sharedServer } from '../../../support/shared-server.ts'

const PRODUCTS = '/v1/biz/biller/products'

let server: TestServer
let receiver: Receiver
let merchant: Merchant

before(async () => {
  receiver = await Receiver.open('https')
  server = await sharedServer({ OUTBOUND_ALLOW_PRIVATE: 'true' })
  merchant = (await openBiller(server, 'draft')).merchant
})

after(async () => {
  await receiver.close()
})

let products = 0

/** A product with this code or address; answers its path. */
async function product(more: Readonly<Record<string, unknown>>, mode: keyof typeof GOOD_PRODUCTS = 'lookup'): Promise<string> {
  const slug = `p${++products}`
  const { lookup_url: _, ...good } = { lookup_url: '', ...GOOD_PRODUCTS[mode] }
  await makeProduct(merchant.test, slug, { ...good, ...more })
  return `${PRODUCTS}/${slug}`
}

const codeLookup = (lookup_code: string) => product({ lookup_integration: 'code', lookup_code })
const fulfillment = (fulfillment_code: string, mode: keyof typeof GOOD_PRODUCTS = 'user') =>
  product({ fulfillment_mode: 'code', fulfillment_code }, mode)

async function runsOf(path: string, client: Client = merchant.test): Promise<readonly CodeRun[]> {
  const { status, body, text } = await client.get<{ data: CodeRun[] }>(`${path}/runs`)
  assert.equal(status, 200, text)
  return body.data
}

/** What does not differ from run to run. */
function gist({ kind, test: isTest, ok, error, logs }: CodeRun) {
  return { kind, test: isTest, ok, error, logs }
}

test('a lookup by code gets the question as the specification has it, and its answer comes back as it is', async () => {
  const path = await codeLookup(`async function lookup(args) {
    console.log('asked', args.product, JSON.stringify(args.fields))
    return { ok: true, amount: 5, extra: [Object.keys(args).sort(), typeof args.request_id, Number.isInteger(args.ts)] }
  }`)
  const { status, body } = await merchant.test.post(`${path}/test-lookup`, { fields: { compteur: '01234567890' } })
  assert.equal(status, 200)
  assert.deepEqual(body, { ok: true, amount: 5, extra: [['fields', 'product', 'request_id', 'ts'], 'string', true] })
  const [run, ...others] = await runsOf(path)
  assert.equal(others.length, 0)
  assert.deepEqual(gist(run as CodeRun), {
    kind: 'lookup',
    test: true,
    ok: true,
    error: null,
    logs: [`asked ${path.split('/').at(-1)} {"compteur":"01234567890"}`],
  })
})

const NO_OBJECT = { valid: false, problem: 'La réponse n’est pas un objet JSON.' } as const

const ANSWERS: Readonly<Record<string, readonly [code: string, answer: unknown]>> = {
  'a refusal of the merchant': [
    'function lookup() { return { ok: false, reason: "Contrat inconnu." } }',
    { ok: false, reason: 'Contrat inconnu.' },
  ],
  'JSON of another shape': ['function lookup() { return [1, "deux", null] }', { ...NO_OBJECT, answer: [1, 'deux', null] }],
  nothing: ['function lookup() {}', { ...NO_OBJECT, answer: null }],
  'an error': ['function lookup() {\n  throw new Error("down") }', { ok: false, transport_error: 'down (code.js:2)' }],
  'an import': [
    'async function lookup() { await import("node:fs") }',
    { ok: false, transport_error: "nothing can be imported here: 'node:fs'" },
  ],
  'too much work': ['function lookup() { for (;;); }', { ok: false, transport_error: 'used more than 1 s of processor time' }],
}

/** On a machine that is busy with other things a second of processor time may take ten of the wall's. */
const inProcessorTime = (text: string): string => text.replace('took longer than 10 s', 'used more than 1 s of processor time')

for (const [name, [code, answer]] of Object.entries(ANSWERS)) {
  test(`trying a lookup out answers 200: ${name}`, async () => {
    const path = await codeLookup(code)
    const { status, text } = await merchant.test.post(`${path}/test-lookup`, {})
    assert.deepEqual([status, JSON.parse(inProcessorTime(text))], [200, answer])
    const [run] = await runsOf(path)
    const error = (answer as { transport_error?: string } | null)?.transport_error ?? null
    assert.deepEqual([run?.ok, inProcessorTime(run?.error ?? '')], [error === null, error ?? ''])
  })
}

test('a trial of a webhook is a real call, and its failure is in the run log', async () => {
  receiver.answering = (_received, response) => response.end('{"ok":true,"amount":700,"n":1.0}')
  const path = await product({ lookup_url: receiver.url('/lookup', 'localhost'), lookup_secret: 'a-shared-secret' })
  const { status, text } = await merchant.test.post(`${path}/test-lookup`, { fields: { compteur: '1' } })
  // The certificate is for another name.
  const { transport_error } = JSON.parse(text) as { transport_error: string }
  assert.equal(status, 200)
  assert.match(transport_error, /certificat/)
  const [run, ...others] = await runsOf(path)
  assert.equal(others.length, 0)
  assert.deepEqual(gist(run as CodeRun), { kind: 'lookup', test: true, ok: false, error: transport_error, logs: [] })
  assert.deepEqual(
    run?.fetches.map(({ method, host, status }) => ({ method, host, status })),
    [{ method: 'POST', host: `localhost:${receiver.port}`, status: null }],
  )
})

test('an answer that customers would be refused for comes back with its own fields, valid: false and the problem', async () => {
  const path = await codeLookup('function lookup({ fields }) { return JSON.parse(fields.answer) }')
  const problems = {
    '{}': /ok doit/,
    '{ "ok": 1, "amount": 5 }': /ok doit/,
    '{"ok":true,"amount":"12500"}': /amount doit/,
    '{"ok":true,"amount":5,"currency":"EUR"}': /currency doit/,
    '{"ok":true,"amount":5,"label":7}': /label doit/,
    '{"ok":false}': /reason doit être un texte/,
    '{"ok":true,"amount":5,"customer_name":[]}': /customer_name doit/,
    '{"ok":true,"amount":5,"biller_ref":"a\\nb"}': /biller_ref doit/,
    '{"ok":true,"amount":5,"line_items":[{"label":"a","amount":4}]}': /line_items doit/,
  }
  for (const [answer, expected] of Object.entries(problems)) {
    const { status, body } = await merchant.test.post(`${path}/test-lookup`, { fields: { answer } })
    const { valid, problem, ...own } = body as unknown as Record<string, unknown>
    assert.deepEqual([status, valid, own], [200, false, JSON.parse(answer)], answer)
    assert.match(String(problem), expected)
  }
  for (const answer of ['{"ok":true,"amount":5,"unknown":{"a":[1]}}', '{"ok":false,"reason":"Contrat inconnu."}']) {
    const { body } = await merchant.test.post(`${path}/test-lookup`, { fields: { answer } })
    assert.deepEqual(body, JSON.parse(answer))
  }
})

const NOT_TEXT: readonly (readonly [string, object, string])[] = [
  ['test-lookup', { fields: { compteur: 7 } }, 'fields.compteur'],
  ['test-lookup', { fields: { compteur: { a: 'b' } } }, 'fields.compteur'],
  ['test-lookup', { fields: { compteur: null } }, 'fields.compteur'],
  ['test-lookup', { fields: ['a'] }, 'fields'],
  ['test-fulfillment', { form_values: { compteur: { a: 'b' } } }, 'form_values.compteur'],
  ['test-fulfillment', { form_values: { compteur: ['a'] } }, 'form_values.compteur'],
  ['test-fulfillment', { biller_ref: { a: 1 } }, 'biller_ref'],
]

for (const [verb, body, param] of NOT_TEXT) {
  test(`${verb} of ${JSON.stringify(body)} is refused with the param ${param}`, async () => {
    const path = await product({
      ...{ lookup_integration: 'code', lookup_code: 'function lookup() {}' },
      ...{ fulfillment_mode: 'code', fulfillment_code: 'function onPaid() {}' },
    })
    const answer = await merchant.test.post<{ code: string; param: string }>(`${path}/${verb}`, body)
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'invalid_request', param], answer.text)
    assert.deepEqual(await runsOf(path), [])
  })
}

test('no body at all is an empty one', async () => {
  const lookup = await codeLookup('function lookup(args) { return { ok: true, amount: 1, fields: args.fields } }')
  const asked = await merchant.test.request('POST', `${lookup}/test-lookup`)
  assert.deepEqual([asked.status, asked.body], [200, { ok: true, amount: 1, fields: {} }])
  const paid = await fulfillment('function onPaid(ctx) { if (ctx.amount <= 0) throw new Error("no test value") }')
  const told = await merchant.test.request('POST', `${paid}/test-fulfillment`)
  assert.deepEqual([told.status, told.body], [200, { ok: true, result: null }])
})

test('onPaid gets every field of its context, and test values for what was not sent', async () => {
  const path = await fulfillment('async function onPaid(ctx) { console.log(JSON.stringify(ctx)); return "let go of" }')
  const { status, body } = await merchant.test.post(`${path}/test-fulfillment`, {})
  assert.deepEqual([status, body], [200, { ok: true, result: null }])
  const [run] = await runsOf(path)
  const { transaction_id, charge_id, paid_at, biller, ...context } = JSON.parse(run?.logs[0] ?? '') as Record<string, unknown>
  assert.deepEqual(context, {
    product: path.split('/').at(-1),
    amount: 1000,
    currency: 'XOF',
    biller_ref: '',
    form_values: { montant: '1000' },
    merchant_id: merchant.id,
  })
  assert.ok(typeof transaction_id === 'string' && typeof charge_id === 'string' && transaction_id !== charge_id)
  assert.ok(Number.isInteger(paid_at) && typeof biller === 'string')
  assert.deepEqual([run?.kind, run?.test, run?.ok], ['fulfillment', true, true])
})

test('onPaid gets what was sent', async () => {
  const sent = { amount: 12_500, biller_ref: 'FAC-1', form_values: { compteur: '01234567890' } }
  const path = await product(
    {
      lookup_integration: 'code',
      lookup_code: 'function lookup() {}',
      fulfillment_mode: 'code',
      fulfillment_code:
        'function onPaid({ amount, biller_ref, form_values }) { console.log(JSON.stringify({ amount, biller_ref, form_values })) }',
    },
    'lookup',
  )
  assert.equal((await merchant.test.post(`${path}/test-fulfillment`, sent)).status, 200)
  assert.equal((await merchant.test.post(`${path}/test-fulfillment`, {})).status, 200)
  const [empty, full] = (await runsOf(path)).map(({ logs }) => JSON.parse(logs[0] ?? '') as unknown)
  assert.deepEqual(full, sent)
  assert.deepEqual(empty, { amount: 1000, biller_ref: 'TEST-0001', form_values: { compteur: 'TEST' } })
})

test('code that fails after a payment says so', async () => {
  const path = await fulfillment('async function onPaid() {\n\n  await missing() }')
  const { status, body } = await merchant.test.post(`${path}/test-fulfillment`, {})
  assert.deepEqual([status, body], [200, { ok: false, error: 'ReferenceError: missing is not defined (code.js:3)' }])
})

test('code calls out over HTTPS, and its run lists where', async () => {
  receiver.answering = (_received, response) => response.end('{"due":4200}')
  const url = receiver.url('/bills', 'localhost')
  const path = await codeLookup(`async function lookup() { return fetch('${url}').then((r) => r.json(), (e) => ({ failed: e.message })) }`)
  const { body } = await merchant.test.post(`${path}/test-lookup`, {})
  assert.equal((body as { failed?: string }).failed, 'fetch failed: the certificate is not valid for this name')
  const [run] = await runsOf(path)
  assert.deepEqual(
    run?.fetches.map(({ method, host, status }) => ({ method, host, status })),
    [{ method: 'GET', host: `localhost:${receiver.port}`, status: null }],
  )
})

test('a key runs once and keeps its answer', async () => {
  const path = await codeLookup('function lookup() { return { drawn: crypto.randomUUID() } }')
  const ask = (key: string) => merchant.test.post(`${path}/test-lookup`, { fields: {} }, { 'idempotency-key': key })
  const [first, again, other] = [await ask('k1'), await ask('k1'), await ask('k2')]
  assert.equal(first.text, again.text)
  assert.notEqual(first.text, other.text)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal((await runsOf(path)).length, 2)
  const reused = await merchant.test.post(`${path}/test-lookup`, { fields: { a: '1' } }, { 'idempotency-key': 'k1' })
  assert.equal(reused.status, 422)
})

test('the environments have run logs of their own, and other merchants have none of them', async () => {
  const path = await codeLookup('function lookup() { return 1 }')
  assert.equal((await merchant.live.post(`${path}/test-lookup`, {})).status, 200)
  assert.deepEqual([(await runsOf(path)).length, (await runsOf(path, merchant.live)).length], [0, 1])
  const { merchant: other } = await openBiller(server, 'draft')
  for (const answer of [await other.test.get(`${path}/runs`), await other.test.post(`${path}/test-lookup`, {})]) {
    assert.deepEqual([answer.status, answer.body.code], [404, 'product_not_found'])
  }
})

test('what is not there is not tried out', async () => {
  const plain = await product({}, 'user')
  const rows = [
    [`${plain}/test-lookup`, 409, 'lookup_not_configured'],
    [`${plain}/test-fulfillment`, 409, 'fulfillment_not_configured'],
    [`${PRODUCTS}/missing/test-lookup`, 404, 'product_not_found'],
    [`${PRODUCTS}/missing/test-fulfillment`, 404, 'product_not_found'],
  ] as const
  for (const [path, status, code] of rows) {
    const answer = await merchant.test.post(path, {})
    assert.deepEqual([answer.status, answer.body.code], [status, code], path)
  }
  const noScope = await server.keyed(merchant.id, 'test', ['disbursements.write'])
  assert.equal((await noScope.post(`${plain}/test-lookup`, {})).body.code, 'insufficient_scope')
})

test('after a crash the log is as it was', async () => {
  const first = await TestServer.open()
  try {
    const { merchant: owner } = await openBiller(first, 'draft')
    const code = { lookup_integration: 'code', lookup_code: 'function lookup(args) { console.log(args.fields.n); return 1 }' }
    const { lookup_url: _, ...good } = GOOD_PRODUCTS.lookup
    await makeProduct(owner.test, 'logged', { ...good, ...code })
    const path = `${PRODUCTS}/logged`
    for (const n of ['1', '2', '3']) await owner.test.post(`${path}/test-lookup`, { fields: { n } })
    const before = await runsOf(path, owner.test)
    assert.deepEqual(
      before.map(({ logs }) => logs[0]),
      ['3', '2', '1'],
    )
    await first.process.kill()
    const second = await ownServer({}, first.process.dataDir)
    try {
      assert.deepEqual(await runsOf(path, await second.keyed(owner.id, 'test', [])), before)
    } finally {
      await second.close()
    }
  } finally {
    await first.close()
  }
})
