// Links that were sent to members and invited persons in the model: each works once, in its time, until a newer one replaces it.
import assert from 'node:assert/strict'
import type { MemberRole } from '../../../../engine/contract/dashboard.ts'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, sameRows } from '../entry.ts'
import type { Moves } from '../moves.ts'

export type LinkKind = 'invitation' | 'reset' | 'confirmation'

export interface ModelLink {
  readonly tokenHash: string
  readonly id: string
  readonly kind: LinkKind
  readonly merchantId: string
  /** Null for an invitation. */
  readonly userId: string | null
  readonly email: string
  readonly role: MemberRole | null
  readonly createdMs: number
  readonly expiresMs: number
  state: 'sent' | 'ended'
}

/** For whom a link is. */
export type LinkSubject = Pick<ModelLink, 'kind' | 'merchantId' | 'email'>

interface Link {
  readonly id: string
  readonly token_hash: string
  readonly kind: LinkKind
  readonly merchant_id: string
  readonly user_id: string | null
  readonly email: string
  readonly role: MemberRole | null
  readonly expires_at_ms: number
  readonly replaced: string | null
}

interface Ended {
  readonly token_hash: string
  readonly reason: 'used' | 'withdrawn'
}

/** What the engine's limits are meant to be, written down a second time. */
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
const LIFETIMES_MS = { invitation: 7 * DAY_MS, reset: 30 * MINUTE_MS, confirmation: 7 * DAY_MS } as const

export class LinksModel {
  /** By hash of the token; those that have ended too. */
  readonly links = new Map<string, ModelLink>()
  readonly #machine: Machine<ModelLink['state']>

  constructor(seen: Moves) {
    this.#machine = new Machine<ModelLink['state']>('link', { used: ['sent'], withdrawn: ['sent'], replaced: ['sent'] }, seen)
  }

  /** The link with the token, while it works. */
  working(tokenHash: string, kind: LinkKind, nowMs: number): ModelLink | undefined {
    const link = this.links.get(tokenHash)
    return link?.kind === kind && link.state === 'sent' && link.expiresMs > nowMs ? link : undefined
  }

  /** Invitations of the merchant that work. */
  invitationsOf(merchantId: string, nowMs: number): ModelLink[] {
    const open = [...this.links.values()].filter((link) => link.kind === 'invitation' && link.merchantId === merchantId)
    return open.filter(({ state, expiresMs }) => state === 'sent' && expiresMs > nowMs)
  }

  /** Whether one of the kind was sent to the address within a minute; of resets, five within an hour. */
  isTooSoon(subject: LinkSubject, nowMs: number): boolean {
    if (subject.kind === 'reset') return this.of(subject).filter(({ createdMs }) => nowMs - createdMs < 60 * MINUTE_MS).length >= 5
    return nowMs - (this.#last(subject)?.createdMs ?? Number.NEGATIVE_INFINITY) < MINUTE_MS
  }

  /** Sent, whether it still works or not. */
  of({ kind, merchantId, email }: LinkSubject): ModelLink[] {
    return [...this.links.values()].filter((link) => link.kind === kind && link.merchantId === merchantId && link.email === email)
  }

  audit(entry: Entry): void {
    const { timeMs } = entry.record
    for (const { payload } of eventsOf<Ended>(entry, 'dashboard_link.ended')) {
      const link = this.links.get(payload.token_hash)
      this.#machine.move(link?.state, payload.reason)
      if (link === undefined) continue
      assert.ok(payload.reason === 'withdrawn' || timeMs < link.expiresMs, 'a link that is over is not used')
      link.state = 'ended'
    }
    for (const { payload } of eventsOf<Link>(entry, 'dashboard_link.sent')) this.#send(payload, timeMs)
  }

  forget(nowMs: number): void {
    for (const link of this.links.values()) if (link.expiresMs <= nowMs) link.state = 'ended'
  }

  compare({ dashboard }: State): void {
    sameRows(
      Array.from(dashboard.links.values(), ({ id, kind, email, merchant_id }) => `${id} ${kind} ${email} ${merchant_id}`),
      [...this.links.values()]
        .filter(({ state }) => state === 'sent')
        .map(({ id, kind, email, merchantId }) => `${id} ${kind} ${email} ${merchantId}`),
      'links that were sent',
    )
  }

  #send({ id, token_hash, kind, merchant_id, user_id, email, role, expires_at_ms, replaced }: Link, timeMs: number): void {
    const subject = { kind, merchantId: merchant_id, email }
    const before = kind === 'reset' ? this.#oldestOfThree(subject, timeMs, replaced) : this.#last(subject)
    assert.equal(replaced, before?.tokenHash ?? null, 'a link replaces the one before, and the newest three resets work')
    assert.equal(expires_at_ms, timeMs + LIFETIMES_MS[kind], `lifetime of a link of the kind ${kind}`)
    if (before !== undefined) {
      this.#machine.move(before.state, 'replaced')
      before.state = 'ended'
    }
    const times = { createdMs: timeMs, expiresMs: expires_at_ms }
    this.links.set(token_hash, { tokenHash: token_hash, id, ...subject, userId: user_id, role, ...times, state: 'sent' })
  }

  /** Of those of one millisecond either is the oldest: while a clock is behind the ledger, ids of two lives have no order. */
  #oldestOfThree(subject: LinkSubject, nowMs: number, replaced: string | null): ModelLink | undefined {
    const open = this.of(subject).filter(({ state, expiresMs }) => state === 'sent' && expiresMs > nowMs)
    if (open.length < 3) return undefined
    const oldestMs = Math.min(...open.map(({ createdMs }) => createdMs))
    const oldest = open.filter(({ createdMs }) => createdMs === oldestMs)
    return oldest.find(({ tokenHash }) => tokenHash === replaced) ?? oldest[0]
  }

  /** The one that a new one replaces; it may be over. */
  #last(subject: LinkSubject): ModelLink | undefined {
    return this.of(subject).find(({ state }) => state === 'sent')
  }
}
