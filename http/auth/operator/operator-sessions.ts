// Sessions of the operator's pages: a token is exchanged for a signed cookie, which every node of a cluster reads. The cookie holds
// start, last use, id and operator; a logout leaves a mark in the log. Wrong tokens are counted by network.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { EngineApi, IdempotencyKey } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { NetworkLimit } from '../../server/network-limit.ts'
import type { OperatorPrincipal } from '../../server/route.ts'
import { isCsrfToken } from '../../server/route-guards.ts'
import { COUNTED_NETWORKS_MAX, WRONG_OPERATOR_LOGINS_PER_NETWORK } from '../../server/server-limits.ts'
import { namedOperator, OperatorToken, principalOf, ROOT_PRINCIPAL } from './operator.ts'

/** Maximum idle time of a session. */
export const IDLE_MAX_MS = 15 * 60_000
/** Maximum lifetime of a session. */
export const SESSION_MAX_MS = 4 * 3_600_000
/** A cookie is renewed when its last use is this long ago. */
export const RENEWED_AFTER_MS = 60_000

export interface OperatorSession {
  readonly id: string
  /** CSRF token of the session's forms. */
  readonly csrfToken: string
  readonly openedMs: TimeMs
  readonly seenMs: TimeMs
  readonly principal: OperatorPrincipal
}

/** `limited`: too many wrong tokens from the network; nothing was compared. */
export type LogIn = { readonly cookie: string } | 'wrong' | 'limited'

export interface OperatorSessionsParts {
  /** OPERATOR_TOKEN. Sessions under another one are invalid. */
  readonly token: string
  /** Derived from the master key, so that all nodes have the same. */
  readonly key: Uint8Array
  readonly engine: Pick<EngineApi, 'query'>
}

const COOKIE = /^[A-Za-z0-9_-]{64}$/
const ID_BYTES = 8
const OPERATOR_BYTES = 16
const SIGNED_BYTES = 8 + ID_BYTES + OPERATOR_BYTES
const MAC_BYTES = 16
/** In the place of an operator's id: the holder of OPERATOR_TOKEN. */
const ROOT_BYTES = Buffer.alloc(OPERATOR_BYTES)

export class OperatorSessions {
  readonly #token: OperatorToken
  readonly #key: Buffer
  readonly #engine: Pick<EngineApi, 'query'>
  readonly #wrong = new NetworkLimit(WRONG_OPERATOR_LOGINS_PER_NETWORK, COUNTED_NETWORKS_MAX)

  constructor({ token, key, engine }: OperatorSessionsParts) {
    this.#token = new OperatorToken(token)
    this.#key = createHmac('sha256', key)
      .update(hash('sha256', token, 'buffer'))
      .digest()
    this.#engine = engine
  }

  logIn(token: string, address: string): LogIn {
    const nowMs = this.#now()
    if (this.#wrong.take(address, nowMs) > 0) return 'limited'
    const isRoot = this.#token.matches(`Bearer ${token}`)
    const named = isRoot ? null : namedOperator(this.#engine, token)
    if (!isRoot && named === null) return 'wrong'
    this.#wrong.giveBack(address, nowMs)
    return { cookie: this.#cookie(nowMs, nowMs, Buffer.concat([randomBytes(ID_BYTES), operatorBytes(named?.id ?? null)])) }
  }

  /** Checks the token of the session's operator once more, for what a session left open must not do. Wrong ones count as at login. */
  confirm({ principal }: OperatorSession, token: string, address: string): 'right' | 'wrong' | 'limited' {
    const nowMs = this.#now()
    if (this.#wrong.take(address, nowMs) > 0) return 'limited'
    const isRoot = this.#token.matches(`Bearer ${token}`)
    const named = isRoot ? null : namedOperator(this.#engine, token)
    const isOwn = principal.operator.id === null ? isRoot : named?.id === principal.operator.id
    if (!isOwn) return 'wrong'
    this.#wrong.giveBack(address, nowMs)
    return 'right'
  }

  /** Returns the session of a cookie; null for any other value, after a logout, after the idle time, and for a revoked operator. */
  find(cookie: string): OperatorSession | null {
    if (!COOKIE.test(cookie)) return null
    const bytes = Buffer.from(cookie, 'base64url')
    const signed = bytes.subarray(0, SIGNED_BYTES)
    if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), this.#mac('session', signed))) return null
    const [openedMs, seenMs] = [signed.readUInt32BE(0) * 1000, signed.readUInt32BE(4) * 1000]
    const nowMs = this.#now()
    if (nowMs - seenMs >= IDLE_MAX_MS || nowMs - openedMs >= SESSION_MAX_MS) return null
    const idBytes = signed.subarray(8, 8 + ID_BYTES)
    const id = idBytes.toString('base64url')
    const principal = this.#principal(signed.subarray(8 + ID_BYTES))
    if (principal === null) return null
    if (this.#engine.query('results.known', { ...endOf(id), fingerprint: null }) !== null) return null
    return { id, csrfToken: this.#mac('csrf', idBytes).toString('base64url'), openedMs, seenMs, principal }
  }

  #principal(bytes: Buffer): OperatorPrincipal | null {
    if (bytes.equals(ROOT_BYTES)) return ROOT_PRINCIPAL
    const named = this.#engine.query('operators.byId', { id: uuidOf(bytes) })
    return named === null ? null : principalOf(named)
  }

  /** Returns the cookie that continues the session; null while the present one is fresh. */
  renewed({ id, openedMs, seenMs, principal }: OperatorSession): string | null {
    const nowMs = this.#now()
    return nowMs - seenMs < RENEWED_AFTER_MS
      ? null
      : this.#cookie(openedMs, nowMs, Buffer.concat([Buffer.from(id, 'base64url'), operatorBytes(principal.operator.id)]))
  }

  /** `ids` are the session's id and the operator's. */
  #cookie(openedMs: TimeMs, seenMs: TimeMs, ids: Buffer): string {
    const signed = Buffer.alloc(SIGNED_BYTES)
    signed.writeUInt32BE(Math.floor(openedMs / 1000), 0)
    signed.writeUInt32BE(Math.floor(seenMs / 1000), 4)
    ids.copy(signed, 8)
    return Buffer.concat([signed, this.#mac('session', signed)]).toString('base64url')
  }

  #mac(use: 'session' | 'csrf', bytes: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(`${use}\n`).update(bytes).digest().subarray(0, MAC_BYTES)
  }

  #now(): TimeMs {
    return this.#engine.query('engine.time', null)
  }
}

function operatorBytes(id: string | null): Buffer {
  return id === null ? ROOT_BYTES : Buffer.from(id.replaceAll('-', ''), 'hex')
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns the idempotency key whose stored result marks the end of the session. */
export function endOf(id: string): IdempotencyKey {
  return { scope: 'operator-session', key: id, fingerprint: 'logout' }
}

/** Compares in constant time, under a mask or without one. False for an empty or missing token. */
export function isFormToken(sent: string, { csrfToken }: OperatorSession): boolean {
  return isCsrfToken(sent, csrfToken)
}
