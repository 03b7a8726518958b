// The row of a route as data, and the interface of its handler. Server, validator and OpenAPI document read the same rows.

import {
  type AccountNumber,
  type Command,
  type CommandType,
  type IdempotencyKey,
  isMoneyCommand,
  type Outcome,
  type Scope,
} from '../../engine/api.ts'
import type { MemberRole } from '../../engine/contract/dashboard.ts'
import type { ErrorCode, ErrorDetails } from '../../engine/contract/errors.ts'
import { isStrict } from '../../engine/contract/money-body.ts'
import type { OperatorRole } from '../../engine/contract/operator.ts'
import type { ObjectSchema, Schema, Static } from '../../engine/contract/schema.ts'
import { assert } from '../../engine/kernel/assert.ts'
import type { Currency } from '../../engine/kernel/currency.ts'
import type { BodyFile } from './body/body-file.ts'
import type { LargeBodyReader } from './body/large-body.ts'
import type {
  LoginPrincipal,
  MerchantPrincipal,
  OperatorPrincipal,
  Principal,
  PublicPrincipal,
  SessionPrincipal,
  SignupPrincipal,
  WalletPrincipal,
} from './principal.ts'

export type {
  FormerPrincipal,
  LoginPrincipal,
  MerchantPrincipal,
  OperatorPrincipal,
  Principal,
  PublicPrincipal,
  SessionPrincipal,
  SignupPrincipal,
  WalletPrincipal,
} from './principal.ts'
export type { Scope }

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call: `key` = API key pair, `session` = a dashboard session, `operator` = the operator's bearer token,
 * `wallet` = an access token, `signup` and `login` = the token of that step, `public` = no authentication. `stream` =
 * an access token, or a ticket that the handler checks.
 */
export type AuthRule = 'public' | 'key' | 'key-or-session' | 'session' | 'wallet' | 'stream' | 'signup' | 'login' | 'operator'

/** Receives the durable outcome of a command, and the secret of its first response. */
export type OutcomeListener = (outcome: Outcome, secret: string) => void

/** The principal of a request that passed the auth rule. */
export type PrincipalOf<Auth extends AuthRule> = Auth extends 'operator'
  ? OperatorPrincipal
  : Auth extends 'session'
    ? SessionPrincipal
    : Auth extends 'key' | 'key-or-session'
      ? MerchantPrincipal
      : Auth extends 'wallet'
        ? WalletPrincipal
        : Auth extends 'stream'
          ? WalletPrincipal | PublicPrincipal
          : Auth extends 'signup'
            ? SignupPrincipal
            : Auth extends 'login'
              ? LoginPrincipal
              : PublicPrincipal

export type Header = readonly [name: string, value: string]

/** A response that stays open. After its end by either side, calls have no effect. */
export interface OpenStream {
  /** Returns false when the socket buffers some of it; write more after `onWritable`. */
  write(text: string): boolean
  /** Ends the response after everything that was written. */
  end(): void
  /** Closes the connection at once, for a reader that has stalled. */
  cut(): void
}

/** Receives the events of a stream. Neither is called after this side ended it. */
export interface StreamListener {
  /** The buffer is empty again, after `write` returned false. */
  onWritable(): void
  /** The client disconnected. */
  onClosed(): void
}

/** Headers that a browser adds to a request; empty when absent. Pages protect their forms with them. */
export interface BrowserWords {
  readonly host: string
  /** Origin of the sending page; the text `null` where the browser hides it. */
  readonly origin: string
  readonly cookie: string
  /** `Sec-Fetch-Site`. */
  readonly fetchSite: string
  readonly userAgent: string
  /** `Accept-Language`. */
  readonly acceptLanguage: string
}

