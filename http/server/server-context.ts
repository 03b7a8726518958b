// State that all requests of a server share, and the compiled endpoints.
import type { EngineApi, IdempotencyKey, Outcome, Reply } from '../../engine/api.ts'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import type { Quotas } from '../../engine/kernel/quota.ts'
import type { CursorSeal } from '../crypto/cursor-seal.ts'
import type { Seal } from '../crypto/seal.ts'
import type { Language } from '../text/language.ts'
import { BodyBudget } from './body/body-collector.ts'
import type { RouteCheck } from './body/validation.ts'
import type { ClusterRole } from './cluster-role.ts'
import { CrossOrigins } from './cors.ts'
import { Deadlines } from './deadlines.ts'
import { LargeBodyPauses } from './large-body-pauses.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Payload } from './reply.ts'
import { RequestIds } from './request-id.ts'
import type { AuthRule, Call, Header, Principal, Route } from './route.ts'
import type { RouteMeter } from './route-meter.ts'
import { ANSWER_WAIT_MAX_MS, READ_ELSEWHERE_MS } from './server-limits.ts'

/** Keys of callers without an account, and secrets of stored answers; see kept-answers.ts. */
export interface KeptSecrets {
  publicKey(key: string, method: string, target: string, body: Buffer): IdempotencyKey
  withSecret(key: IdempotencyKey, secret: string): IdempotencyKey
  secretOf(outcome: Outcome): string
}

/** Headers that identify the caller; empty when absent. */
export interface Credentials {
  /** X-Api-Key */
  readonly apiKey: string
  /** X-Api-Secret */
  readonly apiSecret: string
  /** Hash of the secret, where an HTTP thread made it; else empty or absent. */
  readonly apiSecretHash?: string
  readonly authorization: string
  readonly cookie: string
  /** X-Environment, for a session, which has no environment of its own. */
  readonly environment: string
}

/** Authenticates requests. */
export interface Authenticating {
  prepare(rule: AuthRule, credentials: Pick<Credentials, 'authorization'>): Promise<unknown> | null
  authenticate(rule: AuthRule, credentials: Credentials, from: Pick<Call, 'remoteAddress'>): Principal | ErrorCode
  tokenHash(rule: AuthRule, credentials: Pick<Credentials, 'authorization' | 'cookie'>): string | null
}

/** What the request pipeline needs once the log is recovered. */
export interface Core {
  readonly engine: Pick<EngineApi, 'submit' | 'query' | 'whenDurable'>
  readonly authenticator: Authenticating
  readonly seal: Pick<Seal, 'reveal'>
  readonly cursors: CursorSeal
  readonly kept: KeptSecrets
  /** False when the disk is nearly full. Commands are then rejected, so that accepted work still fits. */
  canWrite(): boolean
}

/** What the request log may record. Only the params of some paths are secret. */
export interface Visit {
  readonly endpoint: Endpoint
  readonly requestId: string
  readonly principal: Principal
  readonly params: readonly string[]
  /** Null when the client left before there was one. */
  readonly answer: { readonly payload: Payload } | null
}

/** Status for a client that disconnected, in counts and logs only, as in nginx. */
export const CLIENT_LEFT = 499

/** Receives how each request ended. */
export interface Watch {
  /** `status` is CLIENT_LEFT when the client disconnected. */
  finished(visit: Visit, status: number, durationMs: number): void
  /** A handler threw, which is a bug. */
  failed(visit: Visit, error: unknown): void
  /** A request with ambiguous framing was rejected and its connection closed. */
  refusedFraming(): void
  /** A connection beyond the maximum was closed. */
  refusedConnection(): void
}

/** Returns the page that says that a page with this path of a route is not available. */
export type UnavailablePage = (path: string, language: Language) => { readonly body: string; readonly headers: readonly Header[] }

/** Maxima that tests lower; see server-limits.ts. */
export interface ServerContextLimits {
  readonly bodyDeadlineMs: number
  readonly answerDeadlineMs?: number
  readonly readDeadlineMs?: number
}

