// Hosted code on a real network: what `fetch` reaches, from inside a virtual machine to a TLS server of the test and back, and
// every way to a private address that code can try: by number, by name, by redirect, by an answer that changes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OutboundCalls } from '../../../../http/outbound/outbound-calls.ts'
import { hostedFetch } from '../../../../http/workers/hosted-code/hosted-fetch.ts'
import { NameServer } from '../../../support/name-server.ts'
import { AUTHORITY, Receiver } from '../../../support/receiver.ts'
import { openStand, type Stand, until } from '../../../support/sandbox-fixture.ts'

let names: NameServer
/** Where hosted code may go in tests. Its certificate is for good.example. */
let receiver: Receiver
/** Where it must not come. */
let canary: Receiver
/** The rules of production, and those with OUTBOUND_ALLOW_PRIVATE. */
let guarded: Stand
let open: Stand
const calls: OutboundCalls[] = []
const unexpected: unknown[] = []

before(async () => {
  canary = await Receiver.open()
  receiver = await Receiver.open('https')
  names = await NameServer.open((name, family, asked) => {
    const [four, six] = ANSWERS[name]?.(asked) ?? [null, null]
    return family === 4 ? four : six
  })
  const stand = (allowPrivate: boolean): Stand => {
    const outbound = new OutboundCalls({
      allowPrivate,
      nameServers: [names.address],
      authorities: AUTHORITY,
      onUnexpected: (error) => unexpected.push(error),
    })
    calls.push(outbound)
    return openStand({ threads: 2, broker: hostedFetch(outbound) })
  }
  guarded = stand(false)
  open = stand(true)
})

after(async () => {
  await Promise.all([guarded, open].map(({ sandbox }) => sandbox.close()))
  await Promise.all(calls.map((outbound) => outbound.close()))
  names.close()
  await Promise.all([receiver, canary].map((server) => server.close()))
})

type Addresses = readonly [four: readonly string[], six: readonly string[]]

const ANSWERS: Readonly<Record<string, (asked: number) => Addresses>> = {
  'good.example': () => [['127.0.0.1'], []],
  'other.example': () => [['127.0.0.1'], []],
  'loopback.example': () => [['127.0.0.1'], []],
  'metadata.example': () => [['169.254.169.254'], []],
  'six.example': () => [[], ['::1']],
  'mapped.example': () => [[], ['::ffff:7f00:1']],
  'mixed.example': () => [['192.0.2.1', '127.0.0.1'], []],
  // Public at the check, private at the connection.
  'changing.example': (asked) => [[asked % 2 === 1 ? '93.184.216.34' : '127.0.0.1'], []],
}

const errorOf = (url: string): string =>
  `async function lookup() { return fetch(${JSON.stringify(url)}).then(String, (error) => error.message) }`

const FORBIDDEN: readonly (readonly [url: string, error: string])[] = [
  ['https://127.0.0.1/', 'the address is not public'],
  ['https://2130706433/', 'the address is not public'],
  ['https://0x7f.1/', 'the address is not public'],
  ['https://0/', 'the address is not public'],
  ['https://[::1]/', 'the address is not public'],
  ['https://[::ffff:127.0.0.1]/', 'the address is not public'],
  ['https://[::ffff:a9fe:a9fe]/', 'the address is not public'],
  ['https://[64:ff9b::7f00:1]/', 'the address is not public'],
  ['https://[2002:7f00:1::]/', 'the address is not public'],
  ['https://[fd00::1]/', 'the address is not public'],
  ['https://169.254.169.254/latest/meta-data/', 'the address is not public'],
  ['https://10.0.0.1/', 'the address is not public'],
  ['https://100.64.0.1/', 'the address is not public'],
  ['https://localhost/', 'the address is not public'],
  ['https://api.localhost./', 'the address is not public'],
  ['https://loopback.example/', 'the address is not public'],
  ['https://metadata.example/', 'the address is not public'],
  ['https://six.example/', 'the address is not public'],
  ['https://mapped.example/', 'the address is not public'],
  ['https://mixed.example/', 'the address is not public'],
  ['https://missing.example/', 'the name was not found'],
  ['https://loopback.example:8443/', 'the address is not public'],
  ['http://good.example/', 'the URL must begin with https://'],
  ['ftp://good.example/', 'the URL is not valid, or names a user'],
  ['file:///etc/passwd', 'the URL is not valid, or names a user'],
  ['data:text/plain,hello', 'the URL is not valid, or names a user'],
  ['https://user:secret@good.example/', 'the URL is not valid, or names a user'],
]

for (const [url, error] of FORBIDDEN) {
  test(`${url} cannot be reached`, async () => {
    assert.equal(await guarded.value(errorOf(url)), `fetch failed: ${error}`)
    assert.equal(canary.connections, 0)
  })
}

test('the address that was checked is the one that is connected to: there is no second look that could differ', async () => {
  // No server answers at the public address here, so the run is given little time: on a busy machine none to ask in, then it runs again.
  const run = () => guarded.run(errorOf('https://changing.example/'), { timeoutMs: 700 })
  let first = await run()
  while (names.asked('changing.example', 4) === 0) first = await run()
  assert.notEqual(first.ok && first.value, '"fetch failed: the address is not public"')
  assert.equal(names.asked('changing.example', 4), 1)
  assert.equal(await guarded.value(errorOf('https://changing.example/')), 'fetch failed: the address is not public')
  assert.equal(names.asked('changing.example', 4), 2)
  assert.deepEqual([canary.connections, receiver.connections], [0, 0])
})

