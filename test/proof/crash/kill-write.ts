// The shape of a write of the kill rounds: one request, most with an idempotency key, and what its answer says about balances.
import type { Effect } from '../cluster/money-writes.ts'
import type { Told } from './wire.ts'

export interface KillWrite<Kind extends string = string> {
  readonly kind: Kind
  /** Null for a form without an idempotency key, which moves no money and is sent once. */
  readonly key: string | null
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Reads the effects of a successful answer. Throws when the answer says that the money was not moved. */
  readonly effectsOf: (told: Told) => readonly Effect[]
}

/** Ids of effects that are no transactions: a hold changes what is available. */
export const HOLD_PREFIX = 'hold '
export const WRITE_AMOUNT_MAX = 90

/** Reads the effects of the JSON of a successful answer. */
export type AnswerEffects = (answer: Readonly<Record<string, unknown>>) => readonly Effect[]

export function keyed<Kind extends string>(
  kind: Kind,
  key: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
  effectsOf: AnswerEffects,
): KillWrite<Kind> {
  const read = ({ text }: Told): readonly Effect[] => effectsOf(JSON.parse(text) as Readonly<Record<string, unknown>>)
  return { kind, key, path, headers, body: JSON.stringify(body), effectsOf: read }
}

export function effect(account: string, amount: number, transactionId: unknown, balanceAfter: unknown = null): Effect {
  return { account, amount, transactionId: String(transactionId), balanceAfter: balanceAfter === null ? null : Number(balanceAfter) }
}
