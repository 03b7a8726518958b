// Fuzzes every route of the API from its document: right requests come from the rows of the routes, which make real states, and are
// sent changed. Each answer is checked against the document by the client. One seed decides what is sent.
import assert from 'node:assert/strict'
import type { Route } from '../../http/server/route.ts'
import { TABLE } from '../support/api-document.ts'
import type { Answer, Client } from '../support/client.ts'
import type { KeyedRequest, KeyedRow, KeyedWorld } from '../support/keyed-request.ts'
import { ROUTE_ROWS, STREAM_ROUTES } from '../support/other-routes.ts'
import { Prng } from '../support/prng.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { type Attempt, attemptOf, rightAttempt } from './route-attempt.ts'

export interface RouteFuzzOptions {
  readonly world: KeyedWorld
  readonly seed: number
  readonly requests: number
  /** Number of the first request: a run in parts counts on. */
  readonly first?: number
  /** Requests at the same time. */
  readonly concurrency?: number
}

export interface RouteFuzzReport {
  readonly sent: number
  readonly seconds: number
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

/** These run merchants' code, and may ask for another try while the sandbox starts or is busy. */
const MAY_BE_BUSY: ReadonlySet<string> = new Set([
  ...['createProduct', 'replaceProduct', 'testLookup', 'testFulfillment', 'createQuote', 'payBill', 'activateProduct', 'submitBiller'],
])
/** Requests in a row from one network: limits per network are for callers, not for a fuzzer. */
const REQUESTS_PER_NETWORK = 100
const REQUESTS_PER_ROW = 2
const IDS_MAX = 300
const FAILURES_MAX = 10
const ANSWER_MAX_MS = 30_000
/** How often a row is prepared again after its right request was sent. */
const RENEWAL_CHANCE = 0.3
const ID = /"(?:id|token|transaction_id|charge_id)":"([\w-]{8,64})"/

interface Target {
  readonly route: Route
  readonly prepare: KeyedRow
  readonly requests: KeyedRequest[]
  isReached: boolean
}

export async function fuzzRoutes(options: RouteFuzzOptions): Promise<RouteFuzzReport> {
  const run = new RouteFuzz(options)
  await run.prepare()
  return run.run()
}

class RouteFuzz {
  readonly #world: KeyedWorld
  readonly #server: TestServer
  readonly #options: Required<RouteFuzzOptions>
  readonly #targets: readonly Target[]
  readonly #others: readonly Client[]
  readonly #ids: string[] = []
  readonly #kept: ReadonlySet<string>
  readonly #statuses = new Map<number, number>()
  readonly #failures: string[] = []
  #next: number
  #sent = 0