/** What happens to requests that wait too long. */
export interface Late<Request> {
  /** Its body took too long. */
  body(request: Request): void
  /** In a cluster: the log did not confirm its answer in time. */
  answer(request: Request): void
  /** In a cluster: a read that the owner cannot answer yet, because it may show records that are not durable. */
  read(request: Request): void
}

/** A call that marks its response as a replay. */
export interface ReplayingCall extends Call, Reply {
  isReplay: boolean
}

export class ServerContext<Request> {
  /** Null before the log is recovered. */
  core: Core | null = null
  /** Null where the log belongs to this process. */
  cluster: ClusterRole | null = null
  /** Returns the page for a 503 of a page's route; null when pages get JSON too. */
  unavailablePage: UnavailablePage | null = null
  crossOrigins = new CrossOrigins([])
  draining = false
  /** Requests are still answered, and each answer closes its connection, so that clients go to another node. */
  retiring = false
  readonly rateLimiter: RateLimiter
  readonly largeBodyPauses = new LargeBodyPauses()
  readonly requestIds = new RequestIds()
  readonly bodies: BodyBudget
  readonly bodyDeadlines: Deadlines<Request>
  /** Used in a cluster alone. */
  readonly answerDeadlines: Deadlines<Request>
  readonly readDeadlines: Deadlines<Request>
  readonly watch: Watch
  /** Number of trusted proxies in front of the server; see remote-address.ts. */
  readonly proxyHops: number
  #inFlight = 0
  #parserTurn = 0
  #isTurnPlanned = false
  #onIdle: (() => void) | null = null

  constructor(rateLimiter: RateLimiter, watch: Watch, limits: ServerContextLimits, late: Late<Request>, quotas: Quotas, proxyHops = 0) {
    this.proxyHops = proxyHops
    this.rateLimiter = rateLimiter
    this.watch = watch
    this.bodies = new BodyBudget(quotas)
    this.bodyDeadlines = new Deadlines(limits.bodyDeadlineMs, (request) => late.body(request))
    this.answerDeadlines = new Deadlines(limits.answerDeadlineMs ?? ANSWER_WAIT_MAX_MS, (request) => late.answer(request))
    this.readDeadlines = new Deadlines(limits.readDeadlineMs ?? READ_ELSEWHERE_MS, (request) => late.read(request))
  }

  /** Number of the parser turn. It grows when the event loop leaves the native parser. */
  get parserTurn(): number {
    return this.#parserTurn
  }

  /** Called inside the native parser. One immediate serves all requests of an event-loop turn. */
  enterParser(): number {
    if (!this.#isTurnPlanned) {
      this.#isTurnPlanned = true
      setImmediate(this.#leaveParser)
    }
    return this.#parserTurn
  }

  readonly #leaveParser = (): void => {
    this.#isTurnPlanned = false
    this.#parserTurn++
  }

  /** Number of unanswered requests. */
  get inFlight(): number {
    return this.#inFlight
  }

  enter(): void {
    this.#inFlight++
  }

  leave(): void {
    this.#inFlight--
    if (this.#inFlight === 0 && this.#onIdle !== null) this.#onIdle()
  }

  /** Resolves when every request is answered. */
  whenIdle(): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onIdle = resolve
    })
  }
}

/** A path and method that the server knows. */
export interface Endpoint {
  readonly route: Route
  /** Name in logs and metrics. It never holds a value that a caller sent. */
  readonly label: string
  readonly check: RouteCheck
  readonly paramsCount: number
  readonly meter: RouteMeter
  /** Answers during start and stop without waiting for the disk: health, metrics, documents. */
  readonly alwaysOpen: boolean
  /** True for HEAD: the response of GET without its body. */
  readonly withoutBody: boolean
  /** What its answer costs among the work of other callers, beside the body; 0 where it takes no longer than a payout. */
  readonly fairCost: number
  /** True when the origins of CORS_ORIGINS may call it. */
  readonly isCrossOrigin: boolean
  /** As `isMoneyRoute`. */
  readonly movesMoney: boolean
}
