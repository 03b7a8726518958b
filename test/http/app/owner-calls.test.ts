// Forwarding to the owner: when a request waits, when it is sent again, and when its answer is given up.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type KnownOwner, OwnerCalls, type OwnerCallsParts } from '../../../http/app/owner-calls.ts'
import { NodeSeals } from '../../../http/crypto/node-seal.ts'
import { type NodeAnswer, NodeCallError, type NodeRequest } from '../../../http/outbound/node-calls.ts'
import { BAD_SIGNATURE, type ForwardedRequest, NOT_OWNER } from '../../../http/server/cluster-role.ts'
import { eventuallyAsync } from '../../support/eventually.ts'

const CREATED: NodeAnswer = { status: 201, headers: ['X-Name', 'v'], body: Buffer.from('{}') }
const NOT_THE_OWNER: NodeAnswer = { status: 503, headers: [NOT_OWNER.toLowerCase(), '1'], body: Buffer.alloc(0) }
const REFUSED = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
const BROKEN = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
const A: KnownOwner = { url: 'http://a', epoch: 1 }
const B: KnownOwner = { url: 'http://b', epoch: 2 }

const REQUEST: ForwardedRequest = {
  method: 'POST',
  path: '/v1/biz/payouts',
  headers: ['Idempotency-Key', 'k'],
  body: Buffer.from('{}'),
  address: '41.82.7.9',
  isLocal: false,
  isRepeatable: true,
}

type Node = (request: NodeRequest, signal: AbortSignal) => Promise<NodeAnswer>

const SECRET = Buffer.alloc(32, 7)
const nowMs = (): number => Date.now()

/** What a node answers, as it is on the network: sealed, unless the node could not open the request. */
function sealedBy(url: string, { method, path, headers, body }: NodeRequest, answer: NodeAnswer): NodeAnswer {
  if (answer.headers.includes(BAD_SIGNATURE)) return answer
  let isStarted = false
  const receiver = new NodeSeals({ secret: SECRET, url, nowMs: () => (isStarted ? nowMs() : 0) })
  isStarted = true
  const owner = receiver.read(String(headers[1]), method, path)
  assert.ok(owner !== null)
  assert.deepEqual([owner.headers, owner.openBody(body)?.toString()], [['Idempotency-Key', 'k'], '{}'])
  const lines = Array.from({ length: answer.headers.length / 2 }, (_, at) => `\r\n${answer.headers[2 * at]}: ${answer.headers[2 * at + 1]}`)
  const sealed = owner.sealAnswer(`${answer.status} Any${lines.join('')}`, answer.body)
  return { status: 200, headers: ['cauri-node', sealed.header], body: sealed.body }
}

/** Answers of the nodes in turn; the last one stays. */
function scripted(...answers: readonly (NodeAnswer | Error)[]): Node {
  let next = 0
  return async () => {
    const answer = answers[Math.min(next++, answers.length - 1)] as NodeAnswer | Error
    if (answer instanceof Error) throw new NodeCallError(answer)
    return answer
  }
}

function ownerCalls(nodes: Readonly<Record<string, Node>>, more: Partial<OwnerCallsParts> = {}) {
  const asked: { readonly url: string; readonly request: NodeRequest }[] = []
  const known: { owner: KnownOwner | null } = { owner: A }
  let badSignatures = 0
  const seals = new NodeSeals({ secret: SECRET, url: 'http://c', nowMs })
  const calls = new OwnerCalls({
    seals,
    calls: {
      call: async (url, request, signal = new AbortController().signal) => {
        asked.push({ url, request })
        return sealedBy(url, request, await (nodes[url] as Node)(request, signal))
      },
    },
    owner: () => known.owner,
    onBadSignature: () => badSignatures++,
    waitMs: 200,
    ...more,
  })
  return { calls, asked, known, badSignatures: () => badSignatures }
}

/** A node that received the request and is silent until the call is aborted. */
const silent: Node = (_request, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new NodeCallError(signal.reason))))

