// Sends raw cases to a server, and changed ones: nothing hidden is answered, nothing hangs, the server's other connections go on.
import { Prng } from '../../support/prng.ts'
import { type RawAnswer, RawClient, request } from '../../support/raw-client.ts'
import { HIDDEN_ID, RAW_CASES, type RawCase } from './raw-cases.ts'

export interface RawFuzzReport {
  readonly cases: number
  /** Answers by status, and connections that were closed without one. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly string[]
}

const AT_ONCE = 64
const FAILURES_MAX = 10
/** The native parser's own answer to what it cannot read as HTTP/1.1; it closes the connection. */
const PARSER_REFUSAL = 505
/** To `Expect: 100-continue`: the answer follows. */
const CONTINUE = 100
const HEALTH = request({ path: '/healthz', headers: { 'X-Request-Id': 'after' } })

/** The first `count` cases; beyond all of them, changed ones by the seed. */
export async function fuzzRaw(port: number, count: number, seed: number): Promise<RawFuzzReport> {
  const outcomes = new Map<string, number>()
  const failures: string[] = []
  const neighbour = await RawClient.open(port)
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < count && failures.length < FAILURES_MAX; at = next++) {
      const raw = caseAt(at, seed)
      const { outcome, wrong } = await play(port, raw)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (wrong !== null) failures.push(`case ${at}, ${raw.name}: ${wrong}\n${JSON.stringify(raw.pieces.join('')).slice(0, 800)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  // It was idle meanwhile, so it may have been closed: a new one must be answered.
  neighbour.close()
  const health = await healthOf(port)
  if (health !== 200) failures.push(`afterwards the server answers ${health}`)
  return { cases: Math.min(next, count), outcomes, failures }
}

function caseAt(at: number, seed: number): RawCase {
  const known = RAW_CASES[at]
  if (known !== undefined) return known
  const random = new Prng(Math.imul(seed, 0x9e3779b1) + at)
  const base = random.pick(RAW_CASES)
  const bytes = Buffer.from(base.pieces.join(''), 'latin1')
  for (let changes = 1 + random.below(4); changes > 0; changes--) bytes[random.below(Math.min(bytes.length, 300))] = oddByte(random)
  const text = bytes.toString('latin1')
  const cut = random.below(text.length)
  // A change may make any request of it: only what holds for all requests is checked.
  return {
    name: `${base.name}, changed`,
    pieces: random.chance(0.5) ? [text] : [text.slice(0, cut), text.slice(cut)],
    isRefused: false,
    answersMax: 101,
    then: 'half-close',
    allowsHidden: true,
  }
}

function oddByte(random: Prng): number {
  return random.chance(0.6) ? (random.pick([0, 9, 10, 13, 32, 44, 58, 59, 48, 50, 120, 255]) as number) : random.below(256)
}

async function play(port: number, raw: RawCase): Promise<{ outcome: string; wrong: string | null }> {
  const client = await RawClient.open(port)
  const { pieces, then } = raw
  try {
    for (const piece of pieces) {
      client.send(piece)
      if (pieces.length > 1) await flushed(client)
    }
    if (then === 'close' || then === 'reset') {
      await flushed(client)
      if (then === 'reset') client.reset()
      return await afterLeaving(port)
    }
    if (then === 'half-close') client.halfClose()
    const answers = await answersOf(client, then === 'half-close')
    return { outcome: answers.length === 0 ? 'closed' : String(answers[0]?.status), wrong: wrongIn(answers, client, raw) }
  } catch (error) {
    return { outcome: 'failed', wrong: error instanceof Error ? error.message.slice(0, 500) : String(error) }
  } finally {
    client.close()
  }
}

/** The kernel may have closed the socket already. */
async function flushed(client: RawClient): Promise<void> {
  await Promise.race([client.flushed(), client.closed()])
}

async function afterLeaving(port: number): Promise<{ outcome: string; wrong: string | null }> {
  const health = await healthOf(port)
  return { outcome: 'left', wrong: health === 200 ? null : `afterwards the server answers ${health}` }
}

/** Until the connection closes; where it stays open after an answer, one more request must be answered or close it. */
async function answersOf(client: RawClient, isEnded: boolean): Promise<readonly RawAnswer[]> {
  const answers: RawAnswer[] = []
  for (;;) {
    const answer = await nextAnswer(client)
    if (answer === null) return answers
    if (answer.headers.get('x-request-id') === 'after') return answers
    if (answer.status === CONTINUE) continue
    answers.push(answer)
    if (answers.length === 1 && !isEnded && !client.isClosed) client.send(HEALTH)
  }
}

/** Null when the connection closes first. The answer to HEAD has no body, so its length says nothing. */
async function nextAnswer(client: RawClient): Promise<RawAnswer | null> {
  try {
    return await client.answer()
  } catch (error) {
    if (client.isClosed) return null
    throw error
  }
}

function wrongIn(answers: readonly RawAnswer[], client: RawClient, { isRefused, answersMax, allowsHidden }: RawCase): string | null {
  const statuses = answers.map(({ status }) => status)
  const hidden = answers.filter(({ headers, body }) => headers.get('x-request-id') === HIDDEN_ID || body.includes(HIDDEN_ID))
  if (allowsHidden !== true && (hidden.length > 0 || client.received.includes(HIDDEN_ID))) return 'the hidden request was answered'
  if (answers.length > answersMax) return `${answers.length} answers: ${statuses}`
  if (statuses.some((status) => Number.isNaN(status) || (status >= 500 && status !== PARSER_REFUSAL))) return `answers ${statuses}`
  return isRefused && statuses.some((status) => status < 400) ? `answers ${statuses}` : null
}

async function healthOf(port: number): Promise<number> {
  const client = await RawClient.open(port)
  try {
    return (await client.send(HEALTH).answer()).status
  } finally {
    client.close()
  }
}
