// What all exchanges of a server share, and what the server works out once for each path and method.
import type { EngineApi } from '../../engine/api.ts'
import type { Seal } from '../crypto/seal.ts'
import { BodyBudget } from './body.ts'
import type { ClusterRole } from './cluster-role.ts'
import { Deadlines, type Waiting } from './deadlines.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { LargeBodyPauses } from './large-body-pauses.ts'
import type { RateLimiter } from './rate-limit.ts'
import { RequestIds } from './request-id.ts'
import type { Principal, Route } from './route.ts'
import type { Authenticating } from './route-guards.ts'
import type { RouteMeter } from './route-meter.ts'
import type { RouteCheck } from './validation.ts'

/** What stands behind the front once the log is recovered. */
export interface Core {
  readonly engine: Pick<EngineApi, 'submit' | 'query' | 'whenDurable'>
  readonly authenticator: Authenticating
  readonly seal: Pick<Seal, 'reveal'>
  readonly kept: Pick<KeptAnswers, 'publicKey' | 'withSecret' | 'secretOf'>
  /** False when the disk is nearly full: commands are refused while there is still room for what was accepted. */
  canWrite(): boolean
}

/** What may be told of a request: nothing in it is secret but the params of some paths. */
export interface Visit {
  readonly endpoint: Endpoint
  readonly requestId: string
  readonly principal: Principal
  readonly params: readonly string[]
}

/** In counts and logs only, as nginx has it. */
export const CLIENT_LEFT = 499

/** Hears how each request ended. */
export interface Watch {
  /** `status` is CLIENT_LEFT when there was nobody to answer. */
  finished(visit: Visit, status: number, durationMs: number): void
  /** A handler threw: a bug of ours. */
  failed(visit: Visit, error: unknown): void
  /** A request whose end could not be trusted; its connection is closed. */
  refusedFraming(): void
  /** A connection beyond the maximum; it is closed. */
  refusedConnection(): void
}

/** Maxima that tests shorten; see limits.ts. */
export interface FrontLimits {
  readonly bodiesBytesMax: number
  /** Of them, for callers who have not shown who they are. */
  readonly strangersBodiesBytesMax: number
  readonly bodyDeadlineMs: number
}

/** A request whose body has not arrived. */
export interface Arriving extends Waiting {
  turnAway(): void
}

export class Front {
  /** Null before the log is recovered. */
  core: Core | null = null
  /** Null where the log is this process's own. */
  cluster: ClusterRole | null = null
  draining = false
  readonly rateLimiter: RateLimiter
  readonly largeBodyPauses = new LargeBodyPauses()
  readonly requestIds = new RequestIds()
  readonly bodies: BodyBudget
  readonly bodyDeadlines: Deadlines<Arriving>
  readonly watch: Watch
  /** Proxies of ours in front; see remote-address.ts. */
  readonly proxyHops: number
  #inFlight = 0
  #parserTurn = 0
  #isTurnPlanned = false
  #onIdle: (() => void) | null = null

  constructor(rateLimiter: RateLimiter, watch: Watch, limits: FrontLimits, proxyHops = 0) {
    this.proxyHops = proxyHops
    this.rateLimiter = rateLimiter
    this.watch = watch
    this.bodies = new BodyBudget(limits.bodiesBytesMax, limits.strangersBodiesBytesMax)
    this.bodyDeadlines = new Deadlines(limits.bodyDeadlineMs)
  }

  /** Grows once the event loop has left the native parser. */
  get parserTurn(): number {
    return this.#parserTurn
  }

  /** Called inside the native parser; one immediate for all requests that one turn of the loop brings. */
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

  /** Requests without an answer. */
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

  /** Resolves when no request is without an answer. */
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
  /** What logs and metrics call it; never holds a value that a caller sent. */
  readonly label: string
  readonly check: RouteCheck
  readonly paramsCount: number
  readonly meter: RouteMeter
  /** Answers while the house starts and stops, and waits for no disk: health, metrics, documents. */
  readonly alwaysOpen: boolean
  /** HEAD: the answer of GET without its body. */
  readonly withoutBody: boolean
}
