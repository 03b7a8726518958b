// Lookups against a TLS server of our own that is right, slow, broken or lying.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { SandboxRequest, SandboxResult } from '../../../../engine/actor/ports.ts'
import type { CodeRunReport } from '../../../../engine/domain/code-run/code-run-decide.ts'
import { OutboundCalls } from '../../../../http/outbound/outbound-calls.ts'
import { OUTBOUND_RULES, type OutboundRule } from '../../../../http/outbound/rules.ts'
import { LOOKUPS_PER_MERCHANT_MAX } from '../../../../http/workers/lookups/lookup-limits.ts'
import { type LookupAddress, type LookupQuestion, Lookups } from '../../../../http/workers/lookups/lookups.ts'
import type { RawLookup } from '../../../../http/workers/lookups/raw-lookup.ts'
import { verifySignature } from '../../../../http/workers/webhooks/verify-signature.ts'
import { NameServer } from '../../../support/name-server.ts'
import { eventually } from '../../../support/raw-client.ts'
import { AUTHORITY, Receiver } from '../../../support/receiver.ts'

const NOW_MS = 1_790_000_000_999
const SECRET = 'a secret of the merchant, é included'
/** Short enough to wait for, long enough for a busy machine to get through the rest. */
const SOON: OutboundRule = { ...OUTBOUND_RULES.lookup, headMs: 400, totalMs: 400 }
const DUE = { amount: 5000, currency: 'XOF', label: 'Novembre', customer_name: 'Awa D.', biller_ref: 'F-1', line_items: [] }

let receiver: Receiver
let names: NameServer
let outbound: OutboundCalls
let lookups: Lookups

before(async () => {
  receiver = await Receiver.open('https')
  names = await NameServer.open((name, family) => (name.endsWith('.example') ? (family === 4 ? ['127.0.0.1'] : []) : null))
  outbound = new OutboundCalls({
    allowPrivate: true,
    nameServers: [names.address],
    authorities: AUTHORITY,
    onUnexpected: (error) => assert.fail(String(error)),
  })
  lookups = lookupsBy(outbound)
})

afterEach(() => {
  receiver.received.length = 0
  reports.length = 0
})

after(async () => {
  await outbound.close()
  names.close()
  await receiver.close()
})

function lookupsBy(calls: OutboundCalls, rule: OutboundRule = OUTBOUND_RULES.lookup): Lookups {
  const open = (field: string, sealed: string): string => {
    assert.equal(field, 'lookup_secret')
    return sealed
  }
  return new Lookups({ outbound: calls, code: { run, record }, seal: { open }, nowMs: () => NOW_MS, rule })
}

/** What the sandbox says next, and what it was asked. */
let ran: SandboxResult
const runs: SandboxRequest[] = []

/** Rows of the run log. */
const reports: CodeRunReport[] = []

function record(_account: number, report: CodeRunReport): void {
  reports.push(report)
}

function run(request: SandboxRequest): Promise<SandboxResult> {
  runs.push(request)
  return Promise.resolve(ran)
}

/** A webhook lookup at this address. */
function at(url: string, sealedSecret: string | null = SECRET): LookupAddress {
  return { kind: 'webhook', url, sealedSecret }
}

function question(more: Partial<LookupQuestion> = {}): LookupQuestion {
  const to = at(receiver.url('/lookup?v=2', 'good.example'))
  const about = { merchantId: 'm-1', account: 7, environment: 'test', currency: 'XOF' } as const
  return { ...about, product: 'facture', fields: { contract: 'C-42', months: 2 }, to, ...more }
}

async function raw(asked: LookupQuestion, by = lookups): Promise<RawLookup> {
  return (await by.asked(asked)).raw
}

/** The receiver's next answers. */
function answers(status: number, body: string | Buffer, headers: Record<string, string> = {}): void {
  receiver.answering = (_received, response) => response.writeHead(status, headers).end(body)
}

test('the call is the one of the specification, signed over its bytes', async () => {
  answers(200, JSON.stringify({ ok: true, ...DUE }))
  assert.deepEqual(await lookups.ask(question()), { kind: 'due', due: DUE })
  const [received] = await receiver.until(1)
  assert.ok(received !== undefined)
  assert.equal(`${received.method} ${received.path}`, 'POST /lookup?v=2')
  assert.equal(received.headers['content-type'], 'application/json')
  const body = JSON.parse(received.body)
  assert.deepEqual(Object.keys(body), ['product', 'fields', 'request_id', 'ts'])
  assert.deepEqual(
    { ...body, request_id: '' },
    { product: 'facture', fields: { contract: 'C-42', months: '2' }, request_id: '', ts: 1_790_000_000 },
  )
  assert.match(body.request_id, /^[0-9a-f-]{36}$/)
  const signature = String(received.headers['x-service-signature'])
  assert.match(signature, /^t=1790000000,v1=[0-9a-f]{64}$/)
  const signed = { signature, nowS: 1_790_000_000, secret: SECRET }
  assert.equal(verifySignature({ ...signed, body: received.bytes }), 'valid')
  assert.equal(verifySignature({ ...signed, body: `${received.body} ` }), 'forged')
})

