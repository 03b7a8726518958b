// Fuzzes every route of the API from its document: right requests come from the rows of the routes, which make real states, and are
// sent changed. Each route is walked first (route-walk.ts). One seed decides what is sent.
import assert from 'node:assert/strict'
import type { Route } from '../../../http/server/route.ts'
import { TABLE } from '../../support/api-document.ts'
import type { Answer, Client } from '../../support/client.ts'
import type { KeyedRequest, KeyedRow, KeyedWorld } from '../../support/keyed-request.ts'
import { ROUTE_ROWS, STREAM_ROUTES } from '../../support/other-routes.ts'
import { Prng } from '../../support/prng.ts'
import type { TestServer } from '../../support/server-fixture.ts'
import { ok, signUp } from '../../support/wallet-callers.ts'
import { WrongCallers } from '../../support/wrong-callers.ts'
import { AttemptSender, HASHING } from './attempt-sender.ts'
import { guessSecrets, LIMITED, walkLimits } from './limit-walk.ts'
import { attemptOf, rightAttempt } from './route-attempt.ts'
import { walkRoute } from './route-walk.ts'

export interface RouteFuzzOptions {
  readonly world: KeyedWorld
  readonly seed: number
  readonly requests: number
  /** Number of the first request: a run in parts counts on. */
  readonly first?: number
  /** Requests at the same time. */
  readonly concurrency?: number
  /** True when no further changed request is to be sent. */
  readonly isOver?: () => boolean
}

export interface RouteFuzzReport {
  /** The walk, and changed requests. */
  readonly sent: number
  /** Of the changed requests alone. */
  readonly perSecond: number
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** What was wrong, with the request and its number. */
  readonly failures: readonly string[]
  /** Operations without a good answer. */
  readonly unreached: readonly string[]
  /** Documented answers below 500, each `operationId status`, that were seen by this server's callers and that were not. */
  readonly seen: readonly string[]
  readonly unseen: readonly string[]
}

/** Settings of the server: no daily budget of log bytes, and a rate of live callers that one burst uses up. */
export const FUZZ_SETTINGS = { LOG_MB_PER_DAY_LIVE: '0', LOG_MB_PER_DAY_TEST: '0', LOG_MB_PER_DAY_UNPROVEN: '0', ...LIMITED }

const PREPARED_AT_ONCE = 6
/** Of a route that may hash a password: it is sent less often than others. */
const SLOW_CHANCE = 0.2

interface KeyPage {
  readonly data: readonly { readonly id: string }[]
  readonly has_more: boolean
}

interface Target {
  readonly route: Route
  readonly prepare: KeyedRow
  readonly requests: KeyedRequest[]
  isReached: boolean
}

export async function fuzzRoutes(options: RouteFuzzOptions): Promise<RouteFuzzReport> {
  const run = new RouteFuzz(options, await keptIds(options.world))
  await run.prepare()
  return run.run()
}

class RouteFuzz {
  readonly #world: KeyedWorld
  readonly #server: TestServer
  readonly #options: Required<RouteFuzzOptions>
  readonly #targets: readonly Target[]
  readonly #quick: readonly Target[]
  #others: readonly Client[] = []
  readonly #sender: AttemptSender
  #next: number

