// The load generator against small servers: what arrives, what is counted, and how it ends when a server misbehaves.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { percentilesOf } from '../../bench/load/histogram.ts'
import { LoadRun } from '../../bench/load/load-run.ts'
import type { LoadPlan } from '../../bench/load/plan.ts'
import { inventMerchantKeys, payoutPlan } from '../../bench/load/population.ts'

interface Received {
  readonly url: string
  readonly publicKey: string
  readonly key: string
  readonly recipient: string
}

const closers: (() => void)[] = []
after(() => {
  for (const close of closers) close()
})

async function listen(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('utf8')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address !== 'string')
  return address.port
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body)
}

function planFor(port: number, change: Partial<LoadPlan>): LoadPlan {
  const merchants = inventMerchantKeys(3)
  const plan = payoutPlan({ port, connections: 8, seconds: 0.2, ratePerSecond: null, seed: 1, isFirst: false, merchants, wallets: 50 })
  return { ...plan, warmupSeconds: 0.05, ...change }
}

test('closed loop: every request is a payout of its own, and answers are counted', async () => {
  const received: Received[] = []
  const port = await listen((request, response, body) => {
    const { recipient } = JSON.parse(body) as { recipient: string }
    const { 'x-api-key': publicKey, 'idempotency-key': key } = request.headers
    received.push({ url: `${request.method} ${request.url}`, publicKey: String(publicKey), key: String(key), recipient })
    reply(response, 201, '{"state":"paid"}')
  })
  const plan = planFor(port, {})
  const edges: string[] = []
  const result = await new LoadRun(plan).run((edge) => edges.push(edge))

  assert.deepEqual(edges, ['window-opens', 'window-closes'])
  assert.deepEqual(result.statuses, { 201: result.done })
  assert.ok(result.done > 0 && result.done <= received.length)
  assert.equal(percentilesOf([result.latency]).count, result.done)
  assert.equal(new Set(received.map(({ key }) => key)).size, received.length)
  assert.deepEqual(new Set(received.map(({ publicKey }) => publicKey)), new Set(plan.shapes.map(({ headers }) => headers['X-Api-Key'])))
  for (const { url, recipient } of received) {
    assert.equal(url, 'POST /v1/biz/payouts')
    assert.match(recipient, /^@w00000[0-4]\d$/)
  }
})

test('a right status with a wrong body is no success', async () => {
  let paid = false
  const port = await listen((_request, response) => {
    paid = !paid
    reply(response, 201, paid ? '{"state":"paid"}' : '{"state":"failed"}')
  })
  const result = await new LoadRun(planFor(port, {})).run(() => undefined)
  const answers = result.statuses[201] ?? 0
  assert.ok(result.done > 0 && result.done < answers)
  assert.equal(percentilesOf([result.refusalLatency]).count, answers - result.done)
})

test('open loop: each request that was due is accounted for, even while the server holds answers back', async () => {
  const held: (() => void)[] = []
  const port = await listen((_request, response) => {
    held.push(() => reply(response, 201, '{"state":"paid"}'))
    if (held.length < 4) return
    for (const release of held.splice(0)) release()
  })
  const ratePerSecond = 500
  const result = await new LoadRun(planFor(port, { connections: 4, ratePerSecond })).run(() => undefined)
  const { count } = percentilesOf([result.latency])
  assert.ok(count > 0)
  assert.ok(Math.abs(count + result.unfinished - result.seconds * ratePerSecond) <= 1)
})

test('open loop: a request without a free connection is dropped when the plan says so', async () => {
  const held: (() => void)[] = []
  const port = await listen((_request, response) => {
    held.push(() => reply(response, 201, '{"state":"paid"}'))
    if (held.length === 2) setTimeout(() => held.splice(0).map((release) => release()), 20)
  })
  const ratePerSecond = 1000
  for (const pacing of ['sleep', 'spin'] as const) {
    const plan = planFor(port, { connections: 2, ratePerSecond, openLoop: { pacing, wakeUpUs: 100, whenBusy: 'drop' } })
    const result = await new LoadRun(plan).run(() => undefined)
    const { count, maxUs } = percentilesOf([result.latency])
    assert.ok(count > 0 && result.dropped > count)
    assert.ok(Math.abs(count + result.dropped + result.unfinished - result.seconds * ratePerSecond) <= 1)
    assert.ok(percentilesOf([result.sendLag]).maxUs <= maxUs)
  }
})

test('open loop: requests due before the window are neither latency nor lag of the generator', async () => {
  const port = await listen((_request, response) => reply(response, 201, '{"state":"paid"}'))
  const openLoop = { pacing: 'sleep', wakeUpUs: 100, whenBusy: 'drop' } as const
  const result = await new LoadRun(planFor(port, { connections: 2, ratePerSecond: 1000, openLoop })).run((edge) => {
    // Until the window opens the generator sends nothing.
    const fromMs = performance.now()
    while (edge === 'window-opens' && performance.now() < fromMs + 300);
  })
  const [latency, sendLag] = [percentilesOf([result.latency]), percentilesOf([result.sendLag])]
  assert.equal(sendLag.count, latency.count)
  assert.ok(sendLag.maxUs <= latency.maxUs, `lag ${sendLag.maxUs} µs, latency ${latency.maxUs} µs`)
})

test('a server that closes a connection ends the run', async () => {
  let answers = 0
  const port = await listen((request, response) => {
    if (++answers > 20) request.socket.end()
    else reply(response, 201, '{"state":"paid"}')
  })
  await assert.rejects(
    new LoadRun(planFor(port, {})).run(() => undefined),
    /closed a connection/,
  )
})

test('an answer that the parser does not understand ends the run', async () => {
  const port = await listen((_request, response) => void response.writeHead(201, { 'Transfer-Encoding': 'chunked' }).end('{}'))
  await assert.rejects(
    new LoadRun(planFor(port, {})).run(() => undefined),
    /without Content-Length/,
  )
})