describe('a request that is forwarded to the owner', () => {
  test('the answer of the owner comes back as it is', async () => {
    const { calls, asked } = ownerCalls({ 'http://a': scripted(CREATED) })
    assert.deepEqual(await calls.passOn(REQUEST), CREATED)
    assert.deepEqual(
      asked[0]?.request.headers.filter((_, at) => at % 2 === 0),
      ['Cauri-Node', 'Content-Type'],
    )
    assert.equal(calls.count, 0)
  })

  test('each forwarded request is counted by its outcome', async () => {
    const { calls, known } = ownerCalls({ 'http://a': scripted(CREATED, BROKEN) }, { waitMs: 0, forwardedMax: 1 })
    const answered = calls.passOn(REQUEST)
    assert.equal(await calls.passOn(REQUEST), null)
    assert.deepEqual(await answered, CREATED)
    assert.equal(await calls.passOn({ ...REQUEST, isRepeatable: false }), null)
    assert.equal(await calls.passOn(REQUEST), null)
    known.owner = null
    assert.equal(await calls.passOn(REQUEST), null)
    assert.deepEqual(calls.outcomes, { answered: 1, no_owner: 1, lost: 2, refused: 1 })
  })

  test('it waits for an owner', async () => {
    const { calls, known } = ownerCalls({ 'http://b': scripted(CREATED) }, { waitMs: 10_000 })
    known.owner = null
    const answer = calls.passOn(REQUEST)
    assert.equal(calls.count, 1)
    known.owner = B
    assert.deepEqual(await answer, CREATED)
  })

  test('it asks a new owner when the node learns of it, and does not wait for the next attempt', async () => {
    const { calls, known } = ownerCalls({ 'http://b': scripted(CREATED) }, { waitMs: 10_000, retryMs: 1_000_000 })
    known.owner = null
    const answer = calls.passOn(REQUEST)
    known.owner = B
    calls.ownerChanged()
    assert.deepEqual(await answer, CREATED)
  })

  test('without an owner in time there is no answer', async () => {
    const { calls, known, asked } = ownerCalls({})
    known.owner = null
    assert.equal(await calls.passOn(REQUEST), null)
    assert.equal(asked.length, 0)
  })

  test('a node that does not own the log or does not listen did nothing, so any request is sent again', async () => {
    const { calls, asked } = ownerCalls({ 'http://a': scripted(NOT_THE_OWNER, REFUSED, CREATED) }, { waitMs: 10_000 })
    assert.deepEqual(await calls.passOn({ ...REQUEST, isRepeatable: false }), CREATED)
    assert.equal(asked.length, 3)
    const signatures = asked.map(({ request }) => request.headers[1])
    assert.equal(new Set(signatures).size, 3, 'each attempt is sealed anew')
  })

  test('after a connection broke, only a request with a key is sent again', async () => {
    const keyed = ownerCalls({ 'http://a': scripted(BROKEN, CREATED) }, { waitMs: 10_000 })
    assert.deepEqual(await keyed.calls.passOn(REQUEST), CREATED)
    const keyless = ownerCalls({ 'http://a': scripted(BROKEN, CREATED) }, { waitMs: 10_000 })
    assert.equal(await keyless.calls.passOn({ ...REQUEST, isRepeatable: false }), null)
    assert.equal(keyless.asked.length, 1)
  })

  test('a call to an owner that is silent ends when another node owns the log, also after the waiting time', async () => {
    const { calls, known, asked } = ownerCalls({ 'http://a': silent, 'http://b': scripted(CREATED) }, { waitMs: 0 })
    const [keyed, keyless] = [calls.passOn(REQUEST), calls.passOn({ ...REQUEST, isRepeatable: false })]
    await eventuallyAsync(async () => asked.length === 2, 'both requests to be sent')
    known.owner = B
    assert.deepEqual(await keyed, CREATED)
    assert.equal(await keyless, null)
    assert.deepEqual(
      asked.map(({ url }) => url),
      ['http://a', 'http://a', 'http://b'],
    )
  })

  test('a request that the owner could not open is reported and sealed again', async () => {
    const rejected = { ...NOT_THE_OWNER, status: 400, headers: [NOT_OWNER, BAD_SIGNATURE] }
    const { calls, badSignatures } = ownerCalls({ 'http://a': scripted(rejected, CREATED) }, { waitMs: 10_000 })
    assert.deepEqual(await calls.passOn(REQUEST), CREATED)
    assert.equal(badSignatures(), 1)
  })

  test('beyond the maximum of requests under way, one more gets no answer at once', async () => {
    const { calls, known } = ownerCalls({ 'http://b': scripted(CREATED) }, { waitMs: 10_000, forwardedMax: 2 })
    known.owner = null
    const waiting = [calls.passOn(REQUEST), calls.passOn(REQUEST)]
    assert.equal(await calls.passOn(REQUEST), null)
    known.owner = B
    assert.deepEqual(await Promise.all(waiting), [CREATED, CREATED])
    assert.deepEqual(await calls.passOn(REQUEST), CREATED)
  })

  test('an answer that no node of the cluster sealed is no answer', async () => {
    const { calls } = ownerCalls({ 'http://a': scripted(CREATED) }, { calls: { call: async () => CREATED }, waitMs: 0 })
    assert.equal(await calls.passOn(REQUEST), null)
    assert.equal(calls.outcomes.lost, 1)
  })

  test('a bug in a call is not taken for a lost answer', async () => {
    const { calls } = ownerCalls({ 'http://a': () => Promise.reject(new TypeError('a bug')) })
    await assert.rejects(calls.passOn(REQUEST), TypeError)
    assert.equal(calls.count, 0)
  })
})
