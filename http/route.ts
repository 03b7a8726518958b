// What a route is, as data, and what its handler may do. The server, the validator and the OpenAPI document all
// read the same rows.
import type { TObject, TSchema } from '@sinclair/typebox'
import type { ErrorCode } from '../engine/contract/errors.ts'
import type { Command } from '../engine/domain/command.ts'
import type { Merchant } from '../engine/domain/merchant/state.ts'
import type { Environment } from '../engine/kernel/environment.ts'
import type { AccountNumber } from '../engine/ledger/transaction.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Who may call: `key` = API key pair, `operator` = the operator's bearer token, `public` = anybody. */
export type AuthRule = 'public' | 'key' | 'key-or-session' | 'session' | 'wallet' | 'operator'

export type Scope = 'disbursements.write' | 'billers.write'

export interface MerchantPrincipal {
  readonly kind: 'merchant'
  readonly merchant: Merchant
  readonly environment: Environment
  /** The merchant's ledger account in that environment. */
  readonly account: AccountNumber
  readonly scopes: readonly Scope[]
}

export type Principal = MerchantPrincipal | { readonly kind: 'operator' } | { readonly kind: 'public' }

/** One request, checked and authenticated, on its way to a handler and back. */
export interface Call {
  readonly requestId: string
  readonly principal: Principal
  /** Values of the `{placeholders}` of the path, in order. */
  readonly params: readonly string[]
  /** Raw query without `?`; it is part of the idempotency fingerprint. */
  readonly queryText: string
  readonly accept: string
  /** Validated against the route's schemas before the handler runs; `undefined` where the route has none. */
  readonly query: Record<string, unknown>
  readonly body: unknown
  /** Hands the command to the engine; its outcome, once durable, is the answer. */
  submit(command: Command, mailbox: AccountNumber): void
  /** Answers JSON text after everything that this request may have seen is durable. */
  answer(status: number, body: string): void
  /** The same with another content type or more headers. */
  answerAs(status: number, body: string | Uint8Array, headers: readonly (readonly [name: string, value: string])[]): void
  refuse(code: ErrorCode, param?: string): void
}

export interface RouteResponse {
  readonly status: number
  readonly description: string
  /** Absent for an answer without JSON. */
  readonly schema?: TSchema
  readonly contentType?: string
  readonly example?: unknown
}

export interface Route {
  readonly method: Method
  /** OpenAPI form: `/v1/biz/payouts/{id}`. */
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly auth: AuthRule
  readonly scope?: Scope
  /** `required`: without an Idempotency-Key the request is refused; `accepted`: used when sent. */
  readonly idempotency: 'required' | 'accepted' | 'none'
  /** Live keys get 403 `test_only`. */
  readonly testOnly?: boolean
  readonly params?: Readonly<Record<string, TSchema>>
  readonly query?: TObject
  readonly body?: TSchema
  /** 1 MiB when absent. */
  readonly bodyBytesMax?: number
  readonly bodyExample?: unknown
  readonly responses: readonly RouteResponse[]
  /** Codes of its own, beside those that every route with its auth, body and key rules has. */
  readonly errors: readonly ErrorCode[]
  handle(call: Call): void
}
