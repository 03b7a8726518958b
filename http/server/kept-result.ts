// Which key a request has, and the result that it may have already. HTTP and pages ask here, so that a key means the
// same on both ways in.

import type { AccountNumber, Command, Envelope, IdempotencyKey, Outcome, Reply } from '../../engine/api.ts'
import { ERRORS, errorBody } from '../../engine/contract/errors.ts'
import { isSuccess } from '../../engine/contract/outcome-kind.ts'
import type { Core } from './front.ts'
import { tokenScope } from './kept-answers.ts'
import { fingerprintOf } from './request-head.ts'
import type { Call, HearOnce, Principal, Route } from './route.ts'
import { idempotencyScope } from './route-guards.ts'

/** A request as far as its key is concerned. */
export interface KeyedRequest {
  readonly route: Route
  readonly credentials: { readonly authorization: string; readonly cookie: string }
  readonly principal: Principal
  readonly key: string
  /** Path with query, as they were sent. */
  readonly target: string
}

type KeyCore = Pick<Core, 'engine' | 'authenticator' | 'kept'>

const REUSED: Outcome = { kind: ERRORS.idempotency_key_reused.kind, body: errorBody('idempotency_key_reused'), replayed: false }

/** Scope of the token that was sent, on routes where a replay may come after its end; null on others. */
export function scopeOfToken(
  { authenticator }: KeyCore,
  { route, credentials }: Pick<KeyedRequest, 'route' | 'credentials'>,
): string | null {
  const tokenHash = route.endsToken === true ? authenticator.tokenHash(route.auth, credentials) : null
  return tokenHash === null ? null : tokenScope(tokenHash)
}

/** Whether the key has a result in the scope, of any request. */
export function isKept({ engine }: KeyCore, scope: string | null, key: string): boolean {
  return scope !== null && key !== '' && engine.query('results.known', { scope, key, fingerprint: '' }) !== null
}

/** The key with whose it is and what it stands for; null on routes that keep none. `identity`: see `fingerprintOf`. */
export function keyOf(core: KeyCore, request: KeyedRequest, identity: Buffer): IdempotencyKey | null {
  const { route, principal, key, target } = request
  if (key === '' || route.idempotency === 'none') return null
  const scope = scopeOfToken(core, request) ?? idempotencyScope(principal)
  if (scope !== null) return { scope, key, fingerprint: fingerprintOf(route.method, target, identity) }
  return route.auth === 'public' ? core.kept.publicKey(key, route.method, target, identity) : null
}

/**
 * What the key has already, before the handler is asked; null for a new key. Routes that require a key look it up in the
 * turn alone (payouts are among them), and those that check a password or PIN before a replay do it there too.
 */
export function knownResult(
  core: KeyCore,
  { route, principal }: Pick<KeyedRequest, 'route' | 'principal'>,
  idempotency: IdempotencyKey,
): Outcome | null {
  if (route.idempotency !== 'accepted' || route.checksReplays === true) return null
  const known = core.engine.query('results.known', idempotency)
  if (known !== null || route.endsToken !== true) return known
  // Outside the scope of its token the key may stand for another request of the same account.
  return isKept(core, idempotencyScope(principal), idempotency.key) ? REUSED : null
}

/** A call that marks its answer as a replay. */
export interface ReplayingCall extends Call, Reply {
  isReplay: boolean
}

interface Once {
  readonly command: Command
  readonly mailbox: AccountNumber
  readonly key: IdempotencyKey | null
  readonly secret: string
  readonly hear: HearOnce
}

/** What `Call.once` hands to the engine. */
export function onceArguments({ kept }: KeyCore, call: ReplayingCall, { command, mailbox, key, secret, hear }: Once): [Envelope, Reply] {
  const settle = (outcome: Outcome): void => {
    call.isReplay = outcome.replayed
    try {
      hear(outcome, outcome.replayed ? kept.secretOf(outcome) : secret)
    } catch (error) {
      call.fail(error)
    }
  }
  const idempotency = key === null ? null : kept.withSecret(key, secret)
  return [{ command, mailbox, idempotency, requestId: call.requestId }, { settle }]
}

/** Answers with a result from `knownResult`. */
export function presentKnown({ kept }: KeyCore, { present }: Route, call: ReplayingCall, outcome: Outcome): void {
  if (present === undefined || !isSuccess(outcome.kind)) return call.settle(outcome)
  call.isReplay = true
  try {
    present(call, outcome, kept.secretOf(outcome))
  } catch (error) {
    call.fail(error)
  }
}
