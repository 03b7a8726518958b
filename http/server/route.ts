// What a route is, as data, and what its handler may do. The server, the validator and the OpenAPI document all
// read the same rows.
import type {
  AccountNumber,
  Command,
  CommandType,
  DashboardSessionRow,
  DashboardUserRow,
  DeviceRow,
  IdempotencyKey,
  MerchantRow,
  Outcome,
  Scope,
  Wallet,
} from '../../engine/api.ts'
import type { ErrorCode, ErrorExtras } from '../../engine/contract/errors.ts'
import type { ObjectSchema, Schema, Static } from '../../engine/contract/schema.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import type { TimeMs } from '../../engine/kernel/time.ts'
import type { CallLimit } from './call-limit.ts'

export type { Scope }

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call: `key` = API key pair, `session` = a dashboard session, `operator` = the operator's bearer token, `wallet` = an access token, `signup` and
 * `login` = the token of that step, `public` = anybody. `stream` = an access token, or nobody yet: the handler looks at a ticket.
 */
export type AuthRule = 'public' | 'key' | 'key-or-session' | 'session' | 'wallet' | 'stream' | 'signup' | 'login' | 'operator'

export interface MerchantPrincipal {
  readonly kind: 'merchant'
  readonly merchant: MerchantRow
  readonly environment: Environment
  /** The merchant's ledger account in that environment. */
  readonly account: AccountNumber
  readonly scopes: readonly Scope[]
}

/** A merchant's user, signed in on the dashboard: may do what a key with every scope may. */
export interface SessionPrincipal extends MerchantPrincipal {
  readonly user: DashboardUserRow
  readonly session: DashboardSessionRow
  /** What requests that change something have to show. */
  readonly csrfToken: string
}

export interface OperatorPrincipal {
  readonly kind: 'operator'
}

export interface PublicPrincipal {
  readonly kind: 'public'
}

export interface WalletPrincipal {
  readonly kind: 'wallet'
  readonly wallet: Wallet
  readonly account: AccountNumber
  readonly environment: Environment
  /** Where it signed in; its session is the token's. */
  readonly device: DeviceRow
  /** When its token does. */
  readonly expiresAtMs: TimeMs
}

/** Somebody in the middle of a sign-up: a phone and no wallet yet. */
export interface SignupPrincipal {
  readonly kind: 'signup'
  readonly tokenHash: string
  readonly environment: Environment
}

/** Somebody who has shown the code and not yet the PIN. */
export interface LoginPrincipal {
  readonly kind: 'login'
  readonly tokenHash: string
  readonly account: AccountNumber
}

/** The holder of a token that is over, whose key has a result: gets that and nothing else. */
export interface FormerPrincipal {
  readonly kind: 'former'
}

export type Principal =
  | MerchantPrincipal
  | OperatorPrincipal
  | PublicPrincipal
  | WalletPrincipal
  | SignupPrincipal
  | LoginPrincipal
  | FormerPrincipal

/** Gets the outcome of a command, once durable, and the secret that was made for its first answer. */
export type HearOnce = (outcome: Outcome, secret: string) => void

/** Who stands behind a request that passed the rule. */
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

/** A response that stays open. After its end, from whichever side, nothing of this does anything. */
export interface OpenStream {
  /** False when the reader takes no more: what was given is on its way, more should wait for `onWritable`. */
  write(text: string): boolean
  /** In order: what was written arrives, then the end. */
  end(): void
  /** At once: for a reader that takes nothing any more. */
  cut(): void
}

/** Hears what happens to a stream; neither is called after it was ended from this side. */
export interface StreamListener {
  /** Everything that was written has left, after `write` had answered false. */
  onWritable(): void
  /** The client left. */
  onClosed(): void
}

/** What a browser says of a request beside it; empty where a header is absent. Pages guard their forms with it. */
export interface BrowserWords {
  readonly host: string
  /** Of the page that sent it; `null` in so many letters where the browser will not say. */
  readonly origin: string
  readonly cookie: string
  /** `Sec-Fetch-Site`. */
  readonly fetchSite: string
  readonly userAgent: string
}