  constructor({ first = 0, concurrency = 16, ...rest }: RouteFuzzOptions) {
    this.#options = { first, concurrency, ...rest }
    this.#world = rest.world
    this.#server = rest.world.server
    this.#next = first
    const { merchant, customer, paidFor } = rest.world
    this.#others = [merchant.live, paidFor.merchant.test, customer.app, this.#server.operator]
    // Operators' routes would suspend them.
    this.#kept = new Set([merchant.id, paidFor.merchant.id])
    this.#targets = TABLE.map((route) => {
      const prepare = ROUTE_ROWS[route.operationId]
      assert.ok(prepare !== undefined, `${route.operationId} has no row`)
      return { route, prepare, requests: [], isReached: STREAM_ROUTES.has(route.operationId) }
    })
  }

  /** Makes the states that the requests meet. */
  async prepare(): Promise<void> {
    const waiting = [...this.#targets]
    const work = async (): Promise<void> => {
      for (let target = waiting.pop(); target !== undefined; target = waiting.pop()) {
        for (let count = 0; count < REQUESTS_PER_ROW; count++) target.requests.push(await target.prepare(this.#world))
      }
    }
    await Promise.all(Array.from({ length: 4 }, work))
  }

  async run(): Promise<RouteFuzzReport> {
    const startMs = performance.now()
    await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#work()))
    const seconds = (performance.now() - startMs) / 1000
    const unreached: string[] = []
    for (const target of this.#targets)
      if (!target.isReached && !(await this.#isReachable(target))) unreached.push(target.route.operationId)
    return { sent: this.#sent, seconds, statuses: this.#statuses, failures: this.#failures, unreached, ...this.#documented() }
  }

  #documented(): Pick<RouteFuzzReport, 'seen' | 'unseen'> {
    const { operations, seen } = this.#server.anybody.document
    const pairs = [...operations].flatMap(([operation, { responses }]) => Object.keys(responses).map((status) => `${operation} ${status}`))
    const below = pairs.filter((pair) => !/ 5\d\d$/.test(pair))
    return { seen: below.filter((pair) => seen.has(pair)), unseen: below.filter((pair) => !seen.has(pair)) }
  }

  async #work(): Promise<void> {
    const end = this.#options.first + this.#options.requests
    while (this.#next < end && this.#failures.length < FAILURES_MAX) await this.#one(this.#next++)
  }

  async #one(number: number): Promise<void> {
    const random = new Prng(Math.imul(this.#options.seed, 0x9e3779b1) + number)
    const target = random.pick(this.#targets)
    const at = random.below(target.requests.length)
    const request = target.requests[at]
    if (request === undefined) throw new Error('the row has a request')
    const attempt = attemptOf(random, target.route, request, this.#ids)
    const answer = await this.#send(number, random, target, request, attempt)
    if (!attempt.isRight || answer === null) return
    if (isGood(answer)) target.isReached = true
    if (random.chance(RENEWAL_CHANCE)) target.requests[at] = await target.prepare(this.#world)
  }

  async #send(number: number, random: Prng, { route }: Target, request: KeyedRequest, attempt: Attempt): Promise<Answer | null> {
    const isStream = STREAM_ROUTES.has(route.operationId)
    const client =
      isStream || attempt.caller === 'stranger'
        ? this.#server.anybody
        : attempt.caller === 'other'
          ? random.pick(this.#others)
          : request.client
    this.#sent++
    try {
      const answer = await this.#answer(clientAt(client, number), attempt)
      this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1)
      const isBusy = answer.status === 503 && MAY_BE_BUSY.has(route.operationId)
      assert.ok(answer.status < 500 || isBusy, `${answer.status} ${answer.text.slice(0, 300)}`)
      this.#remember(answer)
      return answer
    } catch (error) {
      const { method, path, headers, body } = attempt
      const text =
        body === null ? '' : ` ${body.contentType} ${body.encoding ?? ''} ${JSON.stringify(body.bytes.toString('latin1').slice(0, 1500))}`
      this.#failures.push(
        `seed ${this.#options.seed}, request ${number}: ${method} ${path} ${attempt.caller} ${JSON.stringify(headers)}${text}\n  ${messageOf(error)}`,
      )
      return null
    }
  }

  #answer(client: Client, { method, path, headers, body }: Attempt): Promise<Answer> {
    const all = body?.encoding === undefined ? headers : { ...headers, 'content-encoding': body.encoding }
    const outgoing = body === null ? { headers: all } : { headers: all, body: body.bytes, contentType: body.contentType }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MAX_MS} ms`)), ANSWER_MAX_MS)
    })
    return Promise.race([client.request(method, path, outgoing), late]).finally(() => clearTimeout(timer))
  }

  #remember({ text }: Answer): void {
    const id = ID.exec(text.slice(0, 600))?.[1]
    if (id === undefined || this.#kept.has(id)) return
    if (this.#ids.length < IDS_MAX) this.#ids.push(id)
    else this.#ids[this.#sent % IDS_MAX] = id
  }

  /** A state of its own, and the right request. */
  async #isReachable(target: Target): Promise<boolean> {
    const request = await target.prepare(this.#world)
    const random = new Prng(this.#options.seed)
    const answer = await this.#send(-1, random, target, request, rightAttempt(random, target.route, request))
    return answer !== null && isGood(answer)
  }
}

function isGood({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

/** 127.0.0.0/8 is one machine on Linux only. */
function clientAt(client: Client, number: number): Client {
  if (process.platform !== 'linux' || number < 0) return client
  const network = Math.floor(number / REQUESTS_PER_NETWORK)
  return client.from(`127.${64 + ((network >> 8) & 63)}.${network & 255}.1`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 1500) : String(error)
}
