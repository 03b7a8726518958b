// What random changes seldom reach, sent to each route once: every kind of wrong caller, an absent object, each malformed part, a body
// above the maximum, an unknown field where money moves, a right request, its replay, its key with another body, and the same again.
import assert from 'node:assert/strict'
import { isMoneyRoute, type Route } from '../../../http/server/route.ts'
import { BODY_BYTES_MAX, PUBLIC_BODY_BYTES_MAX } from '../../../http/server/server-limits.ts'
import type { Answer, Client } from '../../support/client.ts'
import type { KeyedRequest } from '../../support/keyed-request.ts'
import { STREAM_ROUTES } from '../../support/other-routes.ts'
import { Prng } from '../../support/prng.ts'
import { madeUp, type WrongCallers } from '../../support/wrong-callers.ts'
import type { AttemptSender } from './attempt-sender.ts'
import { type Attempt, rightAttempt } from './route-attempt.ts'

export interface WalkParts {
  readonly sender: AttemptSender
  readonly callers: WrongCallers
  readonly seed: number
}

/** Callers of these have an owner. */
const OWNED: ReadonlySet<Route['auth']> = new Set(['key', 'key-or-session', 'session', 'wallet'])

type Send = (
  what: string,
  attempt: Attempt,
  options?: { readonly client?: Client; readonly check?: (answer: Answer) => void },
) => Promise<Answer | null>

/** Returns whether the right request got a good answer. */
export async function walkRoute({ sender, callers, seed }: WalkParts, route: Route, request: KeyedRequest): Promise<boolean> {
  const inNetwork = sender.networks()
  const send: Send = (what, attempt, { client = request.client, check } = {}) =>
    sender.send(`${route.operationId}, ${what}`, route, inNetwork(client), attempt, check)
  const right = (): Attempt => rightAttempt(new Prng(seed + sender.sent), route, request)
  if (!STREAM_ROUTES.has(route.operationId)) {
    await sendByWrongCallers(callers, route, request, { send, right })
    await sendMalformed(route, request, { send, right })
    return sendRepeated(route, { send, right })
  }
  // The good answer of a stream does not end, so only its head is asked for.
  const head = (): Attempt => ({ ...right(), method: 'HEAD' })
  await sendByWrongCallers(callers, route, request, { send, right: head })
  await sendMalformed(route, request, { send, right: head })
  return (await send('its head', head()))?.status === 200
}

interface Sending {
  readonly send: Send
  readonly right: () => Attempt
}

async function sendByWrongCallers(callers: WrongCallers, route: Route, request: KeyedRequest, { send, right }: Sending): Promise<void> {
  const codes = new Set<string>()
  for (const { name, client, status, code } of await callers.rejectedOn(route, request)) {
    if (codes.has(code)) continue
    codes.add(code)
    const check = (answer: Answer): void => assertCode(answer, [status, 429], [code, 'rate_limited'])
    await send(name, right(), { client, check })
  }
  // A request without an object acts on its caller: it must not end the session of one that others need.
  if (!OWNED.has(route.auth) || (route.params === undefined && (route.auth === 'session' || route.endsToken === true))) return
  for (const [name, client] of Object.entries(await callers.othersOf(route, request))) await send(name, right(), { client })
}

function assertCode({ status, body, text }: Answer, statuses: readonly number[], codes: readonly string[]): void {
  assert.ok(statuses.includes(status), `${status} in the place of ${statuses[0]}: ${text.slice(0, 300)}`)
  if (typeof body?.code === 'string') assert.ok(codes.includes(body.code), `${body.code} in the place of ${codes[0]}`)
}

async function sendMalformed(route: Route, request: KeyedRequest, { send, right }: Sending): Promise<void> {
  const { path } = right()
  await send('an unknown parameter', { ...right(), path: `${path}${path.includes('?') ? '&' : '?'}unknown=1` })
  await send('an unknown path', { ...right(), path: `${path.split('?')[0]}/x/${route.operationId}` })
  if (route.params !== undefined) await send('an absent object', { ...right(), path: absentPath(route, path) })
  const { body } = right()
  if (body !== null) {
    await send('another content type', { ...right(), body: { ...body, contentType: 'text/plain' } })
    await send('half a body', { ...right(), body: { ...body, bytes: body.bytes.subarray(0, body.bytes.length >> 1) } })
    await send('an empty object', { ...right(), body: { bytes: Buffer.from('{}'), contentType: body.contentType } })
  }
  const unknown = isMoneyRoute(route) ? withField(right(), 'unknown', true) : null
  if (unknown !== null)
    await send('an unknown field', unknown, { check: (answer) => assertCode(answer, [400, 429], ['unknown_field', 'rate_limited']) })
  if (route.idempotency === 'required') await send('no key', { ...right(), headers: {} })
  if (route.method === 'GET') return
  const bytes = Buffer.alloc(largestBody(route) + 1, ' ')
  await send('a body above the maximum', { ...right(), body: { bytes, contentType: request.form?.contentType ?? 'application/json' } })
}

/** A route of sessions may take less from other callers: what is above every maximum is above theirs. */
function largestBody({ auth, bodyBytesMax }: Route): number {
  const isOpen = auth === 'public' || auth === 'signup' || auth === 'login'
  return bodyBytesMax ?? (isOpen ? PUBLIC_BODY_BYTES_MAX : BODY_BYTES_MAX)
}

/** Placeholders become ids of the same shape that lead to nothing. */
export function absentPath({ path }: Pick<Route, 'path'>, asked: string): string {
  const steps = path.split('/')
  return asked
    .split('/')
    .map((step, at) => (steps[at]?.startsWith('{') === true ? madeUp(step) : step))
    .join('/')
}

async function sendRepeated(route: Route, { send, right }: Sending): Promise<boolean> {
  const attempt = right()
  const first = await send('the right request', attempt)
  const isGood = first !== null && first.status < 300
  if (route.method === 'POST' && isGood) {
    await send('a replay', attempt, { check: (answer) => assertReplay(first, answer) })
    // Where money moves every body may name its currency, and an unknown field is refused before the key is looked at.
    const reused = isMoneyRoute(route) ? withField(attempt, 'currency', 'XOF') : withField(attempt, 'another', true)
    const check = (answer: Answer): void => assertCode(answer, [422], ['idempotency_key_reused'])
    // On most routes without credentials the key counts for path and body: with another body it is another key.
    if (reused !== null) await send('its key with another body', reused, route.auth === 'public' ? {} : { check })
  }
  const { etag } = first?.headers ?? {}
  if (etag !== undefined)
    await send('what is known', { ...right(), headers: { 'if-none-match': etag } }, { check: ({ status }) => assert.equal(status, 304) })
  await send('the same again', right())
  return isGood
}

function assertReplay(first: Answer, again: Answer): void {
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(again.headers['idempotent-replayed'], 'true')
}

/** Returns the attempt with one more field in its body; null for a form. */
function withField(attempt: Attempt, name: string, value: unknown): Attempt | null {
  const { body } = attempt
  if (body !== null && !body.contentType.startsWith('application/json')) return null
  const json = body === null ? {} : (JSON.parse(body.bytes.toString()) as object)
  return { ...attempt, body: { bytes: Buffer.from(JSON.stringify({ ...json, [name]: value })), contentType: 'application/json' } }
}
