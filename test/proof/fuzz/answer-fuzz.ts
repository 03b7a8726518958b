// Hostile answers against everything that reads answers of other systems: the outbound client under each rule, a gateway, the keys of
// Firebase, a lookup. Each call ends in a value and in time, follows no redirect, and keeps no connection that the other side broke.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { FirebaseTokens } from '../../../http/auth/wallet/firebase.ts'
import { OutboundCalls } from '../../../http/outbound/outbound-calls.ts'
import type { OutboundOutcome } from '../../../http/outbound/outcome.ts'
import { OUTBOUND_RULES, type OutboundRule } from '../../../http/outbound/rules.ts'
import { Gateway } from '../../../http/workers/gateways/gateway.ts'
import { jsonFetcher } from '../../../http/workers/gateways/json-calls.ts'
import type { EmailMessage } from '../../../http/workers/gateways/message.ts'
import { readAnswer } from '../../../http/workers/lookups/lookup-answer.ts'
import { openFirebaseProject } from '../../support/firebase-project.ts'
import { Prng } from '../../support/prng.ts'
import { rawServer } from '../../support/receiver.ts'
import { CANARY, changedAnswer, HOSTILE_ANSWERS, type HostileAnswer } from './hostile-answers.ts'
import { Canary } from './outbound-fuzz.ts'

export interface AnswerFuzzReport {
  readonly answers: number
  /** Calls by their end: a status, or the failure. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly hits: number
  readonly failures: readonly string[]
}

const AT_ONCE = 16
/** Of each call: one whose answer does not end takes so long, the others as long as a busy machine may need. */
const ENDLESS_WITHIN_MS = 300
const WITHIN_MS = 3_000
/** Beyond it: on a busy machine a timer comes late. */
const SLACK_MS = 20_000
const FAILURES_MAX = 10
const MESSAGE: EmailMessage = {
  ...{ id: 'm', channel: 'email', environment: 'live', to: 'a@b.example', subject: 's', text: 't', created_at: '2026-11-20T10:00:00Z' },
}

/** The first `count` answers; beyond all written ones, changed ones by the seed. */
export async function fuzzAnswers(count: number, seed: number): Promise<AnswerFuzzReport> {
  const run = await AnswerFuzz.open(seed)
  try {
    return await run.run(count)
  } finally {
    await run.close()
  }
}

type Outbound = Pick<OutboundCalls, 'call'>

class AnswerFuzz {
  readonly #seed: number
  readonly #canary: Canary
  readonly #idToken: string
  readonly #outcomes = new Map<string, number>()
  readonly #failures: string[] = []
  readonly #unexpected: unknown[] = []
  readonly #outbound = new OutboundCalls({ allowPrivate: true, onUnexpected: (error) => this.#unexpected.push(error) })

  private constructor(seed: number, canary: Canary, idToken: string) {
    this.#seed = seed
    this.#canary = canary
    this.#idToken = idToken
  }

  static async open(seed: number): Promise<AnswerFuzz> {
    const project = await openFirebaseProject('project')
    try {
      return new AnswerFuzz(seed, await Canary.open(), await project.idToken('+22500000001'))
    } finally {
      project.close()
    }
  }

