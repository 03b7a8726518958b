// Idempotency for callers without an account and for responses that hold secrets. Secrets are stored sealed;
// guessable values are hashed under a key of this server.

import { createHmac, hash } from 'node:crypto'
import type { AccountNumber, IdempotencyKey, Outcome } from '../../engine/api.ts'
import { isSuccess } from '../../engine/contract/outcome-kind.ts'
import { derivedKey } from '../crypto/derived-key.ts'
import type { RootKeys, Seal } from '../crypto/seal.ts'
import { answerRefusal } from './answer-refusal.ts'
import { statusOf } from './outcome-status.ts'
import type { Call, Header } from './route.ts'

/** Field name that secrets of responses are sealed for. */
const FIELD = 'kept_answer'
const FINGERPRINT_LENGTH = 22

export class KeptAnswers {
  readonly #seal: Pick<Seal, 'seal' | 'open'>
  readonly #scopeKey: Buffer

  constructor(seal: Pick<Seal, 'seal' | 'open'>, rootKeys: RootKeys) {
    this.#seal = seal
    this.#scopeKey = derivedKey(rootKeys, 'idempotency-scope')
  }

  /**
   * Returns the key of a caller without an account. Its scope is an HMAC of the request, so another body is another
   * key. The response does not reveal that a key was used, and the log holds no body.
   */
  publicKey(key: string, method: string, target: string, body: Buffer): IdempotencyKey {
    const mac = createHmac('sha256', this.#scopeKey).update(`${method} ${target}\n`).update(body).digest('base64url')
    return { scope: `public:${mac}`, key, fingerprint: mac.slice(0, FINGERPRINT_LENGTH) }
  }

  /** Returns the key with the sealed secret of its response. */
  withSecret(key: IdempotencyKey, secret: string): IdempotencyKey {
    return { ...key, sealed: this.#seal.seal(FIELD, secret) }
  }

  /** Returns the secret of a replayed outcome; empty where none was stored. */
  secretOf({ sealed }: Outcome): string {
    return sealed === undefined ? '' : this.#seal.open(FIELD, sealed)
  }
}

/** Returns the key restricted to requests from this network address. */
export function ofAddress(key: IdempotencyKey, address: string): IdempotencyKey {
  return { ...key, scope: `public:${hash('sha256', `${key.scope}\n${address}`, 'base64url')}` }
}

/**
 * Returns the scope of keys sent with a token that may expire before the retry. The token's hash identifies its
 * holder.
 */
export function tokenScope(tokenHash: string): string {
  return `token:${tokenHash}`
}

/** Marks a response that replays the result of an earlier request. */
export const REPLAYED_HEADER: Header = ['Idempotent-Replayed', 'true']

/**
 * Answers without a command and stores the response sealed under the request's key, if any. The route presents it by
 * `presentKept`.
 */
export function answerKept(
  call: Pick<Call, 'idempotency' | 'answer' | 'answerAs' | 'once'>,
  account: AccountNumber,
  kind: 'ok' | 'created',
  body: string,
): void {
  if (call.idempotency === null) return call.answer(statusOf(kind), body)
  call.once({ type: 'KeepAnswer', account, kind }, account, body, (outcome, kept) => {
    if (isSuccess(outcome.kind)) presentKept(call, outcome, kept)
    else answerRefusal(call, outcome, outcome.retryAfterS)
  })
}

/** Answers with the stored response. */
export function presentKept(call: Pick<Call, 'answer'>, { kind }: Outcome, kept: string): void {
  call.answer(statusOf(kind), kept)
}