test('a redirect leads to no private address', async () => {
  const targets = ['http://127.0.0.1/', 'https://[::1]/', 'https://metadata.example/', 'ftp://good.example/']
  for (const target of targets) {
    const broker = hostedFetch({
      call: async (request) => {
        if (new URL(request.url).pathname !== '/start') return (calls[0] as OutboundCalls).call(request)
        return { kind: 'answered', status: 302, headers: new Map([['location', target]]), body: '', bytes: Buffer.alloc(0), durationMs: 1 }
      },
    })
    const request = { method: 'GET', url: 'https://good.example/start', headers: {}, body: null, withinMs: 1_000 } as const
    const answer = await broker(request, new AbortController().signal)
    assert.ok('error' in answer && /not public|https:|not valid/.test(answer.error), target)
  }
  assert.equal(canary.connections, 0)
})

test('with private targets allowed, code speaks TLS with a server of the test, by its name', async () => {
  receiver.answering = (received, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method: received.method, path: received.path, body: received.body, key: received.headers['x-key'] }))
  }
  const url = `https://good.example:${receiver.port}/bills?q=1`
  const source = `async function lookup(args) {
    const response = await fetch(${JSON.stringify(url)}, { method: 'POST', headers: { 'X-Key': 'k', Connection: 'upgrade' }, body: JSON.stringify(args) })
    return [response.status, response.headers.get('content-type'), await response.json()]
  }`
  const result = await open.run(source, { argument: { n: 1 } })
  assert.ok(result.ok, JSON.stringify(result))
  assert.deepEqual(JSON.parse(result.value), [200, 'application/json', { method: 'POST', path: '/bills?q=1', body: '{"n":1}', key: 'k' }])
  assert.equal(receiver.received.at(-1)?.servername, 'good.example')
  assert.deepEqual(
    result.fetches.map(({ method, host, status }) => ({ method, host, status })),
    [{ method: 'POST', host: `good.example:${receiver.port}`, status: 200 }],
  )
})

test('a certificate for another name is refused', async () => {
  assert.equal(
    await open.value(errorOf(`https://other.example:${receiver.port}/`)),
    'fetch failed: the certificate is not valid for this name',
  )
})

test('three redirects are followed, each with a request of its own', async () => {
  receiver.answering = (received, response) => {
    const step = Number(received.path.slice(1))
    if (step < 3) response.writeHead(302, { location: `/${step + 1}` }).end()
    else response.end('there')
  }
  const source = (from: number) => `async function lookup() {
    const response = await fetch('https://good.example:${receiver.port}/${from}')
    return [response.redirected, new URL(response.url).pathname, await response.text()]
  }`
  assert.deepEqual(await open.value(source(0)), [true, '/3', 'there'])
  const failure = await open.failure(source(-1))
  assert.match(failure.error, /^TypeError: fetch failed: more than 3 redirects/)
})

interface Body {
  readonly write: (piece: string) => void
  readonly end: () => void
  readonly isOpen: () => boolean
}

const BODIES: Readonly<Record<string, readonly [answer: (body: Body) => void, error: RegExp]>> = {
  'a body that is larger than 256 KB': [
    ({ write, end }) => {
      write('x'.repeat(256 * 1024 + 1))
      end()
    },
    /larger than 256 KB/,
  ],
  'a body without an end': [flood, /larger than 256 KB/],
  'a body that stops half-way': [({ write }) => write('{"half":'), /^timeout: took longer than 0.8 s/],
}

function flood(body: Body): void {
  body.write('x'.repeat(8 * 1024))
  if (body.isOpen()) setImmediate(flood, body)
}

for (const [name, [answer, error]] of Object.entries(BODIES)) {
  test(`${name} is not waited for`, async () => {
    receiver.answering = (_received, response) =>
      answer({ write: (piece) => response.write(piece), end: () => response.end(), isOpen: () => !response.destroyed })
    const source = `async function lookup() { return (await fetch('https://good.example:${receiver.port}/')).text() }`
    const { fault, error: told } = await open.failure(source, { timeoutMs: name.includes('half') ? 800 : 10_000 })
    assert.match(`${fault}: ${told}`, error)
    // Nothing goes on behind the run's back.
    await until(() => receiver.open === 0)
  })
}

test('more than ten calls of one run go nowhere', async () => {
  receiver.answering = (_received, response) => response.end('ok')
  const count = receiver.received.length
  const source = `async function lookup() {
    const calls = Array.from({ length: 50 }, () => fetch('https://good.example:${receiver.port}/').then(({ status }) => status, (error) => error.message))
    return (await Promise.all(calls)).reduce((sum, name) => ({ ...sum, [name]: (sum[name] ?? 0) + 1 }), {})
  }`
  assert.deepEqual(await open.value(source), { 200: 10, 'fetch failed: more than 10 in one run': 40 })
  assert.equal(receiver.received.length, count + 10)
})

test('calls without an await end with their run', async () => {
  receiver.answering = () => {
    // No answer, ever.
  }
  const source = `function lookup() { for (let n = 0; n < 10; n++) fetch('https://good.example:${receiver.port}/'); return 1 }`
  for (let round = 0; round < 5; round++) assert.equal(await open.value(source), 1)
  await until(() => receiver.open === 0)
})

test('nothing of this was a surprise', () => assert.deepEqual(unexpected, []))
