// Sends fuzzed requests and keeps what came of them: answers by status, failures, ids of what is there. The client checks each answer
// against the document.
import assert from 'node:assert/strict'
import type { Route } from '../../../http/server/route.ts'
import type { Answer, Client } from '../../support/client.ts'
import { type Attempt, nounOf } from './route-attempt.ts'

/** These run merchants' code, and may ask for another try while the sandbox starts or is busy. */
const MAY_BE_BUSY: ReadonlySet<string> = new Set([
  ...['createProduct', 'replaceProduct', 'testLookup', 'testFulfillment', 'createQuote', 'payBill', 'activateProduct', 'submitBiller'],
])
/** Each of these may hash a password, which takes 97 ms of a processor, in a thread of low priority. */
export const HASHING: ReadonlySet<string> = new Set([
  ...[
    'signUpMerchant',
    'logInToDashboard',
    'changePassword',
    'resetPassword',
    'acceptInvitation',
    'resetMemberTotp',
    'renewRecoveryCodes',
    'disableTotp',
  ],
])
/** Requests in a row from one network: limits per network are for callers, not for a fuzzer. */
const REQUESTS_PER_NETWORK = 100
/** Ids that are kept of each noun. */
const IDS_MAX = 60
const FAILURES_MAX = 10
const ANSWER_MAX_MS = 30_000
const ID = /"(?:id|token|transaction_id|charge_id)":"([\w-]{8,64})"/

export class AttemptSender {
  /** Answers by status. */
  readonly statuses = new Map<number, number>()
  /** What was wrong, with the request and its number. */
  readonly failures: string[] = []
  /** Of things that are there, by noun: the step of the path before the id. */
  readonly ids = new Map<string, string[]>()
  /** Requests so far. */
  sent = 0
  readonly #seed: number
  readonly #kept: ReadonlySet<string>
  #networks = 0

  /** `kept` are ids that no request may name. */
  constructor(seed: number, kept: ReadonlySet<string>) {
    this.#seed = seed
    this.#kept = kept
  }

  get hasFailed(): boolean {
    return this.failures.length >= FAILURES_MAX
  }

  /** Returns a function that gives a client another network after some requests. Each sequence of requests has one of its own. */
  networks(): (client: Client) => Client {
    let count = 0
    let address = ''
    return (client) => {
      // 127.0.0.0/8 is one machine on Linux only.
      if (process.platform !== 'linux') return client
      if (count++ % REQUESTS_PER_NETWORK === 0) address = networkAddress(this.#networks++)
      return client.from(address)
    }
  }

  /** Returns the answer; null when it was wrong, or none came. `check` throws when the answer is not what this request must get. */
  async send(label: string, route: Route, client: Client, attempt: Attempt, check?: (answer: Answer) => void): Promise<Answer | null> {
    this.sent++
    try {
      const answer = await answerTo(client, attempt, ANSWER_MAX_MS)
      this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
      const isBusy = answer.status === 503 && MAY_BE_BUSY.has(route.operationId)
      assert.ok(answer.status < 500 || isBusy, `${answer.status} ${answer.text.slice(0, 300)}`)
      if (!isBusy) check?.(answer)
      this.#remember(route, answer)
      return answer
    } catch (error) {
      this.failures.push(`seed ${this.#seed}, ${label}: ${textOf(attempt)}\n  ${messageOf(error)}`)
      return null
    }
  }

  #remember({ path }: Route, { text }: Answer): void {
    const id = ID.exec(text.slice(0, 600))?.[1]
    if (id === undefined || this.#kept.has(id)) return
    const noun = nounOf(path)
    const known = this.ids.get(noun) ?? []
    this.ids.set(noun, known)
    if (known.length < IDS_MAX) known.push(id)
    else known[this.sent % IDS_MAX] = id
  }
}

function networkAddress(number: number): string {
  return `127.${64 + ((number >> 8) & 63)}.${number & 255}.1`
}

function answerTo(client: Client, { method, path, headers, body }: Attempt, maxMs: number): Promise<Answer> {
  const all = body?.encoding === undefined ? headers : { ...headers, 'content-encoding': body.encoding }
  const outgoing = body === null ? { headers: all } : { headers: all, body: body.bytes, contentType: body.contentType }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${maxMs} ms`)), maxMs)
  })
  return Promise.race([client.request(method, path, outgoing), late]).finally(() => clearTimeout(timer))
}

function textOf({ method, path, caller, headers, body }: Attempt): string {
  const text =
    body === null ? '' : ` ${body.contentType} ${body.encoding ?? ''} ${JSON.stringify(body.bytes.toString('latin1').slice(0, 600))}`
  return `${method} ${path.slice(0, 300)} ${caller} ${JSON.stringify(headers)}${text}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 1500) : String(error)
}
