// Tickets for browsers, whose streams cannot carry a header: each opens one stream, once, within a minute. Kept in
// memory alone: after a restart a client asks for another.
import { hash, randomBytes } from 'node:crypto'
import type { AccountNumber, IdempotencyKey } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { TICKET_LIFETIME_MS, TICKETS_MAX, TICKETS_PER_WALLET_MAX } from './stream-limits.ts'
import type { StreamHolder } from './wallet-stream.ts'

const TICKET_BYTES = 24
const TICKET = /^[A-Za-z0-9_-]{32}$/

interface Row {
  /** Whose stream it opens: it is worth nothing after the session that asked for it. */
  readonly holder: StreamHolder
  readonly goodUntilMs: TimeMs
  /** Where it was asked for with an Idempotency-Key. */
  readonly asked: AskedTicket | null
}

/** A key, and the ticket that it gives again for as long as that opens anything. */
interface AskedTicket extends Pick<IdempotencyKey, 'key' | 'fingerprint'> {
  readonly ticket: string
}

export interface IssuedTicket {
  readonly ticket: string
  readonly isReplay: boolean
}

export class Tickets {
  /** By SHA-256, oldest first. */
  readonly #rows = new Map<string, Row>()
  /** Keys of each wallet's, oldest first. Without a maximum of its own one wallet could push out the tickets of all others. */
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

  /** Of a key whose ticket is still good, that one again; null where the key stands for another request. */
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

  /** A wallet has few tickets: they are looked through. */
  #askedBy({ account, sessionId }: StreamHolder, key: string, nowMs: TimeMs): AskedTicket | undefined {
    for (const name of this.#byAccount.get(account) ?? []) {
      const row = this.#rows.get(name)
      if (row?.asked?.key === key && row.goodUntilMs > nowMs && row.holder.sessionId === sessionId) return row.asked
    }
    return undefined
  }

  /** Null for anything but a ticket that is seen for the first time, in time. */
  redeem(ticket: string): StreamHolder | null {
    if (!TICKET.test(ticket)) return null
    const key = keyOf(ticket)
    const row = this.#rows.get(key)
    if (row === undefined) return null
    this.#drop(key, row)
    return row.goodUntilMs > this.#now() ? row.holder : null
  }

  /** What is over goes, and the oldest where there are too many. */
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
