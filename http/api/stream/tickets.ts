// Single-use tickets for browsers, whose EventSource cannot send a header. A ticket opens one stream within a minute. Only
// memory holds the tickets of one process: after a restart a client requests a new one.
import { hash, randomBytes } from 'node:crypto'
import type { AccountNumber, IdempotencyKey } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { AccountQuota } from '../../server/account-quota.ts'
import { TICKET_LIFETIME_MS } from './stream-limits.ts'
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

/** The key has a different request; or the wallet has no ticket, and the others leave it no room for one. */
export type TicketRejection = 'idempotency_key_reused' | 'quota_exceeded'

/** Tickets of one process, or of a cluster (signed-tickets.ts). */
export interface StreamTickets {
  /** Number of tickets in memory. */
  readonly count: number
  /** Issues a ticket, or returns the valid ticket of the key again. */
  issue(holder: StreamHolder, idempotency: IdempotencyKey | null): IssuedTicket | TicketRejection
  /** Uses the ticket up. Returns null for an unknown, used or expired ticket. */
  redeem(ticket: string): StreamHolder | null | Promise<StreamHolder | 'unavailable' | null>
}

export class Tickets implements StreamTickets {
  /** Tickets by their SHA-256, oldest first. */
  readonly #rows = new Map<string, Row>()
  /** Hashes by wallet, oldest first. */
  readonly #byAccount = new Map<AccountNumber, Set<string>>()
  readonly #now: () => TimeMs
  readonly #use: AccountQuota

  constructor(now: () => TimeMs, use: AccountQuota) {
    this.#now = now
    this.#use = use
  }

  get count(): number {
    return this.#rows.size
  }

  issue(holder: StreamHolder, idempotency: IdempotencyKey | null = null): IssuedTicket | TicketRejection {
    const nowMs = this.#now()
    const earlier = idempotency === null ? undefined : this.#askedBy(holder, idempotency.key, nowMs)
    if (earlier !== undefined) {
      return earlier.fingerprint === idempotency?.fingerprint ? { ticket: earlier.ticket, isReplay: true } : 'idempotency_key_reused'
    }
    if (!this.#makeRoom(holder.account, nowMs)) return 'quota_exceeded'
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

  /** Drops expired tickets, and the wallet's oldest one where it has no room. Returns false when it has no room then. */
  #makeRoom(account: AccountNumber, nowMs: TimeMs): boolean {
    for (const [key, row] of this.#rows) {
      if (row.goodUntilMs > nowMs) break
      this.#drop(key, row)
    }
    if (this.#use.take(account)) return true
    const [oldest] = this.#byAccount.get(account) ?? []
    if (oldest === undefined) return false
    this.#drop(oldest, this.#rows.get(oldest) as Row)
    // The wallet has as many as before.
    this.#use.change(account, 1)
    return true
  }

  #drop(key: string, { holder }: Row): void {
    this.#rows.delete(key)
    this.#use.giveBack(holder.account)
    const own = this.#byAccount.get(holder.account)
    own?.delete(key)
    if (own?.size === 0) this.#byAccount.delete(holder.account)
  }
}

function keyOf(ticket: string): string {
  return hash('sha256', ticket, 'base64')
}
