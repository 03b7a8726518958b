// The network of hosted code: which calls one fetch becomes, what follows a redirect and what stays behind, and what the
// code gets when it may not or cannot go there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutboundRequest } from '../../../../http/outbound/outbound-calls.ts'
import { OUTBOUND_FAILURES, type OutboundFailure, type OutboundOutcome } from '../../../../http/outbound/outcome.ts'
import { OUTBOUND_RULES } from '../../../../http/outbound/rules.ts'
import { hostedFetch } from '../../../../http/workers/hosted-code/hosted-fetch.ts'
import type { FetchAnswer, FetchRequest } from '../../../../sandbox-pool/fetch-broker.ts'

const FIRST = 'https://api.example/first'
const BODY = Buffer.from([0xff, 0x00])

type Script = Readonly<Record<string, OutboundOutcome>>

function answered(status: number, headers: Readonly<Record<string, string>> = {}): OutboundOutcome {
  return { kind: 'answered', status, headers: new Map(Object.entries(headers)), body: '', bytes: BODY, durationMs: 1 }
}

/** A fetch over calls that answer by address; everywhere else 200. */
async function fetchOver(script: Script, request: Partial<FetchRequest> = {}): Promise<{ answer: FetchAnswer; calls: OutboundRequest[] }> {
  const calls: OutboundRequest[] = []
  const call = (made: OutboundRequest): Promise<OutboundOutcome> => {
    calls.push(made)
    return Promise.resolve(script[made.url] ?? answered(200, { 'x-a': 'b' }))
  }
  const whole: FetchRequest = { method: 'GET', url: FIRST, headers: {}, body: null, withinMs: 10_000, ...request }
  return { answer: await hostedFetch({ call })(whole, new AbortController().signal), calls }
}

test('a call goes out by the rule of hosted code, and comes back as it is', async () => {
  const { answer, calls } = await fetchOver({}, { method: 'PUT', headers: { 'x-key': '1' }, body: BODY, withinMs: 700 })
  const { rule, signal, withinMs = 0, ...made } = calls[0] as OutboundRequest
  assert.deepEqual(made, { method: 'PUT', url: FIRST, headers: { 'x-key': '1' }, body: BODY })
  assert.equal(rule, OUTBOUND_RULES.hostedFetch)
  assert.ok(signal !== undefined && withinMs > 0 && withinMs <= 700)
  assert.deepEqual(answer, { status: 200, headers: new Map([['x-a', 'b']]), body: BODY })
})

test('headers of the connection are left out', async () => {
  const own = {
    host: 'other.example',
    connection: 'close',
    'content-length': '5',
    'transfer-encoding': 'chunked',
    'accept-encoding': 'gzip',
  }
  const { calls } = await fetchOver({}, { headers: { ...own, authorization: 'Bearer x', 'user-agent': 'mine' } })
  assert.deepEqual(calls[0]?.headers, { authorization: 'Bearer x', 'user-agent': 'mine' })
})

const SENT = { authorization: 'Bearer x', cookie: 'a=b', 'content-type': 'application/json', 'x-key': '1' }

interface RedirectRow {
  readonly method: FetchRequest['method']
  readonly status: number
  readonly location: string
  readonly then: {
    readonly method: FetchRequest['method']
    readonly url: string
    readonly headers: readonly string[]
    readonly body: boolean
  }
}

const ALL = ['authorization', 'content-type', 'cookie', 'x-key']
const NO_BODY = ['authorization', 'cookie', 'x-key']
const SECOND = 'https://api.example/second'
const REDIRECTS: readonly RedirectRow[] = [
  { method: 'POST', status: 301, location: '/second', then: { method: 'GET', url: SECOND, headers: NO_BODY, body: false } },
  { method: 'POST', status: 302, location: 'second', then: { method: 'GET', url: SECOND, headers: NO_BODY, body: false } },
  { method: 'PUT', status: 302, location: SECOND, then: { method: 'PUT', url: SECOND, headers: ALL, body: true } },
  { method: 'PUT', status: 303, location: SECOND, then: { method: 'GET', url: SECOND, headers: NO_BODY, body: false } },
  { method: 'POST', status: 307, location: `${SECOND}#part`, then: { method: 'POST', url: SECOND, headers: ALL, body: true } },
  {
    method: 'POST',
    status: 308,
    location: 'https://other.example/',
    then: { method: 'POST', url: 'https://other.example/', headers: ['content-type', 'x-key'], body: true },
  },
  {
    method: 'POST',
    status: 307,
    location: 'https://api.example:8443/',
    then: { method: 'POST', url: 'https://api.example:8443/', headers: ['content-type', 'x-key'], body: true },
  },
]

for (const { method, status, location, then } of REDIRECTS) {
  test(`fetch follows ${status} to ${location} with ${method}`, async () => {
    const { answer, calls } = await fetchOver({ [FIRST]: answered(status, { location }) }, { method, headers: SENT, body: '{}' })
    assert.equal(calls.length, 2)
    const second = calls[1] as OutboundRequest
    assert.deepEqual(
      { method: second.method, url: second.url, headers: Object.keys(second.headers).sort(), body: second.body !== null },
      then,
    )
    assert.equal(second.rule, OUTBOUND_RULES.hostedFetch)
    assert.ok('status' in answer && answer.url === then.url)
  })
}

test('three redirects are followed, the fourth is an error', async () => {
  const at = (step: number): string => `https://api.example/${step}`
  const chain = (length: number): Script =>
    Object.fromEntries(Array.from({ length }, (_, step) => [at(step), answered(302, { location: at(step + 1) })]))
  const three = await fetchOver(chain(3), { url: at(0) })
  assert.ok('status' in three.answer && three.answer.status === 200 && three.answer.url === at(3))
  const four = await fetchOver(chain(4), { url: at(0) })
  assert.deepEqual(four.answer, { error: 'more than 3 redirects' })
  assert.equal(four.calls.length, 4)
})

test('what looks like a redirect and is none comes back as it is', async () => {
  for (const outcome of [answered(302), answered(304, { location: '/second' }), answered(200, { location: '/second' })]) {
    const { answer, calls } = await fetchOver({ [FIRST]: outcome })
    assert.ok('status' in answer && outcome.kind === 'answered' && answer.status === outcome.status && answer.url === undefined)
    assert.equal(calls.length, 1)
  }
})

test('a redirect to no URL is an error', async () => {
  const { answer } = await fetchOver({ [FIRST]: answered(302, { location: 'https://a b/' }) })
  assert.deepEqual(answer, { error: 'a redirect leads to no valid URL' })
})

for (const failure of Object.keys(OUTBOUND_FAILURES) as OutboundFailure[]) {
  test(`${failure} is reported in English`, async () => {
    const { answer } = await fetchOver({ [FIRST]: { kind: 'failed', failure, message: OUTBOUND_FAILURES[failure], durationMs: 1 } })
    assert.ok('error' in answer && /^[a-zA-Z0-9 ,:/()]+$/.test(answer.error), JSON.stringify(answer))
  })
}