  constructor({ first = 0, concurrency = 32, isOver = () => false, ...rest }: RouteFuzzOptions, kept: ReadonlySet<string>) {
    this.#options = { first, concurrency, isOver, ...rest }
    this.#world = rest.world
    this.#server = rest.world.server
    this.#next = first
    this.#sender = new AttemptSender(rest.seed, kept)
    this.#targets = TABLE.map((route) => {
      const prepare = ROUTE_ROWS[route.operationId]
      assert.ok(prepare !== undefined, `${route.operationId} has no row`)
      return { route, prepare, requests: [], isReached: STREAM_ROUTES.has(route.operationId) }
    })
    this.#quick = this.#targets.filter(({ route }) => !HASHING.has(route.operationId))
  }

  /** Makes the states that the requests meet: of each route one that its walk has used, and a new one. */
  async prepare(): Promise<void> {
    const { merchant, server, openBiller } = this.#world
    // The world's customer and biller are none of them: what others send may change a PIN, or a product.
    const biller = (await openBiller('published')).merchant
    this.#others = [merchant.live, biller.test, (await signUp(server.anybody)).client, server.operator]
    const parts = { sender: this.#sender, callers: await WrongCallers.open(this.#world), seed: this.#options.seed }
    await inParallel(PREPARED_AT_ONCE, this.#targets, async (target) => {
      const walked = await target.prepare(this.#world)
      const isGood = await walkRoute(parts, target.route, walked)
      if (isGood) target.isReached = true
      target.requests.push(walked, await target.prepare(this.#world))
    })
  }

  async run(): Promise<RouteFuzzReport> {
    const before = this.#sender.sent
    const startMs = performance.now()
    await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#work()))
    const perSecond = ((this.#sender.sent - before) * 1000) / (performance.now() - startMs)
    const unreached: string[] = []
    for (const target of this.#targets)
      if (!target.isReached && !(await this.#isReachable(target))) unreached.push(target.route.operationId)
    await inParallel(PREPARED_AT_ONCE, this.#targets, ({ route, prepare }) => guessSecrets(this.#sender, route, () => prepare(this.#world)))
    await walkLimits(this.#server, this.#sender)
    const { sent, statuses, failures } = this.#sender
    return { sent, perSecond, statuses, failures, unreached, ...documentedAnswers(this.#server) }
  }

  async #work(): Promise<void> {
    const end = this.#options.first + this.#options.requests
    const inNetwork = this.#sender.networks()
    while (this.#next < end && !this.#sender.hasFailed && !this.#options.isOver()) await this.#one(this.#next++, inNetwork)
  }

  async #one(number: number, inNetwork: (client: Client) => Client): Promise<void> {
    const random = new Prng(Math.imul(this.#options.seed, 0x9e3779b1) + number)
    const first = random.pick(this.#targets)
    const target = HASHING.has(first.route.operationId) && !random.chance(SLOW_CHANCE) ? random.pick(this.#quick) : first
    const at = random.below(target.requests.length)
    const request = target.requests[at]
    if (request === undefined) throw new Error('the row has a request')
    const attempt = attemptOf(random, target.route, request, this.#sender.ids)
    const client = inNetwork(this.#clientOf(random, target.route, request, attempt.caller))
    const answer = await this.#sender.send(`request ${number}`, target.route, client, attempt)
    if (!attempt.isRight || answer === null) return
    if (isGood(answer)) target.isReached = true
    // Its state is used up.
    else if (!STREAM_ROUTES.has(target.route.operationId)) target.requests[at] = await target.prepare(this.#world)
  }

  /** The good answer of a stream does not end, so streams have no right caller here. */
  #clientOf(random: Prng, { operationId }: Route, { client }: KeyedRequest, caller: 'owner' | 'stranger' | 'other'): Client {
    if (STREAM_ROUTES.has(operationId) || caller === 'stranger') return this.#server.anybody
    return caller === 'other' ? random.pick(this.#others) : client
  }

  /** A state of its own, and the right request. */
  async #isReachable({ prepare, route }: Target): Promise<boolean> {
    const request = await prepare(this.#world)
    const attempt = rightAttempt(new Prng(this.#options.seed), route, request)
    const answer = await this.#sender.send(`${route.operationId}, at last`, route, request.client, attempt)
    return answer !== null && isGood(answer)
  }
}

/** Of the world's merchants and their keys: operators' routes would suspend the merchants and revoke the keys that all rows use. */
async function keptIds({ server, merchant, paidFor }: KeyedWorld): Promise<ReadonlySet<string>> {
  const kept = new Set([merchant.id, paidFor.merchant.id])
  for (const id of [...kept]) {
    const { body } = await ok(server.operator.get<KeyPage>(`/v1/operator/merchants/${id}/api-keys`))
    assert.ok(body.data.length > 0 && !body.has_more, 'one page holds all keys of the merchant')
    for (const key of body.data) kept.add(key.id)
  }
  return kept
}

/** Of all callers of the server. */
export function documentedAnswers({ anybody }: TestServer): Pick<RouteFuzzReport, 'seen' | 'unseen'> {
  const { operations, seen } = anybody.document
  const pairs = [...operations].flatMap(([operation, { responses }]) => Object.keys(responses).map((status) => `${operation} ${status}`))
  const below = pairs.filter((pair) => !/ 5\d\d$/.test(pair))
  return { seen: below.filter((pair) => seen.has(pair)), unseen: below.filter((pair) => !seen.has(pair)) }
}

function isGood({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

async function inParallel<Item>(count: number, items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const one = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: count }, one))
}
