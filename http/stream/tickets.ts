// Tickets for browsers, whose streams cannot carry a header: each opens one stream, once, within a minute. Kept in
// memory alone: after a restart a client asks for another.
import { hash, randomBytes } from 'node:crypto'
import type { TimeMs } from '../../engine/kernel/time.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { TICKET_LIFETIME_MS, TICKETS_MAX } from './limits.ts'

/** Whose stream it opens. */
export interface TicketHolder {
  readonly account: AccountNumber
  /** The session that asked for it: the ticket is worth nothing after its end. */
  readonly sessionId: string
}

const TICKET_BYTES = 24
const TICKET = /^[A-Za-z0-9_-]{32}$/

interface Row extends TicketHolder {
  readonly expiresAtMs: TimeMs
}

export class Tickets {
  /** By SHA-256, oldest first. */
  readonly #rows = new Map<string, Row>()
  readonly #now: () => TimeMs
  readonly #most: number

  constructor(now: () => TimeMs, most = TICKETS_MAX) {
    this.#now = now
    this.#most = most
  }

  get count(): number {
    return this.#rows.size
  }

  issue({ account, sessionId }: TicketHolder): string {
    const nowMs = this.#now()
    for (const [key, { expiresAtMs }] of this.#rows) {
      if (expiresAtMs > nowMs && this.#rows.size < this.#most) break
      this.#rows.delete(key)
    }
    const ticket = randomBytes(TICKET_BYTES).toString('base64url')
    this.#rows.set(keyOf(ticket), { account, sessionId, expiresAtMs: nowMs + TICKET_LIFETIME_MS })
    return ticket
  }

  /** Null for anything but a ticket that is seen for the first time, in time. */
  redeem(ticket: string): TicketHolder | null {
    if (!TICKET.test(ticket)) return null
    const key = keyOf(ticket)
    const row = this.#rows.get(key)
    if (row === undefined) return null
    this.#rows.delete(key)
    return row.expiresAtMs > this.#now() ? row : null
  }
}

function keyOf(ticket: string): string {
  return hash('sha256', ticket, 'base64')
}
