// Single-use tickets for browsers, whose EventSource cannot send a header. A ticket opens one stream within a minute. Only
// memory holds the tickets of one process: after a restart a client requests a new one.
import { hash, randomBytes } from 'node:crypto'
import type { AccountNumber, IdempotencyKey } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { TICKET_LIFETIME_MS, TICKETS_MAX, TICKETS_PER_WALLET_MAX } from './stream-limits.ts'
import type { StreamHolder } from './wallet-stream.ts'

const TICKET_BYTES = 24
const TICKET = /^[A-Za-z0-9_-]{32}$/

interface Row {
  /** Wallet and session of the ticket. The ticket is invalid after the end of that session. */
  readonly holder: StreamHolder
  readonly goodUntilMs: TimeMs
  /** Set when the request had an Idempotency-Key. */
  readonly asked: AskedTicket | null
}

/** An idempotency key and its ticket. A replay returns the ticket while it is valid. */
interface AskedTicket extends Pick<IdempotencyKey, 'key' | 'fingerprint'> {
  readonly ticket: string
}

export interface IssuedTicket {
  readonly ticket: string
  readonly isReplay: boolean
}

/** Tickets of one process, or of a cluster (signed-tickets.ts). */
export interface StreamTickets {
  /** Number of tickets in memory. */
  readonly count: number
  /** Issues a ticket, or returns the valid ticket of the key again. Returns null when the key has a different request. */
  issue(holder: StreamHolder, idempotency: IdempotencyKey | null): IssuedTicket | null
  /** Uses the ticket up. Returns null for an unknown, used or expired ticket. */
  redeem(ticket: string): StreamHolder | null | Promise<StreamHolder | 'unavailable' | null>
}

export class Tickets implements StreamTickets {
  /** Tickets by their SHA-256, oldest first. */
  readonly #rows = new Map<string, Row>()
  /** Hashes by wallet, oldest first. The maximum per wallet prevents that one wallet evicts the tickets of all others. */
  readonly #byAccount = new Map<AccountNumber, Set<string>>()
  readonly #now: () => TimeMs
  readonly #most: number

  constructor(now: () => TimeMs, most = TICKETS_MAX) {
    this.#now = now
    this.#most = most
  }

  get count(): number {
    return this.#rows.size
  }

  issue(holder: StreamHolder, idempotency: IdempotencyKey | null = null): IssuedTicket | null {
    const nowMs = this.#now()
    const earlier = idempotency === null ? undefined : this.#askedBy(holder, idempotency.key, nowMs)
    if (earlier !== undefined) {
      return earlier.fingerprint === idempotency?.fingerprint ? { ticket: earlier.ticket, isReplay: true } : null
    }
    this.#makeRoom(holder.account, nowMs)
    const ticket = randomBytes(TICKET_BYTES).toString('base64url')
    const key = keyOf(ticket)
    const asked = idempotency === null ? null : { key: idempotency.key, fingerprint: idempotency.fingerprint, ticket }
    this.#rows.set(key, { holder, goodUntilMs: nowMs + TICKET_LIFETIME_MS, asked })
    const own = this.#byAccount.get(holder.account)
    if (own === undefined) this.#byAccount.set(holder.account, new Set([key]))
    else own.add(key)
    return { ticket, isReplay: false }
  }

  /** Returns the valid ticket of a key. A linear search is enough for the few tickets of a wallet. */
  #askedBy({ account, sessionId }: StreamHolder, key: string, nowMs: TimeMs): AskedTicket | undefined {
    for (const name of this.#byAccount.get(account) ?? []) {
      const row = this.#rows.get(name)
      if (row?.asked?.key === key && row.goodUntilMs > nowMs && row.holder.sessionId === sessionId) return row.asked
    }
    return undefined
  }

  redeem(ticket: string): StreamHolder | null {
    if (!TICKET.test(ticket)) return null
    const key = keyOf(ticket)
    const row = this.#rows.get(key)
    if (row === undefined) return null
    this.#drop(key, row)
    return row.goodUntilMs > this.#now() ? row.holder : null
  }

  /** Drops expired tickets, and the oldest ones at a maximum. */
  #makeRoom(account: AccountNumber, nowMs: TimeMs): void {
    for (const [key, row] of this.#rows) {
      if (row.goodUntilMs > nowMs && this.#rows.size < this.#most) break
      this.#drop(key, row)
    }
    for (const key of this.#byAccount.get(account) ?? []) {
      if ((this.#byAccount.get(account)?.size ?? 0) < TICKETS_PER_WALLET_MAX) break
      this.#drop(key, this.#rows.get(key) as Row)
    }
  }

  #drop(key: string, { holder }: Row): void {
    this.#rows.delete(key)
    const own = this.#byAccount.get(holder.account)
    own?.delete(key)
    if (own?.size === 0) this.#byAccount.delete(holder.account)
  }
}

function keyOf(ticket: string): string {
  return hash('sha256', ticket, 'base64')
}
