// Requests at a node of a cluster: the proof of the ownership before an answer of the owner, forwarding during a handover and while the
// node recovers.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { NodeAnswer } from '../../../../http/outbound/node-calls.ts'
import type { ClusterRole, ForwardedRequest, Sender } from '../../../../http/server/cluster-role.ts'
import { eventually, RawClient } from '../../../support/raw-client.ts'
import { CREDENTIALS, openFakeServer, plainRoute, type ServerWithoutEngine } from '../../../support/server-without-engine.ts'

/** A node that seals nothing: the head of its answer is readable here. */
function senderOf(headers: Readonly<Record<string, string>>): Sender {
  return {
    ...{ address: '10.0.0.1', isLocal: false, headers: Object.entries(headers).flat() },
    openBody: (bytes) => Buffer.from(bytes),
    sealAnswer: (head, body) => ({ header: head.replaceAll('\r\n', ' '), body: Buffer.from(body) }),
  }
}

class FakeCluster implements ClusterRole {
  role: 'owner' | 'follower' | 'former' = 'owner'
  readonly forwarded: ForwardedRequest[] = []
  readonly proofs: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  proven = -1
  barriers = 0
  hasOwner = true
  /** Answer of a follower to a read of the owner. */
  elsewhere: NodeAnswer | null = null
  readonly asked: ForwardedRequest[] = []
  sender: Sender | null = null

  isOwner(): boolean {
    return this.role === 'owner'
  }

  isFormerOwner(): boolean {
    return this.role === 'former'
  }

  mark(): number {
    return 0
  }

  isProven(mark: number): boolean {
    return this.proven > mark
  }