test('each call of a customer is a row of the run log', async () => {
  answers(500, 'secret')
  await lookups.ask(question())
  assert.deepEqual(
    reports.map(({ product, ok, fetches }) => [product, ok, fetches[0]?.status]),
    [['facture', false, 500]],
  )
})

test('an answer may begin with a byte order mark and be in ISO 8859-1, and 30 000 levels are a failure', async () => {
  const text = JSON.stringify({ ok: true, ...DUE, customer_name: 'Aïssatou Bâ' })
  answers(200, `\ufeff${text}`)
  assert.deepEqual(await lookups.ask(question()), { kind: 'due', due: { ...DUE, customer_name: 'Aïssatou Bâ' } })
  answers(200, Buffer.from(text, 'latin1'), { 'content-type': 'application/json; charset=ISO-8859-1' })
  assert.deepEqual(await lookups.ask(question()), { kind: 'due', due: { ...DUE, customer_name: 'Aïssatou Bâ' } })
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  answers(200, deep)
  ran = { ok: true, value: deep } as SandboxResult
  for (const to of [question().to, { kind: 'code', source: '' } as const]) assert.equal((await raw(question({ to }))).kind, 'failed')
})

test('without a secret the call carries no signature', async () => {
  answers(200, JSON.stringify({ ok: true, ...DUE }))
  await lookups.ask(question({ to: at(receiver.url('/lookup', 'good.example'), null) }))
  assert.equal(receiver.received[0]?.headers['x-service-signature'], undefined)
})

test('each call has a request_id of its own', async () => {
  answers(200, JSON.stringify({ ok: true, ...DUE }))
  for (let index = 0; index < 3; index++) await lookups.ask(question())
  assert.equal(new Set(receiver.received.map(({ body }) => JSON.parse(body).request_id)).size, 3)
})

test('the customer gets the merchant’s reason', async () => {
  answers(200, JSON.stringify({ ok: false, reason: 'Contrat inconnu' }))
  assert.deepEqual(await lookups.ask(question()), { kind: 'refused', code: 'lookup_failed', message: 'Contrat inconnu' })
  answers(200, JSON.stringify({ ok: false, reason: '' }))
  assert.deepEqual(await lookups.ask(question()), { kind: 'refused', code: 'lookup_failed', message: null })
})

test('the raw answer comes back as it was, in any shape', async () => {
  for (const text of ['{"ok": true,  "amount": 1.5, "__proto__": {"x": 1}}', '[1, 2]', 'null', '"bonjour"']) {
    answers(200, text)
    const answer = await raw(question())
    assert.ok(answer.kind === 'json')
    assert.equal(answer.text, text)
  }
})

const BROKEN: readonly (readonly [string, number, string | Buffer, RegExp, Record<string, string>?])[] = [
  ['500', 500, '{"ok": true, "amount": 5000}', /500/],
  ['404', 404, '', /404/],
  ['304', 304, '', /304/],
  ['a redirect', 302, '', /302/, { location: 'https://good.example/' }],
  ['HTML', 200, '<html>Bienvenue</html>', /JSON/],
  ['nothing', 200, '', /JSON/],
  ['half an answer', 200, '{"ok": true, "amo', /JSON/],
  ['two answers', 200, '{"ok": true, "amount": 1}{"ok": true, "amount": 2}', /JSON/],
  ['brackets without end', 200, '['.repeat(60_000), /JSON/],
  ['an answer without end', 200, `{"ok": true, "amount": 5000, "x": "${'x'.repeat(70_000)}"}`, /trop volumineuse/],
  ['a packed answer', 200, gzipSync('{"ok": true, "amount": 5000}'), /lisible/, { 'content-encoding': 'gzip' }],
]

for (const [name, status, body, said, headers] of BROKEN) {
  test(`${name}: unavailable, and the merchant sees why`, async () => {
    answers(status, body, headers)
    assert.deepEqual(await lookups.ask(question()), { kind: 'refused', code: 'lookup_unavailable', message: null })
    const answer = await raw(question())
    assert.ok(answer.kind === 'failed')
    assert.match(answer.transportError, said)
  })
}

test('an answer that lies about the amount is unavailable', async () => {
  answers(200, JSON.stringify({ ok: true, ...DUE, line_items: [{ label: 'Novembre', amount: 4999 }] }))
  assert.deepEqual(await lookups.ask(question()), { kind: 'refused', code: 'lookup_unavailable', message: null })
})

test('a server with another name’s certificate is not asked', async () => {
  const to = at(receiver.url('/lookup', 'other.example'))
  const answer = await raw(question({ to }))
  assert.ok(answer.kind === 'failed' && answer.code === 'lookup_unavailable')
  assert.match(answer.transportError, /certificat/)
  assert.equal(receiver.received.length, 0)
})