  async run(count: number): Promise<AnswerFuzzReport> {
    let next = 0
    const work = async (): Promise<void> => {
      for (let at = next++; at < count && this.#failures.length < FAILURES_MAX; at = next++) await this.#one(at)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    for (const error of this.#unexpected) this.#failures.push(`unexpected: ${String(error)}`)
    return { answers: Math.min(next, count), outcomes: this.#outcomes, hits: this.#canary.hits, failures: this.#failures }
  }

  async close(): Promise<void> {
    await this.#outbound.close()
    await this.#canary.close()
  }

  async #one(at: number): Promise<void> {
    const answer = HOSTILE_ANSWERS[at] ?? changedAnswer(new Prng(Math.imul(this.#seed, 0x9e3779b1) + at))
    const server = await rawServer((socket) => play(socket, answer, this.#canary.port))
    const url = `http://127.0.0.1:${server.port}/`
    const withinMs = answer.then === 'stay' || answer.then === 'repeat' ? ENDLESS_WITHIN_MS : WITHIN_MS
    const outbound: Outbound = { call: (request) => this.#outbound.call({ ...request, withinMs }) }
    try {
      const calls = Object.values(OUTBOUND_RULES).map((rule) => this.#call(outbound, rule, url))
      const parts = [...calls, callGateway(outbound, url), this.#firebase(outbound, url)]
      await Promise.all(parts)
    } catch (error) {
      this.#failures.push(`answer ${at}, ${answer.name}: ${error instanceof Error ? error.message.slice(0, 800) : String(error)}`)
    } finally {
      await server.close()
    }
  }

  async #call(outbound: Outbound, rule: OutboundRule, url: string): Promise<void> {
    const startMs = performance.now()
    const outcome = await outbound.call({ rule: plain(rule), method: 'POST', url, headers: {}, body: '{}' })
    assert.ok(performance.now() - startMs < WITHIN_MS + SLACK_MS, 'it ends in time')
    this.#count(outcome)
    if (outcome.kind === 'failed') return
    assert.ok(Number.isInteger(outcome.status) && outcome.status >= 100 && outcome.status <= 999, `status ${outcome.status}`)
    assert.ok(outcome.bytes.byteLength <= rule.answerBytesMax, `${outcome.bytes.byteLength} bytes`)
    if (rule.read === 'status') assert.equal(outcome.body, '')
    const { kind } = readAnswer(outcome.body, 'XOF')
    assert.ok(['due', 'failed', 'malformed'].includes(kind), kind)
  }

  /** Twice, because keys that were read once stay. */
  async #firebase(outbound: Outbound, url: string): Promise<void> {
    const setting = { projectId: 'project', issuer: 'https://securetoken.google.com/project', jwksUrl: url }
    const tokens = new FirebaseTokens(setting, jsonFetcher(outbound), Date.now)
    for (let count = 0; count < 2; count++) {
      const verdict = await tokens.verify(this.#idToken)
      assert.ok(verdict === 'invalid' || verdict === 'unavailable', `a token of another project is ${JSON.stringify(verdict)}`)
    }
  }

  #count(outcome: OutboundOutcome): void {
    const kind = outcome.kind === 'failed' ? outcome.failure : String(outcome.status)
    this.#outcomes.set(kind, (this.#outcomes.get(kind) ?? 0) + 1)
  }
}

async function callGateway(outbound: Outbound, url: string): Promise<void> {
  const gateway = new Gateway({ url, outbound, secret: 'a secret of a gateway', now: Date.now })
  const { httpStatus, error, retryAfterMs } = await gateway.send(MESSAGE, 1)
  assert.equal(httpStatus === null, error !== null)
  assert.ok(retryAfterMs === null || (Number.isSafeInteger(retryAfterMs) && retryAfterMs >= 0), `it waits ${retryAfterMs} ms`)
}

/** Hostile answers come without TLS. */
function plain(rule: OutboundRule): OutboundRule {
  return { ...rule, plainHttp: 'always' }
}

/** Answers one connection, after its request. */
export function play(socket: Socket, answer: HostileAnswer, canaryPort: number): void {
  if (answer.isEarly === true) send(socket, answer, canaryPort)
  else socket.once('data', () => send(socket, answer, canaryPort))
}

/** Writes the answer. */
export function send(socket: Socket, { pieces, then }: HostileAnswer, canaryPort: number, at = 0): void {
  const piece = pieces[at]
  if (socket.destroyed) return
  const next = (): void => send(socket, { name: '', pieces, then }, canaryPort, at + 1)
  if (piece !== undefined) write(socket, piece.replaceAll(CANARY, String(canaryPort)), next)
  else if (then === 'end') socket.end()
  else if (then === 'reset') reset(socket)
  else if (then === 'repeat') write(socket, pieces.at(-1) ?? '', () => setImmediate(next))
}

/** A TLS socket has no reset of its own. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

function write(socket: Socket, text: string, done: () => void): void {
  socket.write(Buffer.from(text, 'latin1'), (error) => {
    if (error === undefined || error === null) done()
  })
}
