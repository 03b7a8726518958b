// Single-use tickets of a cluster: signed, so that every node reads them, and used up by a mark in the log, so that one stream in all
// nodes opens. Only the memory of the owner knows which idempotency key has which ticket.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccountNumber, EngineApi, IdempotencyKey, Outcome } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { AccountQuota } from '../../server/account-quota.ts'
import { TICKET_LIFETIME_MS } from './stream-limits.ts'
import type { IssuedTicket, StreamTickets, TicketRejection } from './tickets.ts'
import type { StreamHolder } from './wallet-stream.ts'

export interface SignedTicketsParts {
  readonly engine: Pick<EngineApi, 'query'>
  /** Submits at the owner of the log, whichever node that is. */
  readonly submit: EngineApi['submit']
  /** Derived from the master key, so that all nodes have the same. */
  readonly key: Uint8Array
  readonly use: AccountQuota
}

const TICKET = /^[A-Za-z0-9_-]{64}$/
const UUID_BYTES = 16
const NONCE_BYTES = 8
const SIGNED_BYTES = UUID_BYTES + 8 + NONCE_BYTES
const MAC_BYTES = 16
const SCOPE = 'stream-ticket'

interface Asked {
  readonly account: AccountNumber
  readonly ticket: string
  readonly fingerprint: string
  readonly goodUntilMs: TimeMs
}

export class SignedTickets implements StreamTickets {
  readonly #parts: SignedTicketsParts
  /** Tickets by session and idempotency key, oldest first. */
  readonly #asked = new Map<string, Asked>()

  constructor(parts: SignedTicketsParts) {
    this.#parts = parts
  }

  get count(): number {
    return this.#asked.size
  }

  /** As `Tickets.issue`. After a takeover the key of a request gets another ticket: it moves no money, so its key is in no log. */
  issue(holder: StreamHolder, idempotency: IdempotencyKey | null = null): IssuedTicket | TicketRejection {
    const nowMs = this.#now()
    const name = `${holder.sessionId}\n${idempotency?.key ?? ''}`
    const earlier = idempotency === null ? undefined : this.#asked.get(name)
    if (earlier !== undefined && idempotency !== null && earlier.goodUntilMs > nowMs && !this.#isUsed(earlier.ticket)) {
      return earlier.fingerprint === idempotency.fingerprint ? { ticket: earlier.ticket, isReplay: true } : 'idempotency_key_reused'
    }
    const goodUntilMs = nowMs + TICKET_LIFETIME_MS
    const ticket = this.#sign(holder, goodUntilMs)
    const { account } = holder
    if (idempotency !== null) this.#remember(name, { account, ticket, fingerprint: idempotency.fingerprint, goodUntilMs }, nowMs)
    return { ticket, isReplay: false }
  }

  /** Uses the ticket up. Null for an unknown, used or expired ticket, `unavailable` when no owner could mark it as used. */
  async redeem(ticket: string): Promise<StreamHolder | 'unavailable' | null> {
    const holder = this.#read(ticket)
    if (holder === null) return null
    const outcome = await this.#use(holder.account, ticket)
    if (outcome.kind === 'ok') return holder
    return outcome.kind === 'unprocessable' ? null : 'unavailable'
  }

  /** The fingerprint is this attempt's, so that a repeated request of it succeeds and any other attempt is rejected. */
  #use(account: AccountNumber, ticket: string): Promise<Outcome> {
    const idempotency = { scope: SCOPE, key: markOf(ticket), fingerprint: randomBytes(UUID_BYTES).toString('base64url') }
    const command = { type: 'KeepAnswer', account, kind: 'ok' } as const
    return new Promise((resolve) => {
      const refusal = this.#parts.submit({ command, mailbox: account, idempotency }, { settle: resolve })
      if (refusal !== null) resolve({ kind: 'unavailable', body: '', replayed: false })
    })
  }

  #isUsed(ticket: string): boolean {
    return this.#parts.engine.query('results.known', { scope: SCOPE, key: markOf(ticket), fingerprint: null }) !== null
  }

  #sign({ sessionId, expiresAtMs }: StreamHolder, goodUntilMs: TimeMs): string {
    const signed = Buffer.alloc(SIGNED_BYTES)
    Buffer.from(sessionId.replaceAll('-', ''), 'hex').copy(signed, 0)
    signed.writeUInt32BE(Math.ceil(goodUntilMs / 1000), UUID_BYTES)
    signed.writeUInt32BE(Math.floor(expiresAtMs / 1000), UUID_BYTES + 4)
    randomBytes(NONCE_BYTES).copy(signed, UUID_BYTES + 8)
    return Buffer.concat([signed, this.#mac(signed)]).toString('base64url')
  }

  #read(ticket: string): StreamHolder | null {
    if (!TICKET.test(ticket)) return null
    const bytes = Buffer.from(ticket, 'base64url')
    const signed = bytes.subarray(0, SIGNED_BYTES)
    if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), this.#mac(signed))) return null
    if (signed.readUInt32BE(UUID_BYTES) * 1000 <= this.#now()) return null
    const sessionId = uuidOf(signed.subarray(0, UUID_BYTES))
    const device = this.#parts.engine.query('devices.ofSession', { sessionId })
    if (device === null) return null
    return { account: device.account, deviceId: device.id, sessionId, expiresAtMs: signed.readUInt32BE(UUID_BYTES + 4) * 1000 }
  }

  #mac(signed: Uint8Array): Buffer {
    return createHmac('sha256', this.#parts.key).update(signed).digest().subarray(0, MAC_BYTES)
  }

  /** A key that has no room is not remembered: its replay gets another ticket, and each opens one stream. */
  #remember(name: string, asked: Asked, nowMs: TimeMs): void {
    for (const [old, { goodUntilMs }] of this.#asked) {
      if (goodUntilMs > nowMs) break
      this.#forget(old)
    }
    this.#forget(name)
    if (this.#parts.use.take(asked.account)) this.#asked.set(name, asked)
  }

  #forget(name: string): void {
    const asked = this.#asked.get(name)
    if (asked === undefined) return
    this.#asked.delete(name)
    this.#parts.use.giveBack(asked.account)
  }

  #now(): TimeMs {
    return this.#parts.engine.query('engine.time', null)
  }
}

function markOf(ticket: string): string {
  return hash('sha256', ticket, 'base64url')
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
