// The streams of bench row 8 against a real server: what they receive and count, and how they end when a stream is rejected.
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { percentilesOf } from '../../bench/load/histogram.ts'
import { ListenerRun } from '../../bench/streams/listener-run.ts'
import type { Received } from '../../bench/streams/plan.ts'
import { eventually } from '../support/raw-client.ts'

const closers: (() => void)[] = []
after(() => {
  for (const close of closers) close()
})

function openRun(onFailure: (reason: string) => void = assert.fail): ListenerRun {
  const run = new ListenerRun(onFailure)
  closers.unshift(() => run.close())
  return run
}

interface Served {
  readonly port: number
  readonly streams: ServerResponse[]
  readonly calls: string[]
}

async function serve(status = 200): Promise<Served> {
  const streams: ServerResponse[] = []
  const calls: string[] = []
  const server = createServer((request, response) => {
    response.writeHead(status)
    if (request.url === '/v1/me') {
      calls.push(String(request.headers.authorization))
      response.end('{}')
      return
    }
    response.write('retry: 2000\n\n')
    streams.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, streams, calls }
}

function frame(id: number, ageMs = 0): string {
  const created_at = new Date(Date.now() - ageMs).toISOString()
  return `id: ${id}\nevent: payment.received\ndata: ${JSON.stringify({ id, type: 'payment.received', created_at, data: { note: 'é' } })}\n\n`
}

/** RFC 9112, section 7.1. */
function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

const receivedOf = (run: ListenerRun): Pick<Received, 'frames' | 'heartbeats' | 'gaps'> => {
  const { frames, heartbeats, gaps } = run.windowCloses()
  return { frames, heartbeats, gaps }
}

test('every token is used once, then every stream is open', async () => {
  const { port, streams, calls } = await serve()
  const run = openRun()
  const tokens = Array.from({ length: 200 }, (_, index) => `token-${index}`)
  await run.call({ port, tokens })
  assert.deepEqual(new Set(calls), new Set(tokens.map((token) => `Bearer ${token}`)))
  assert.equal(calls.length, 200)
  await run.open({ port, tokens })
  assert.equal(streams.length, 200)
})

test('frames, heartbeats and gaps are counted, however the text is cut', async () => {
  const { port, streams } = await serve()
  const run = openRun()
  await run.open({ port, tokens: ['a', 'b'] })
  run.windowOpens()
  const [one, two] = streams
  // Whole chunks, as the server writes them, in packets of three bytes.
  const bytes = Buffer.from([frame(7), ': heartbeat\n\n', frame(8)].map(chunk).join(''))
  for (let from = 0; from < bytes.length; from += 3) {
    one?.socket?.write(bytes.subarray(from, from + 3))
    await new Promise((resolve) => setImmediate(resolve))
  }
  two?.write(frame(1, 500) + frame(2, 500) + frame(4, 500))
  await eventually(() => run.windowCloses().frames === 5, 'five frames')
  assert.deepEqual(receivedOf(run), { frames: 5, heartbeats: 1, gaps: 1 })
  const { maxUs, count } = percentilesOf([run.windowCloses().latency])
  assert.ok(count === 5 && maxUs >= 499_000, `${count} ${maxUs}`)
  run.windowOpens()
  assert.deepEqual(receivedOf(run), { frames: 0, heartbeats: 0, gaps: 0 })
})

test('a stream that is refused, or ends, is a failure', async () => {
  const failures: string[] = []
  const refusing = await serve(503)
  const refused = openRun((reason) => failures.push(reason))
  void refused.open({ port: refusing.port, tokens: ['a'] })
  await eventually(() => failures.length > 0, 'the refusal')
  assert.match(String(failures[0]), /rejected: HTTP\/1\.1 503/)
  const ending = await serve()
  const ended = openRun((reason) => failures.push(reason))
  await ended.open({ port: ending.port, tokens: ['a'] })
  ending.streams[0]?.end()
  await eventually(() => failures.some((reason) => reason.includes('ended a stream')), 'the end')
})
