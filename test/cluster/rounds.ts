// Rounds of faults against three real nodes under load: clients pay one franc with a key of its own at any node and read the balance
// at any node. After each round every payout is acknowledged, paid once, and the whole history is checked.
import { randomInt } from 'node:crypto'
import type { ClusterServers } from '../support/cluster-servers.ts'
import { eventuallyAsync } from '../support/eventually.ts'
import { contradictions, type Payment, type Reading } from './balance-history.ts'

export type Fault = 'owner killed' | 'owner stopped in order' | 'owner frozen' | 'follower killed'

export const FAULTS: readonly Fault[] = ['owner killed', 'owner stopped in order', 'owner frozen', 'follower killed']

export interface RoundReport {
  readonly fault: Fault
  readonly payments: number
  readonly readings: number
  /** Attempts without a clear answer, all settled by sending the same key again. */
  readonly unknown: number
  /** Longest time in which no payout was acknowledged. */
  readonly pauseMs: number
  readonly faults: readonly string[]
}

export interface Account {
  /** Of the merchant: its key pair. */
  readonly headers: Readonly<Record<string, string>>
  readonly recipient: string
}

const CLIENTS = 4
const BEFORE_MS = 500
const AFTER_MS = 4000
const FROZEN_MS = 4000
const ATTEMPT_MAX_MS = 20_000
const NAMES = ['a', 'b', 'c'] as const

export class Rounds {
  readonly #servers: ClusterServers
  readonly #account: Account
  #round = 0
  #isOver = false
  #unknown = 0

  constructor(servers: ClusterServers, account: Account) {
    this.#servers = servers
    this.#account = account
  }

  async run(fault: Fault): Promise<RoundReport> {
    this.#round++
    this.#isOver = false
    this.#unknown = 0
    const initial = await this.#balance('a')
    const payments: Payment[] = []
    const readings: Reading[] = []
    const clients = Array.from({ length: CLIENTS }, (_, client) => this.#client(client, payments, readings))
    await pause(BEFORE_MS)
    const heal = await this.#strike(fault)
    await pause(AFTER_MS)
    await heal()
    for (const name of NAMES) await this.#supervise(name)
    await pause(BEFORE_MS)
    this.#isOver = true
    await Promise.all(clients)
    const faults = contradictions(initial, payments, readings)
    for (const name of NAMES) {
      const balance = await this.#balance(name)
      if (balance !== initial - payments.length) faults.push(`${name} ends at ${balance}, not at ${initial - payments.length}`)
    }
    for (const { key, body } of payments.slice(-CLIENTS)) {
      const again = await this.#attempt(NAMES[randomInt(NAMES.length)] ?? 'a', key)
      if (again !== body) faults.push(`the key ${key} gave two answers`)
    }
    return { fault, payments: payments.length, readings: readings.length, unknown: this.#unknown, pauseMs: longestPause(payments), faults }
  }

  async #client(client: number, payments: Payment[], readings: Reading[]): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      payments.push(await this.#pay(`r${this.#round}-${client}-${count}`))
      const node = NAMES[randomInt(NAMES.length)] ?? 'a'
      const startMs = performance.now()
      const balance = await this.#balance(node).catch(() => null)
      if (balance !== null) readings.push({ node, startMs, endMs: performance.now(), balance })
    }
  }

  /** With the same key at any node until it is acknowledged. */
  async #pay(key: string): Promise<Payment> {
    const startMs = performance.now()
    for (;;) {
      const body = await this.#attempt(NAMES[randomInt(NAMES.length)] ?? 'a', key)
      if (body !== null) return { key, startMs, endMs: performance.now(), body }
      this.#unknown++
      await pause(50)
    }
  }

  /** Null without a clear answer. */
  async #attempt(name: string, key: string): Promise<string | null> {
    const answer = await fetch(`${this.#servers.node(name).baseUrl}/v1/biz/payouts`, {
      method: 'POST',
      headers: { ...this.#account.headers, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ recipient: this.#account.recipient, amount: 1 }),
      signal: AbortSignal.timeout(ATTEMPT_MAX_MS),
    }).catch(() => null)
    if (answer === null || answer.status === 503) return null
    const body = await answer.text().catch(() => null)
    if (answer.status !== 201) throw new Error(`${answer.status} at ${name}: ${body}`)
    return body
  }

  async #balance(name: string): Promise<number> {
    const url = `${this.#servers.node(name).baseUrl}/v1/biz/balance`
    const answer = await fetch(url, { headers: this.#account.headers, signal: AbortSignal.timeout(ATTEMPT_MAX_MS) })
    if (answer.status !== 200) throw new Error(`${answer.status} at ${name}`)
    return ((await answer.json()) as { available: number }).available
  }

  async #strike(fault: Fault): Promise<() => Promise<void>> {
    const owner = await this.#owner()
    const name = fault === 'follower killed' ? (NAMES.find((other) => other !== owner) ?? 'a') : owner
    const server = this.#servers.node(name)
    const restart = async (): Promise<void> => void (await this.#servers.start(name))
    if (fault === 'owner stopped in order') {
      await server.terminate()
      return restart
    }
    if (fault !== 'owner frozen') {
      await server.kill()
      return restart
    }
    process.kill(server.pid, 'SIGSTOP')
    await pause(FROZEN_MS)
    process.kill(server.pid, 'SIGCONT')
    return async () => {
      await server.line('Another node owns the log now')
      await server.kill()
      await restart()
    }
  }

  /** As a supervisor: a node that lost the log to another one has ended, and is started again. It must have ended for no other reason. */
  async #supervise(name: string): Promise<void> {
    if ((await this.#servers.health(name).catch(() => 'ended')) !== 'ended') return
    await this.#servers.node(name).line('Another node owns the log now')
    await this.#servers.start(name)
  }

  async #owner(): Promise<string> {
    let owner: string | undefined
    await eventuallyAsync(async () => {
      const healths = await Promise.all(NAMES.map((name) => this.#servers.health(name).catch(() => null)))
      owner = NAMES.find((_, index) => healths[index]?.role === 'owner')
      return owner !== undefined
    }, 'an owner')
    return owner ?? 'a'
  }
}

function longestPause(payments: readonly Payment[]): number {
  const ends = payments.map(({ endMs }) => endMs).sort((one, other) => one - other)
  let longest = 0
  for (let at = 1; at < ends.length; at++) longest = Math.max(longest, (ends[at] as number) - (ends[at - 1] as number))
  return Math.round(longest)
}

function pause(timeMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeMs))
}