test('plain HTTP is not asked, even where private addresses are allowed', async () => {
  const to = at(`http://127.0.0.1:${receiver.port}/`)
  const answer = await raw(question({ to }))
  assert.ok(answer.kind === 'failed')
  assert.match(answer.transportError, /https/)
})

test('a name that leads to a private address is not asked', async () => {
  const guarded = new OutboundCalls({
    allowPrivate: false,
    nameServers: [names.address],
    onUnexpected: (error) => assert.fail(String(error)),
  })
  const answer = await raw(question(), lookupsBy(guarded))
  await guarded.close()
  assert.ok(answer.kind === 'failed' && answer.code === 'lookup_unavailable')
  assert.match(answer.transportError, /publique/)
  assert.equal(receiver.received.length, 0)
})

const SLOW: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['never answers', () => {}],
  ['never ends its answer', (response) => response.writeHead(200).write('{"ok": true, ')],
  ['drips', (response) => drip(response)],
]

function drip(response: ServerResponse): void {
  response.writeHead(200)
  const timer = setInterval(() => response.write(' '), 20)
  response.once('close', () => clearInterval(timer))
}

for (const [name, answer] of SLOW) {
  test(`a server that ${name}: too late, and its connection is gone`, async () => {
    receiver.answering = (_received, response) => answer(response)
    const outcome = await lookupsBy(outbound, SOON).ask(question())
    assert.deepEqual(outcome, { kind: 'refused', code: 'lookup_timeout', message: null })
    await eventually(() => receiver.open === 0, 'the connection is closed')
  })
}

test('a lookup takes ten seconds in all', () => {
  assert.equal(OUTBOUND_RULES.lookup.totalMs, 10_000)
})

test('a merchant whose system hangs is rejected more often, and delays no other merchant', async () => {
  const held: ServerResponse[] = []
  receiver.answering = (received, response) => {
    if (JSON.parse(received.body).product === 'lent') held.push(response)
    else response.end(JSON.stringify({ ok: true, ...DUE }))
  }
  const slow = Array.from({ length: 100 }, () => raw(question({ account: 8, product: 'lent' })))
  await eventually(() => held.length >= LOOKUPS_PER_MERCHANT_MAX, 'the calls of its maximum hang')
  assert.deepEqual(await lookups.ask(question({ account: 9 })), { kind: 'due', due: DUE })
  const refused = await raw(question({ account: 8 }))
  assert.ok(refused.kind === 'failed' && refused.code === 'lookup_unavailable')
  assert.match(refused.transportError, /Trop de consultations/)
  for (const response of held) response.end('{"ok": false}')
  const kinds = (await Promise.all(slow)).map(({ kind }) => kind)
  assert.equal(kinds.filter((kind) => kind === 'json').length, held.length)
  assert.equal(held.length, LOOKUPS_PER_MERCHANT_MAX)
})

test('a merchant that was rejected for its slowness is asked again once it answers', async () => {
  answers(200, JSON.stringify({ ok: true, ...DUE }))
  assert.deepEqual(await lookups.ask(question({ account: 8 })), { kind: 'due', due: DUE })
})

const TRACE = { durationMs: 3, fetches: [], logs: [] }
const CODE: LookupAddress = { kind: 'code', source: 'function lookup(args) {}' }

test('hosted code is asked the same question, within the same ten seconds', async () => {
  ran = { ...TRACE, ok: true, value: JSON.stringify({ ok: true, ...DUE }) }
  assert.deepEqual(await lookups.ask(question({ to: CODE })), { kind: 'due', due: DUE })
  const { argument, ...asked } = runs.at(-1) as SandboxRequest
  const about = { merchantId: 'm-1', account: 7, product: 'facture', purpose: 'test' }
  assert.deepEqual(asked, { ...about, entry: 'lookup', source: 'function lookup(args) {}', timeoutMs: 10_000 })
  assert.deepEqual(Object.keys(JSON.parse(argument)), ['product', 'fields', 'request_id', 'ts'])
})

test('what hosted code returns is a stranger’s answer too', async () => {
  for (const value of ['null', '5000', '{"ok":true,"amount":"5000"}', '{"amount":5000}']) {
    ran = { ...TRACE, ok: true, value }
    assert.deepEqual(await lookups.ask(question({ to: CODE })), { kind: 'refused', code: 'lookup_unavailable', message: null })
    const answer = await raw(question({ to: CODE }))
    assert.equal(answer.kind === 'json' && answer.text, value)
  }
})

test('the cause of a failed run decides what the customer sees', async () => {
  const codes = { code: 'lookup_unavailable', timeout: 'lookup_timeout', busy: 'lookup_unavailable', unavailable: 'unavailable' } as const
  for (const [fault, code] of Object.entries(codes)) {
    ran = { ...TRACE, ok: false, fault: fault as keyof typeof codes, started: true, error: `Error: ${fault}` }
    assert.deepEqual(await lookups.ask(question({ to: CODE })), { kind: 'refused', code, message: null })
    assert.deepEqual(await raw(question({ to: CODE })), { kind: 'failed', code, transportError: `Error: ${fault}` })
  }
})
