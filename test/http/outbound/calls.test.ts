// Outgoing calls that reach a server: what comes back, and what becomes of servers that hang, drip, flood, redirect or lie.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { OutboundCalls, type OutboundRequest } from '../../../http/outbound/outbound-calls.ts'
import type { Answered, OutboundOutcome } from '../../../http/outbound/outcome.ts'
import { OUTBOUND_RULES, type OutboundRule } from '../../../http/outbound/rules.ts'
import { NameServer } from '../../support/name-server.ts'
import { eventually } from '../../support/raw-client.ts'
import { AUTHORITY, Receiver, rawServer } from '../../support/receiver.ts'

const STATUS: OutboundRule = OUTBOUND_RULES.webhook
const TEXT: OutboundRule = { ...OUTBOUND_RULES.webhook, read: 'text' }
/** Short enough to wait for, long enough for a busy machine to get through the rest. */
const SOON_MS = 300

let receiver: Receiver
let secure: Receiver
let names: NameServer
let outbound: OutboundCalls
const unexpected: unknown[] = []

before(async () => {
  receiver = await Receiver.open()
  secure = await Receiver.open('https')
  names = await NameServer.open((name, family, asked) => {
    if (!name.endsWith('.example')) return null
    if (name === 'moving.example') return family === 6 ? [] : [asked === 1 ? '127.0.0.1' : '127.0.0.2']
    return family === 4 ? ['127.0.0.1'] : []
  })
  outbound = new OutboundCalls({
    allowPrivate: true,
    nameServers: [names.address],
    authorities: AUTHORITY,
    onUnexpected: (error) => unexpected.push(error),
  })
})

afterEach(() => {
  receiver.answering = (_received, response) => response.end('ok')
  receiver.received.length = 0
  assert.deepEqual(unexpected, [])
})

after(async () => {
  await outbound.close()
  names.close()
  await receiver.close()
  await secure.close()
})

function send(url: string, rule: OutboundRule, more: Partial<OutboundRequest> = {}): Promise<OutboundOutcome> {
  return outbound.call({ rule, method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{"a":1}', ...more })
}

function answered(outcome: OutboundOutcome): Answered {
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome))
  return outcome as Answered
}

function failure(outcome: OutboundOutcome): string {
  return outcome.kind === 'failed' ? outcome.failure : `answered ${outcome.status}`
}

test('what was asked arrives, and what was answered comes back', async () => {
  receiver.answering = (_received, response) => {
    response.writeHead(201, { 'X-Two': ['one', 'two'], 'Set-Cookie': 'a=b' }).end('{"é":1}')
  }
  const outcome = answered(await send(receiver.url('/a?b=c'), TEXT))
  assert.deepEqual({ status: outcome.status, body: outcome.body }, { status: 201, body: '{"é":1}' })
  assert.equal(outcome.headers.get('x-two'), 'one, two')
  assert.equal(outcome.headers.has('set-cookie'), false)
  const [received] = receiver.received
  assert.deepEqual(
    { method: received?.method, path: received?.path, body: received?.body },
    { method: 'POST', path: '/a?b=c', body: '{"a":1}' },
  )
  assert.equal(received?.headers['accept-encoding'], 'identity')
})

test('a redirect is an answer, and is not followed', async () => {
  for (const status of [301, 302, 307, 308]) {
    receiver.answering = (_received, response) => response.writeHead(status, { location: receiver.url('/elsewhere') }).end()
    assert.equal(answered(await send(receiver.url('/here'), STATUS)).status, status)
  }
  assert.deepEqual(new Set(receiver.received.map(({ path }) => path)), new Set(['/here']))
})

test('an address without a server fails', async () => {
  const gone = await Receiver.open()
  const url = gone.url()
  await gone.close()
  assert.equal(failure(await send(url, STATUS)), 'connection_failed')
})

test('an answer that never begins ends with the deadline, also the caller’s own', async () => {
  receiver.answering = () => {}
  assert.equal(failure(await send(receiver.url(), { ...STATUS, headMs: SOON_MS })), 'timeout')
  assert.equal(failure(await send(receiver.url(), STATUS, { withinMs: SOON_MS })), 'timeout')
  await eventually(() => receiver.open === 0, 'the connections to be cut')
})

test('a connection that is never made ends with the deadline', async () => {
  const deaf = await rawServer((socket) => socket.pause())
  const outcome = await send(`https://127.0.0.1:${deaf.port}/`, { ...STATUS, headMs: SOON_MS })
  assert.equal(failure(outcome), 'timeout')
  await deaf.close()
})

test('a body that drips is no answer where it is wanted, and no matter where it is not', async () => {
  receiver.answering = (_received, response) => {
    response.writeHead(200).write('a')
    const drip = setInterval(() => response.write('a'), 20)
    response.once('close', () => clearInterval(drip))
  }
  assert.equal(failure(await send(receiver.url(), { ...TEXT, totalMs: SOON_MS })), 'timeout')
  assert.equal(answered(await send(receiver.url(), STATUS)).status, 200)
  await eventually(() => receiver.open === 0, 'the connections to be cut')
})

test('a body without an end is cut at its maximum', async () => {
  let sentBytes = 0
  receiver.answering = (_received, response) => {
    const flood = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384))) sentBytes += 16_384
      if (!response.destroyed) response.once('drain', flood)
    }
    flood()
  }
  assert.equal(failure(await send(receiver.url(), TEXT)), 'answer_too_large')
  assert.equal(answered(await send(receiver.url(), STATUS)).status, 200)
  await eventually(() => receiver.open === 0, 'the connections to be cut')
  assert.ok(sentBytes < 64 * 1024 * 1024, `${sentBytes} bytes were taken`)
})

