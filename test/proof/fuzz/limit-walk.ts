// Each route at the limits of its callers: a key, a session and a wallet that have used up their rate, a network that sent too many
// wrong operator tokens. Each must answer 429 as the document says.
import assert from 'node:assert/strict'
import type { Route } from '../../../http/server/route.ts'
import { TABLE } from '../../support/api-document.ts'
import type { Client } from '../../support/client.ts'
import { signUp as openOwner } from '../../support/dashboard-callers.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import type { KeyedRequest } from '../../support/keyed-request.ts'
import { STREAM_ROUTES } from '../../support/other-routes.ts'
import { Prng } from '../../support/prng.ts'
import { askPage } from '../../support/raw-page.ts'
import type { TestServer } from '../../support/server-fixture.ts'
import { bearer, newLivePhone, signUp } from '../../support/wallet-callers.ts'
import type { AttemptSender } from './attempt-sender.ts'
import { type Attempt, rightAttempt } from './route-attempt.ts'

/** RATE_LIMIT_LIVE of the server: rows act in the test environment, so only this walk meets it. */
export const LIMITED = { RATE_LIMIT_LIVE: '60' }
const BURST = 120
const ROUNDS_MAX = 20
const WRONG_TOKENS = 101
const OPERATORS_NETWORK = '127.40.0.1'
const ABSENT = '019aa0f8-1c00-7c01-8c4d-5e6f708192a3'

/** Of each request that has a secret: what is wrong in it. Passwords are left out: a hash takes 97 ms, and a network has a hundred. */
const WRONG_PIN = { pin: '9513' }
const WRONG_SECRETS: Readonly<Record<string, object>> = {
  ...{ verifyPin: WRONG_PIN, refreshSession: WRONG_PIN, changePin: WRONG_PIN, createTransfer: WRONG_PIN, payCharge: WRONG_PIN },
  ...{ approveMandate: WRONG_PIN, payBill: WRONG_PIN, payCheckout: WRONG_PIN, verifyPhone: { code: '999999' } },
  ...{ requestPasswordReset: {}, exchangeFirebase: { id_token: 'a.b.c' } },
}
const GUESSES_MAX = 80

interface LimitedCaller {
  readonly client: Client
  /** A route of GET that costs little. */
  readonly cheap: string
}

export async function walkLimits(server: TestServer, sender: AttemptSender): Promise<void> {
  const { live } = await server.merchant()
  const { browser } = await openOwner(server)
  const { client: wallet } = await signUp(server.anybody, { phone: newLivePhone(), codeOf: (phone) => textedCode(server, phone) })
  const key = { client: live, cheap: '/v1/biz/ping' }
  const session = { client: browser, cheap: '/v1/dashboard/me' }
  const person = { client: wallet, cheap: '/v1/me' }
  const callers: Partial<Record<Route['auth'], LimitedCaller>> = { key, 'key-or-session': key, session, wallet: person, stream: person }
  for (const caller of [key, session, person]) {
    const routes = TABLE.filter(({ auth }) => callers[auth] === caller)
    await reachLimit(sender, caller, routes)
  }
  await tryTokens(server, sender)
}

/**
 * Guesses the PIN, the code or the password of a right request again and again from one network, until it answers 423 or 429; asks
 * again and again where there is nothing to guess but each request sends a message.
 */
export async function guessSecrets(
  sender: AttemptSender,
  route: Route,
  prepare: () => Promise<KeyedRequest> | KeyedRequest,
): Promise<void> {
  const { operationId } = route
  const wrong = WRONG_SECRETS[operationId]
  if (wrong === undefined) return
  const request = await prepare()
  const client = request.client.from(`127.42.${Object.keys(WRONG_SECRETS).indexOf(operationId)}.1`)
  const json = { ...(request.json as object), ...wrong }
  for (let count = 0; count < GUESSES_MAX; count++) {
    const attempt = rightAttempt(new Prng(sender.sent), route, { ...request, json })
    const answer = await sender.send(`${operationId}, guess ${count}`, route, client, attempt)
    if (answer === null || answer.status === 423 || answer.status === 429) return
  }
  sender.failures.push(`${operationId} took ${GUESSES_MAX} guesses from one network`)
}

/** The one-time code that the development inbox shows for a live phone. */
async function textedCode({ process }: TestServer, phone: string): Promise<string> {
  let code: string | undefined
  await eventuallyAsync(async () => {
    const { text } = await askPage(process.baseUrl, '/dev')
    const messages = text.split('<li id="m-').filter((message) => message.includes(`<b>${phone}</b>`))
    code = messages.map((message) => /\b\d{6}\b/.exec(message)?.[0]).find((found) => found !== undefined)
    return code !== undefined
  }, `a code is sent to ${phone}`)
  return code ?? ''
}

/** Sends bursts with the routes behind them until each of them met the limit. */
async function reachLimit(sender: AttemptSender, { client, cheap }: LimitedCaller, routes: readonly Route[]): Promise<void> {
  let left = routes
  for (let round = 0; left.length > 0 && round < ROUNDS_MAX; round++) {
    const ping = TABLE.find(({ path, method }) => path === cheap && method === 'GET')
    assert.ok(ping !== undefined)
    const met = new Set<Route>()
    const burst = Array.from({ length: BURST }, () => sender.send('a burst', ping, client, plain('GET', cheap)))
    const rest = left.map(async (route) => {
      const answer = await sender.send(`${route.operationId}, beyond the rate`, route, client, attemptOn(route))
      if (answer?.status === 429) met.add(route)
    })
    await Promise.all([...burst, ...rest])
    left = left.filter((route) => !met.has(route))
  }
  for (const { operationId } of left) sender.failures.push(`${operationId} did not answer 429 beyond the rate of its caller`)
}

async function tryTokens({ anybody }: TestServer, sender: AttemptSender): Promise<void> {
  const stranger = bearer(anybody, 'wrong').from(OPERATORS_NETWORK)
  const routes = TABLE.filter(({ auth }) => auth === 'operator')
  const [first] = routes
  assert.ok(first !== undefined)
  for (let count = 0; count < WRONG_TOKENS; count++) await sender.send('a wrong token', first, stranger, attemptOn(first))
  for (const route of routes) {
    const check = ({ status }: { readonly status: number }): void => assert.equal(status, 429)
    await sender.send(`${route.operationId}, from a network of wrong tokens`, route, stranger, attemptOn(route), check)
  }
}

/** A request that changes nothing, because its parameter is unknown. Of a stream only the head is asked for. */
function attemptOn(route: Route): Attempt {
  const path = `${route.path.replaceAll(/\{\w+\}/g, ABSENT)}?unknown=1`
  return plain(STREAM_ROUTES.has(route.operationId) ? 'HEAD' : route.method, path)
}

function plain(method: string, path: string): Attempt {
  const bytes = Buffer.from('{}')
  const hasBody = method === 'POST' || method === 'PUT'
  return { method, path, caller: 'owner', isRight: false, headers: {}, body: hasBody ? { bytes, contentType: 'application/json' } : null }
}
