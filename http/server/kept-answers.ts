// Idempotency on routes whose callers have no account or whose answers hold secrets: the scope of such a key, and
// secrets that are kept with an answer. Secrets are stored sealed; guessable values are hashed under a key of this server.

import { createHmac, hash } from 'node:crypto'
import type { AccountNumber, IdempotencyKey, Outcome } from '../../engine/api.ts'
import { isSuccess } from '../../engine/contract/outcome-kind.ts'
import { derivedKey } from '../crypto/derived-key.ts'
import type { Seal } from '../crypto/seal.ts'
import { answerRefusal } from './answer-refusal.ts'
import { statusOf } from './outcome-status.ts'
import type { Call, Header } from './route.ts'

/** The field that secrets of answers are sealed for. */
const FIELD = 'kept_answer'
const FINGERPRINT_LENGTH = 22

export class KeptAnswers {
  readonly #seal: Pick<Seal, 'seal' | 'open'>
  readonly #scopeKey: Buffer

  constructor(seal: Pick<Seal, 'seal' | 'open'>, masterKey: Uint8Array) {
    this.#seal = seal
    this.#scopeKey = derivedKey(masterKey, 'idempotency-scope')
  }

  /**
   * The key of a caller without an account. Its scope is the request itself, as an HMAC: with another body it is another
   * key, so the answer does not show that a key was used, and the log holds no body.
   */
  publicKey(key: string, method: string, target: string, body: Buffer): IdempotencyKey {
    const mac = createHmac('sha256', this.#scopeKey).update(`${method} ${target}\n`).update(body).digest('base64url')
    return { scope: `public:${mac}`, key, fingerprint: mac.slice(0, FINGERPRINT_LENGTH) }
  }

  /** The key with the secret of its answer. */
  withSecret(key: IdempotencyKey, secret: string): IdempotencyKey {
    return { ...key, sealed: this.#seal.seal(FIELD, secret) }
  }

  /** The secret that belongs to a replayed outcome; empty where none was kept. */
  secretOf({ sealed }: Outcome): string {
    return sealed === undefined ? '' : this.#seal.open(FIELD, sealed)
  }
}

/** The same key, of requests from this network address alone. */
export function ofAddress(key: IdempotencyKey, address: string): IdempotencyKey {
  return { ...key, scope: `public:${hash('sha256', `${key.scope}\n${address}`, 'base64url')}` }
}

/** Scope of keys that are sent with a token which may be over when they are sent again: the token's hash stands for its holder. */
export function tokenScope(tokenHash: string): string {
  return `token:${tokenHash}`
}

/** Marks an answer that is the result of an earlier request. */
export const REPLAYED_HEADER: Header = ['Idempotent-Replayed', 'true']

/** Answers what no command decided, and keeps the answer, sealed, where the request has a key. The route presents it by `presentKept`. */
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

/** The answer is what was kept. */
export function presentKept(call: Pick<Call, 'answer'>, { kind }: Outcome, kept: string): void {
  call.answer(statusOf(kind), kept)
}