/** One validated and authenticated request, as its handler sees it. */
export interface Call<Body = unknown, Query = Record<string, unknown>, Who extends Principal = Principal> {
  readonly requestId: string
  readonly principal: Who
  /** Percent-decoded values of the `{placeholders}` of the path, in order. */
  readonly params: readonly string[]
  /** Raw query without `?`. It is part of the idempotency fingerprint. */
  readonly queryText: string
  /** The `Accept` header, empty when there is none. */
  readonly accept: string
  /** The `Last-Event-ID` header, empty when there is none. */
  readonly lastEventId: string
  /** The `If-None-Match` header, empty when there is none. */
  readonly ifNoneMatch: string
  /** The `Accept-Encoding` header, empty when there is none. */
  readonly acceptEncoding: string
  /** Parsed and validated by the route's schema before the handler runs; empty where the route has none. */
  readonly query: Query
  /** Parsed and validated by the route's schema before the handler runs; `undefined` where the route has none. */
  readonly body: Body
  /** Its Idempotency-Key with scope and fingerprint; null when it has none. */
  readonly idempotency: IdempotencyKey | null
  /** Remote address, for counting only: an IPv4 address, or the /64 network of an IPv6 one. */
  readonly remoteAddress: string
  /** True when it came from this machine and names no proxy. */
  readonly isLocal: boolean
  /** True when another node of the cluster signed it. */
  readonly isFromNode: boolean
  /** True when it came from loopback or a private network, judged as `remoteAddress` is. False when in doubt. */
  readonly isPrivate: boolean
  /** The `Authorization` header, for public routes that take a token of their own. Secret: never logged, never stored. */
  readonly authorization: string
  readonly browser: BrowserWords
  /** Sets the scope of the sent key, or of `fallback`, for callers without an account. Only on routes with `secretFields`. */
  adoptKey(scope: string, fallback: string): IdempotencyKey
  /** Submits the command; its durable outcome is the response. */
  submit(command: Command, mailbox: AccountNumber): void
  /** Answers JSON text, once everything that the request may have read is durable. */
  answer(status: number, body: string): void
  /** Same as `answer`, with another content type (`content-type` in `headers`) or more headers. */
  answerAs(status: number, body: string | Uint8Array, headers: readonly Header[]): void
  refuse<Code extends ErrorCode>(code: Code, ...details: ErrorDetails<Code>): void
  /**
   * Counts this request as so many further ones of the caller's rate limit. Where the bucket has too few it answers 429 and returns
   * false; more than the bucket holds needs a full one.
   */
  spend(requests: number): boolean
  /** Returns the cursor that callers see for a place in this list under these filters. The cursor of `query` is a place. */
  sealCursor(place: string): string
  /** Answers 200 with a response that stays open. Null when the client disconnected or sent HEAD. */
  stream(headers: readonly Header[], first: string, listener: StreamListener): OpenStream | null
  /**
   * Submits a command without the key. `onOutcome` receives its durable outcome and must answer, or ask on. Returns false where the
   * command could not be submitted: then the refusal is the answer.
   */
  ask(command: Command, mailbox: AccountNumber, onOutcome: (outcome: Outcome) => void): boolean
  /**
   * Submits a command with the key and a secret of its response, which is stored sealed. `onOutcome` receives both,
   * the same for each replay. `key` replaces the call's own key.
   */
  once(command: Command, mailbox: AccountNumber, secret: string, onOutcome: OutcomeListener, key?: IdempotencyKey | null): void
  /** Reports a bug that occurred after the handler returned, and answers 500. */
  fail(error: unknown): void
}

/** Counts the calls of each account; see call-limit.ts. */
export interface CallCounter {
  /** Returns 0, or the seconds until the account may call again. `nowMs` is monotonic. */
  take(account: AccountNumber, nowMs: number): number
}

export interface RouteResponse {
  readonly status: number
  readonly description: string
  /** Absent for a response without JSON. */
  readonly schema?: Schema
  /** `application/json` when absent. */
  readonly contentType?: string
  readonly example?: unknown
  /** Additional headers, by name in the document's components. */
  readonly headers?: readonly string[]
}

