// Finds a request's idempotency key and its stored result. HTTP and pages share it, so that a key means the same in
// both.

import type { AccountNumber, Command, Envelope, IdempotencyKey, Outcome, Reply } from '../../engine/api.ts'
import { ERRORS, errorValue } from '../../engine/contract/errors.ts'
import { isSuccess } from '../../engine/contract/outcome-kind.ts'
import type { PreparedBody } from './body/prepared-body.ts'
import { fingerprintOf } from './fingerprint.ts'
import { tokenScope } from './kept-answers.ts'
import { type Request, targetOf } from './request.ts'
import type { OutcomeListener, Route } from './route.ts'
import { idempotencyScope } from './route-guards.ts'
import type { Core, ReplayingCall } from './server-context.ts'

/** The parts of a request that its key depends on. */
type KeyedRequest = Pick<Request, 'endpoint' | 'headers' | 'principal' | 'path' | 'queryText'>

type KeyCore = Pick<Core, 'engine' | 'authenticator' | 'kept'>

const REUSED: Outcome = { kind: ERRORS.idempotency_key_reused.kind, body: errorValue('idempotency_key_reused'), replayed: false }

/** Returns the scope of the sent token on routes whose replay may come after the token's end; null on others. */
export function scopeOfToken({ authenticator }: KeyCore, { endpoint, headers }: Pick<KeyedRequest, 'endpoint' | 'headers'>): string | null {
  const { route } = endpoint
  const tokenHash = route.endsToken === true ? authenticator.tokenHash(route.auth, headers) : null
  return tokenHash === null ? null : tokenScope(tokenHash)
}

/** Returns whether the key has a stored result in the scope, from any request. */
export function isKept({ engine }: KeyCore, scope: string | null, key: string): boolean {
  return scope !== null && key !== '' && engine.query('results.known', { scope, key, fingerprint: '' }) !== null
}

/**
 * Returns the key with its scope and fingerprint; null on routes without idempotency. `sent` is the body as `fingerprintOf`
 * covers it.
 */
export function keyOf(core: KeyCore, request: KeyedRequest, sent: Buffer | PreparedBody): IdempotencyKey | null {
  const { endpoint, headers, principal } = request
  const { route } = endpoint
  const { idempotencyKey: key } = headers
  if (key === '' || route.idempotency === 'none') return null
  const scope = scopeOfToken(core, request) ?? idempotencyScope(principal)
  const prepared = 'fingerprint' in sent ? sent.fingerprint : ''
  if (scope !== null && prepared !== '') return { scope, key, fingerprint: prepared }
  const identity = 'fingerprint' in sent ? Buffer.from(sent.text) : sent
  if (scope !== null) return { scope, key, fingerprint: fingerprintOf(route.method, targetOf(request), identity) }
  return route.auth === 'public' ? core.kept.publicKey(key, route.method, targetOf(request), identity) : null
}

/**
 * Returns the stored result of the key before the handler runs; null for a new key. Routes that require a key, and
 * those that check a password or PIN before a replay, look it up in the engine's turn instead.
 */
export function knownResult(
  core: KeyCore,
  { endpoint, principal }: Pick<KeyedRequest, 'endpoint' | 'principal'>,
  idempotency: IdempotencyKey,
): Outcome | null {
  const { route } = endpoint
  if (route.idempotency !== 'accepted' || route.checksReplays === true) return null
  const known = core.engine.query('results.known', idempotency)
  if (known !== null || route.endsToken !== true) return known
  // Outside the scope of its token the key may stand for another request of the same account.
  return isKept(core, idempotencyScope(principal), idempotency.key) ? REUSED : null
}

interface Once {
  readonly command: Command
  readonly mailbox: AccountNumber
  readonly key: IdempotencyKey | null
  readonly secret: string
  readonly onOutcome: OutcomeListener
}

/** Returns what `Call.once` submits to the engine. */
export function onceArguments(
  { kept }: KeyCore,
  call: ReplayingCall,
  { command, mailbox, key, secret, onOutcome }: Once,
): [Envelope, Reply] {
  const settle = (outcome: Outcome): void => {
    call.isReplay = outcome.replayed
    try {
      onOutcome(outcome, outcome.replayed ? kept.secretOf(outcome) : secret)
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