test('a length that promises too much is believed', async () => {
  receiver.answering = (_received, response) => response.writeHead(200, { 'content-length': String(65_537) }).write('a')
  assert.equal(failure(await send(receiver.url(), TEXT)), 'answer_too_large')
  receiver.answering = (_received, response) => response.end('a'.repeat(65_536))
  assert.equal(answered(await send(receiver.url(), TEXT)).body.length, 65_536)
})

test('nothing is unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  receiver.answering = (_received, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  assert.equal(failure(await send(receiver.url(), TEXT)), 'invalid_answer')
  assert.equal(answered(await send(receiver.url(), STATUS)).status, 200)
})

test('what is not HTTP, ends too early or has a head without an end', async () => {
  const said: readonly (readonly [string, string])[] = [
    ['SSH-2.0-OpenSSH_9.6\r\n', 'invalid_answer'],
    ['HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n', 'invalid_answer'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello', 'connection_failed'],
    ['', 'connection_failed'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', 'connection_failed'],
    [`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}`, 'answer_too_large'],
  ]
  for (const [text, expected] of said) {
    const server = await rawServer((socket) => socket.once('data', () => socket.end(text)))
    const outcome = await send(`http://127.0.0.1:${server.port}/`, TEXT)
    assert.equal(failure(outcome), expected, text.slice(0, 40))
    await server.close()
  }
})

test('the certificate is checked for the name, at any address that the name leads to', async () => {
  const outcome = answered(await send(secure.url('/', 'good.example'), TEXT))
  assert.equal(outcome.status, 200)
  assert.equal(secure.received[0]?.servername, 'good.example')
  assert.equal(failure(await send(secure.url('/', 'evil.example'), TEXT)), 'tls_failed')
  assert.equal(failure(await send(secure.url('/'), TEXT)), 'tls_failed')
  assert.equal(secure.received.length, 1)
})

test('a certificate of an unknown issuer is rejected', async () => {
  const strict = new OutboundCalls({ allowPrivate: true, nameServers: [names.address], onUnexpected: (error) => unexpected.push(error) })
  const outcome = await strict.call({ rule: TEXT, method: 'GET', url: secure.url('/', 'good.example'), headers: {}, body: null })
  assert.equal(failure(outcome), 'tls_failed')
  await strict.close()
})

test('a connection asks for its name once, and goes where the answer that was looked at says', async () => {
  const elsewhere = await Receiver.open('http', '127.0.0.2')
  const url = `http://moving.example:${receiver.port}/`
  receiver.answering = (_received, response) => response.writeHead(200, { connection: 'close' }).end()
  assert.equal(answered(await send(url, STATUS)).status, 200)
  assert.equal(names.asked('moving.example', 4), 1)
  assert.equal(receiver.received.length, 1)
  assert.equal(elsewhere.connections, 0)
  // The next connection asks again: a name that moved is followed, after the same look at its answers.
  assert.equal(failure(await send(url, STATUS)), 'connection_failed')
  assert.equal(names.asked('moving.example', 4), 2)
  await elsewhere.close()
})

test('a connection serves again', async () => {
  // The one that the tests before have left may be about to end.
  assert.equal(answered(await send(receiver.url(), STATUS)).status, 200)
  const before = receiver.connections
  for (let count = 0; count < 5; count++) assert.equal(answered(await send(receiver.url(), STATUS)).status, 200)
  assert.ok(receiver.connections - before <= 1, `${receiver.connections - before} connections`)
})

test('bytes leave as they are', async () => {
  const body = Buffer.from([0, 255, 128, 10, 13])
  await send(receiver.url(), STATUS, { body, headers: {} })
  assert.deepEqual(receiver.received[0]?.bytes, body)
})

test('a stop ends what is under way', async () => {
  const own = new OutboundCalls({ allowPrivate: true, onUnexpected: (error) => unexpected.push(error) })
  receiver.answering = () => {}
  const pending = own.call({ rule: STATUS, method: 'POST', url: receiver.url(), headers: {}, body: '' })
  await receiver.until(1)
  await own.close()
  assert.equal(failure(await pending), 'stopped')
  assert.equal(failure(await own.call({ rule: STATUS, method: 'POST', url: receiver.url(), headers: {}, body: '' })), 'stopped')
  await eventually(() => own.openSockets === 0, 'the sockets to be closed')
})

test('a connection that closes behind a body too long to be held ends no process', async () => {
  // Compressed: a reader of the body waits for the decompression, while the rest and the end of the connection arrive (nodejs/undici#5360).
  const body = gzipSync(randomBytes(150_000).toString('hex'))
  const server = await rawServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from(CLOSED_BEHIND), body])))
  })
  const url = `http://127.0.0.1:${server.port}/`
  try {
    for (let round = 0; round < 20; round++) {
      assert.equal((await send(url, STATUS)).kind, 'answered')
      assert.equal((await send(url, TEXT)).kind, 'failed', 'it is not decompressed')
      assert.equal((await (await fetch(url)).text()).length, 300_000, 'the fetch of the tests')
    }
  } finally {
    await server.close()
  }
})

const CLOSED_BEHIND = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n'