/** One request, checked and authenticated, on its way to a handler and back. */
export interface Call<Body = unknown, Query = Record<string, unknown>, Who extends Principal = Principal> {
  readonly requestId: string
  readonly principal: Who
  /** Percent-decoded values of the `{placeholders}` of the path, in order. */
  readonly params: readonly string[]
  /** Raw query without `?`; it is part of the idempotency fingerprint. */
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
  /** Its Idempotency-Key with whose it is and what it stands for; null when it has none. */
  readonly idempotency: IdempotencyKey | null
  /** Where the request came from, for counting only: an IPv4 address, or the /64 network of an IPv6 one. */
  readonly remoteAddress: string
  /** It came from this machine itself, over no proxy that says so. */
  readonly isLocal: boolean
  /** It came from loopback or a private network, judged as `remoteAddress` is; false where that is in doubt. */
  readonly isPrivate: boolean
  /** The `Authorization` header, for public routes that take a token of their own. Secret: never logged, never stored. */
  readonly authorization: string
  readonly browser: BrowserWords
  /**
   * For callers who have no keys of their own: makes the key that was sent, or else `fallback`, one of `scope`. Only on
   * routes with `secretFields`.
   */
  adoptKey(scope: string, fallback: string): IdempotencyKey
  /** Hands the command to the engine; its outcome, once durable, is the answer. */
  submit(command: Command, mailbox: AccountNumber): void
  /** Answers JSON text after everything that this request may have seen is durable. */
  answer(status: number, body: string): void
  /** The same with another content type (`content-type` among the headers) or more headers. */
  answerAs(status: number, body: string | Uint8Array, headers: readonly Header[]): void
  refuse(code: ErrorCode, param?: string, extras?: ErrorExtras): void
  /** Answers 200 with a response that stays open; null when the client has left, or asked for the head alone. */
  stream(headers: readonly Header[], first: string, listener: StreamListener): OpenStream | null
  /** Hands a command without the key to the engine; `hear` gets its outcome, once durable, and sees to the answer. */
  ask(command: Command, mailbox: AccountNumber, hear: (outcome: Outcome) => void): void
  /**
   * The same with the key, and with a secret that the answer will hold: it is kept sealed beside the result. `hear` gets
   * both, the same ones for each replay. `key` in the place of the call's own, where it stands for more than the route says.
   */
  once(command: Command, mailbox: AccountNumber, secret: string, hear: HearOnce, key?: IdempotencyKey | null): void
  /** A bug of ours, found after the handler returned: reported, and answered as one. */
  fail(error: unknown): void
}

export interface RouteResponse {
  readonly status: number
  readonly description: string
  /** Absent for an answer without JSON. */
  readonly schema?: Schema
  /** `application/json` when absent. */
  readonly contentType?: string
  readonly example?: unknown
  /** Headers of its own, by their name in the components of the document. */
  readonly headers?: readonly string[]
}

/** Everything of a route but its handler: what the document and the server's guards read. */
export interface RouteShape {
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
  /** Its token may be over when the key comes again: the replay asks for no living one (sign-up and login steps, logout). */
  readonly endsToken?: true
  /** Its handler looks at password or PIN before each replay: a key that is known must not tell a guess right or wrong. */
  readonly checksReplays?: true
  /** Its good answer sets or clears the cookie of a dashboard session. */
  readonly setsSession?: boolean
  /** Counts each call of an account before anything of the request is checked; over it 429. */
  readonly callLimit?: CallLimit
  /** Live keys get 403 `test_only`. */
  readonly testOnly?: boolean
  /** A value that breaks its schema leads to nothing that exists: 404 `not_found`. */
  readonly params?: Readonly<Record<string, Schema>>
  readonly query?: ObjectSchema
  readonly body?: Schema
  /**
   * What the body is sent as: `json` when absent. Of a form the fields of the schema are read, each once, as text; of
   * `multipart` its parts, as bytes that are there until the handler returns.
   */
  readonly bodyType?: 'json' | 'form' | 'multipart'
  /** Absent: 16 KiB on public and sign-in routes, 1 MiB on others. On public routes, more is for callers with a dashboard session. */
  readonly bodyBytesMax?: number
  /** Values of a JSON body, counted by commas and brackets. Absent: 256 on public and sign-in routes, 1000 on others. */
  readonly bodyValuesMax?: number
  /** Of a form: inputs with such names are taken beside those of the schema. Few names may match. */
  readonly rowNames?: RegExp
  /** What a longer one is refused with: `payload_too_large` when absent. */
  readonly bodyTooLarge?: ErrorCode
  readonly bodyExample?: unknown
  /** No body at all is the same as `{}`. */
  readonly bodyOptional?: true
  /** Top-level fields of the body that are no part of what an Idempotency-Key stands for: PINs and codes, of which no trace may be kept. */
  readonly secretFields?: readonly string[]
  /** The field of a 2xx outcome that is stored sealed and leaves in clear (see auth/seal.ts). */
  readonly sealedField?: string
  readonly responses: readonly RouteResponse[]
  /** Commands that the handler submits: the rejections of their deciders are documented. */
  readonly commands?: readonly CommandType[]
  /** Rejections of these commands that what the handler sends rules out. */
  readonly unreachable?: readonly ErrorCode[]
  /** Codes of its own guards, beside those of its commands and those that every route with its auth, body and key rules has. */
  readonly errors: readonly ErrorCode[]
}

/** A row of the route table. */
export interface Route extends RouteShape {
  handle(call: Call): void
  /** Makes the answer out of a kept result, where it is more than the stored body. */
  present?(call: Call, outcome: Outcome, secret: string): void
}

interface TypedRoute<Auth extends AuthRule, Body extends Schema, Query extends ObjectSchema> extends RouteShape {
  readonly auth: Auth
  readonly body?: Body
  readonly query?: Query
  handle(call: Call<Static<Body>, Static<Query>, PrincipalOf<Auth>>): void
  present?(call: Call<Static<Body>, Static<Query>>, outcome: Outcome, secret: string): void
}

/** Makes a row whose handler knows what its own schemas and auth rule promise. */
export function route<Auth extends AuthRule, Body extends Schema = Schema, Query extends ObjectSchema = ObjectSchema>(
  row: TypedRoute<Auth, Body, Query>,
): Route {
  // The server hands over what the row's own schemas have checked, so the narrower call is what arrives.
  return row as unknown as Route
}