  whenProven(): Promise<void> {
    return new Promise((resolve, reject) => this.proofs.push({ resolve: () => this.#prove(resolve), reject }))
  }

  async barrier(): Promise<void> {
    this.barriers++
  }

  senderOf(): Sender | null {
    return this.sender
  }

  async passOn(request: ForwardedRequest): Promise<NodeAnswer | null> {
    this.forwarded.push(request)
    if (!this.hasOwner) return null
    return { status: 201, headers: ['Content-Type', 'application/json'], body: Buffer.from('{"from":"owner"}') }
  }

  async readElsewhere(request: ForwardedRequest): Promise<NodeAnswer | null> {
    this.asked.push(request)
    return this.elsewhere
  }

  #prove(resolve: () => void): void {
    this.proven = 1
    resolve()
  }
}

describe('a node of a cluster', () => {
  let server: ServerWithoutEngine
  let cluster: FakeCluster

  beforeEach(async () => {
    cluster = new FakeCluster()
    server = await openFakeServer({ cluster })
  })

  afterEach(() => server.http.close())

  function post(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const all = { 'content-type': 'application/json', 'idempotency-key': 'k', ...CREDENTIALS, ...headers }
    return fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', headers: all, body: '{}' })
  }

  it('a node of a cluster sends what its append has proven at once, and reads no barrier for a write', async () => {
    const answer = post('/pay')
    await eventually(() => server.engine.submitted.length === 1, 'the command')
    cluster.proven = 1
    server.engine.settleAll()
    assert.equal((await answer).status, 201)
    assert.deepEqual([cluster.proofs.length, cluster.barriers], [0, 0])
  })

  it('a node of a cluster holds a refusal of its state back until it has proven that it owns the log', async () => {
    server.engine.refusal = 'rate_limited'
    let isAnswered = false
    const answer = post('/pay').then((response) => {
      isAnswered = true
      return response
    })
    await eventually(() => cluster.proofs.length === 1, 'the wait for a proof')
    assert.equal(isAnswered, false)
    cluster.proofs[0]?.resolve()
    assert.equal((await answer).status, 429)
  })

  it('a node of a cluster answers 503 instead of its state when it cannot prove that it owns the log', async () => {
    server.engine.refusal = 'rate_limited'
    const answer = post('/pay')
    await eventually(() => cluster.proofs.length === 1, 'the wait for a proof')
    cluster.proofs[0]?.reject(new Error('PostgreSQL is away'))
    assert.equal((await answer).status, 503)
    assert.equal(cluster.proofs.length, 1)
  })

  /** The handover begins before the engine gets the command. */
  function handOverBeforeSubmit(): void {
    server.engine.submit = () => {
      cluster.role = 'former'
      return 'unavailable'
    }
  }

  it('a node of a cluster forwards a write whose command came too late for its handover', async () => {
    handOverBeforeSubmit()
    assert.equal((await post('/pay')).status, 201)
    const [forwarded] = cluster.forwarded
    assert.deepEqual([forwarded?.method, forwarded?.path, Buffer.from(forwarded?.body ?? []).toString()], ['POST', '/pay', '{}'])
  })

  it('a node of a cluster forwards a write that it cannot prove with the headers of its caller, which is not local behind a proxy', async () => {
    const answer = post('/pay', { 'x-forwarded-for': '192.0.2.7' })
    await eventually(() => server.engine.submitted.length === 1, 'the command')
    server.engine.settleAll()
    await eventually(() => cluster.proofs.length === 1, 'the wait for a proof')
    cluster.role = 'former'
    cluster.proofs[0]?.reject(new Error('the log was handed over'))
    assert.equal((await answer).status, 201)
    const [forwarded] = cluster.forwarded
    assert.deepEqual([forwarded?.isLocal, forwarded?.isRepeatable, forwarded?.headers.includes('k')], [false, true, true])
  })

  it('a node of a cluster sends a forwarded write back when its command came too late for the handover', async () => {
    handOverBeforeSubmit()
    cluster.proven = 1
    cluster.sender = senderOf({ 'content-type': 'application/json', 'idempotency-key': 'k', ...CREDENTIALS })
    const answer = await post('/pay', { 'cauri-node': 'sealed' })
    const head = answer.headers.get('cauri-node') ?? ''
    assert.match(head, /^503 .*Cauri-Not-Owner: 1/)
    assert.equal(cluster.forwarded.length, 0)
  })

  it('a node of a cluster refuses as before when the engine of an owner takes no command', async () => {
    server.engine.refusal = 'unavailable'
    cluster.proven = 1
    assert.equal((await post('/pay')).status, 503)
    assert.equal(cluster.forwarded.length, 0)
  })

  it('a node of a cluster that has handed the log over forwards reads too', async () => {
    cluster.role = 'former'
    const answer = await fetch(`http://127.0.0.1:${server.port}/things?a=1`)
    assert.equal(await answer.text(), '{"from":"owner"}')
    assert.deepEqual([cluster.forwarded[0]?.path, cluster.barriers, server.calls.length], ['/things?a=1', 0, 0])
  })

  it('a node of a cluster that still recovers forwards reads and writes', async () => {
    await server.http.close()
    cluster.role = 'follower'
    server = await openFakeServer({ closed: true, cluster })
    assert.equal((await fetch(`http://127.0.0.1:${server.port}/things`)).status, 201)
    assert.equal((await post('/pay')).status, 201)
    assert.equal((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status, 200)
    assert.equal(cluster.forwarded.length, 2)
  })

  it('a node of a cluster that still recovers sends a stream to the same address, where another node answers', async () => {
    await server.http.close()
    cluster.role = 'follower'
    const routes = [plainRoute('GET', '/v1/events', 'stream', () => assert.fail('the stream is not opened'))]
    server = await openFakeServer({ closed: true, routes, cluster })
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1/events?ticket=t`, { redirect: 'manual' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [307, 'events?ticket=t'])
  })

  it('a node of a cluster that stops sends a stream to the same address, where another node answers, with its ticket', async () => {
    await server.http.close()
    cluster.role = 'follower'
    const routes = [plainRoute('GET', '/v1/events', 'stream', () => assert.fail('the stream is not opened'))]
    server = await openFakeServer({ routes, cluster })
    const client = await RawClient.open(server.port)
    // A connection that is not accepted yet is lost when the port closes.
    assert.equal((await client.send('GET /unknown HTTP/1.1\r\nHost: a\r\n\r\n').answer()).status, 404)
    const retired = server.http.retire(5000)
    const answer = await client.send('GET /v1/events?ticket=t&last_event_id=7 HTTP/1.1\r\nHost: a\r\n\r\n').answer()
    const { status, headers } = answer
    assert.deepEqual([status, headers.get('location'), headers.get('connection')], [307, 'events?ticket=t&last_event_id=7', 'close'])
    await retired
  })

  it('a node of a cluster without an owner answers a form of a page with a page, and a request of the API with JSON', async () => {
    await server.http.close()
    const page = { responses: [{ status: 200, description: '', contentType: 'text/html' }] } as const
    cluster.role = 'follower'
    cluster.hasOwner = false
    server = await openFakeServer({ routes: [plainRoute('POST', '/dashboard/forms/new', 'public', () => {}, page)], cluster })
    const answer = await post('/dashboard/forms/new')
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [503, 'text/html; charset=utf-8'])
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    const text = await answer.text()
    assert.match(text, /<h1>Service momentanément indisponible<\/h1>/)
    assert.match(text, /href="..\/..\/[\w/]+look/)
    const api = await post('/pay')
    assert.equal(((await api.json()) as { code: string }).code, 'unavailable')
    const english = (await (await post('/pay', { 'accept-language': 'en' })).json()) as { message: string }
    assert.match(english.message, /^The service is unavailable/)
  })

  it('a node of a cluster closes its connections one by one when it retires', async () => {
    cluster.role = 'follower'
    const client = await RawClient.open(server.port)
    const request = 'GET /things HTTP/1.1\r\nHost: a\r\n\r\n'
    assert.equal((await client.send(request).answer()).headers.get('connection'), undefined)
    const retired = server.http.retire(5000)
    const last = await client.send(request).answer()
    assert.deepEqual([last.status, last.headers.get('connection')], [200, 'close'])
    await client.closed()
    await retired
    await assert.rejects(fetch(`http://127.0.0.1:${server.port}/things`))
  })
})

describe('an owner whose log does not confirm', () => {
  let server: ServerWithoutEngine
  let cluster: FakeCluster

  beforeEach(async () => {
    cluster = new FakeCluster()
    const ping = plainRoute('GET', '/ping', 'key', (call) => call.answer(200, '{}'), { showsCallerAlone: true })
    server = await openFakeServer({ cluster, routes: [ping], limits: { answerDeadlineMs: 40, readDeadlineMs: 10 } })
    server.engine.isDurable = false
  })

  afterEach(() => server.http.close())

  function send(method: string, path: string): Promise<Response> {
    const body = method === 'POST' ? { body: '{}' } : {}
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k', ...CREDENTIALS }
    return fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, ...body })
  }

  it('an owner whose log does not confirm answers 503 in time, with Retry-After, and nothing when the outcome comes later', async () => {
    const answer = await send('POST', '/pay')
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'])
    server.engine.settleAll()
    assert.deepEqual([server.notes.statuses, server.notes.errors], [[503], []])
  })

  it('an owner whose log does not confirm gives an answer up that no proof of the ownership confirms', async () => {
    server.engine.refusal = 'rate_limited'
    assert.equal((await send('POST', '/pay')).status, 503)
    cluster.proofs[0]?.resolve()
    assert.deepEqual([server.notes.statuses, server.notes.errors], [[503], []])
  })

  it('an owner whose log does not confirm answers a read with the answer of a follower', async () => {
    cluster.elsewhere = { status: 200, headers: ['Content-Type', 'application/json'], body: Buffer.from('{"from":"follower"}') }
    const answer = await send('GET', '/things/7?q=1')
    assert.deepEqual([answer.status, await answer.text()], [200, '{"from":"follower"}'])
    assert.deepEqual(
      cluster.asked.map(({ method, path, isRepeatable }) => [method, path, isRepeatable]),
      [['GET', '/things/7?q=1', true]],
    )
    for (const run of server.engine.waitingReads) run()
    assert.deepEqual(server.notes.errors, [])
  })

  it('an owner whose log does not confirm answers 503 to a read that no follower answers, and never asks for the read of another node', async () => {
    assert.equal((await send('GET', '/mine')).status, 503)
    assert.equal(cluster.asked.length, 1)
    cluster.sender = senderOf({ ...CREDENTIALS })
    const headers = { 'cauri-node': 'sealed' }
    const answer = await fetch(`http://127.0.0.1:${server.port}/mine`, { headers })
    assert.match(answer.headers.get('cauri-node') ?? '', /^503 /)
    assert.equal(cluster.asked.length, 1)
  })

  it('an owner whose log does not confirm answers at once that the key of a caller is right', async () => {
    assert.equal((await send('GET', '/ping')).status, 200)
  })
})