/** A route without its handler, as the document and the guards read it. */
export interface RouteShape {
  readonly method: Method
  /** OpenAPI form: `/v1/biz/payouts/{id}`. */
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly auth: AuthRule
  /** `any`: a key needs one scope at least. */
  readonly scope?: Scope | 'any'
  /** Least role of a dashboard session on this route. Absent: `viewer` for GET, `owner` for anything else. */
  readonly memberRole?: MemberRole
  /** A cashier reads it too: the answer shows its own rows alone. A session of a cashier gets 403 on every other GET. */
  readonly cashierReads?: true
  /** Roles of operators with a name on this route. Absent: all of them for GET, `admin` for anything else. */
  readonly operatorRoles?: readonly OperatorRole[]
  /** `required`: a request without an Idempotency-Key is rejected. `accepted`: a key is used when sent. */
  readonly idempotency: 'required' | 'accepted' | 'none'
  /** Its token may have expired at a retry. The replay then needs no valid token (sign-up and login steps, logout). */
  readonly endsToken?: true
  /** Its handler checks password or PIN before each replay. A known key must not reveal whether a guess is right. */
  readonly checksReplays?: true
  /** Its success response sets or clears the cookie of a dashboard session: pages of other sites may not call it. */
  readonly setsSession?: boolean
  /** Call limit per account, counted before the request is validated. Over it: 429. */
  readonly callLimit?: CallCounter
  /** Its answer takes longer than a payout and runs in the caller's turn (fair-work.ts). Lists, pages and large bodies do so anyway. */
  readonly takesLong?: true
  /** Each node of a cluster answers it from what it has: without forwarding, and without the read barrier. */
  readonly atEveryNode?: true
  /** Its answer shows that the caller is known and nothing else, so it waits for no record that is not durable. */
  readonly showsCallerAlone?: true
  /** Live keys get 403 `test_only`. */
  readonly testOnly?: boolean
  /** Schemas of the path parameters. A value that breaks its schema gets 404 `not_found`. */
  readonly params?: Readonly<Record<string, Schema>>
  readonly query?: ObjectSchema
  readonly body?: Schema
  /** `json` when absent. `form` gives each field of the schema once, as text; `multipart` parts as bytes, valid until the handler returns. */
  readonly bodyType?: 'json' | 'form' | 'multipart'
  /** Further content types of a JSON body, by name: each is read into a value that the schema of the body checks then, or into a fault. */
  readonly bodyFiles?: Readonly<Record<string, BodyFile>>
  /** Reads bodies from LARGE_FILE_BYTES on, of any of its content types, outside of the event loop. */
  readonly readLarge?: LargeBodyReader
  /**
   * Maximum body size. Absent: 16 KiB on public and sign-in routes, 1 MiB on others. On public routes, a larger one
   * applies to dashboard sessions only.
   */
  readonly bodyBytesMax?: number
  /**
   * Maximum values of a JSON body, counted by commas and brackets. Absent: 256 on public and sign-in routes, 1000 on
   * others.
   */
  readonly bodyValuesMax?: number
  /** Names of form inputs that are read beside those of the schema. Few names may match. */
  readonly rowNames?: RegExp
  /** Error code for a larger body; `payload_too_large` when absent. */
  readonly bodyTooLarge?: ErrorCode
  readonly bodyExample?: unknown
  /** An empty body is read as `{}`. Where the schema requires a field, the engine refuses it without. */
  readonly bodyOptional?: true
  /** Top-level fields that the fingerprint leaves out: PINs and codes, which must leave no trace. */
  readonly secretFields?: readonly string[]
  /** Field of a 2xx outcome that is stored sealed and answered in clear (see crypto/seal.ts). */
  readonly sealedField?: string
  readonly responses: readonly RouteResponse[]
  /** Commands that the handler submits. Their rejections are documented. */
  readonly commands?: readonly CommandType[]
  /** Rejections of these commands that cannot occur on this route. */
  readonly unreachable?: readonly ErrorCode[]
  /** Error codes of its own checks, beside those of its commands and of its auth, body and key rules. */
  readonly errors: readonly ErrorCode[]
}

/** A row of the route table. */
export interface Route extends RouteShape {
  handle(call: Call): void
  /** Currency of the account whose money moves, where it is not the caller's own. Null: there is no such account. */
  currencyOf?(call: Call): Currency | null
  /** Builds the response from a stored result, where it differs from the stored body. */
  present?(call: Call, outcome: Outcome, secret: string): void
}

interface TypedRoute<Auth extends AuthRule, Body extends Schema, Query extends ObjectSchema> extends RouteShape {
  readonly auth: Auth
  readonly body?: Body
  readonly query?: Query
  handle(call: Call<Static<Body>, Static<Query>, PrincipalOf<Auth>>): void
  currencyOf?(call: Call<Static<Body>, Static<Query>, PrincipalOf<Auth>>): Currency | null
  present?(call: Call<Static<Body>, Static<Query>>, outcome: Outcome, secret: string): void
}

/** Returns whether a command of the route posts, holds or plans money. */
export function isMoneyRoute({ commands = [] }: Pick<RouteShape, 'commands'>): boolean {
  return commands.some((command) => isMoneyCommand(command))
}

/**
 * Builds a row. The handler's types follow from its schemas and auth rule. Fails for a route whose command posts, holds or
 * plans money and whose body would ignore an unknown field.
 */
export function route<Auth extends AuthRule, Body extends Schema = Schema, Query extends ObjectSchema = ObjectSchema>(
  row: TypedRoute<Auth, Body, Query>,
): Route {
  const { operationId, body } = row
  assert(!isMoneyRoute(row) || (body !== undefined && isStrict(body)), `the body of ${operationId}, which moves money, is strict`)
  // Safe: the server passes only values that the row's schemas have checked.
  return row as unknown as Route
}
