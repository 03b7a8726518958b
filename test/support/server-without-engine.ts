// A server with a handful of routes and an engine that does what the test says: the transport alone is under test.

import type { Envelope, Outcome, Reply } from '../../engine/actor/envelope.ts'
import type { EngineApi } from '../../engine/api.ts'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import { Type } from '../../engine/contract/schema.ts'
import type { Command } from '../../engine/domain/command.ts'
import { CursorSeal } from '../../http/crypto/cursor-seal.ts'
import { unavailablePage } from '../../http/pages/shared/unavailable-page.ts'
import type { ClusterRole } from '../../http/server/cluster-role.ts'
import { HttpServer, SERVER_LIMITS, type ServerLimits, type ThreadSetting } from '../../http/server/http-server.ts'
import { RateLimiter, type RateLimits } from '../../http/server/rate-limit.ts'
import type { Call, MerchantPrincipal, Principal, Route } from '../../http/server/route.ts'
import type { Core, Visit, Watch } from '../../http/server/server-context.ts'
import { CALLER } from './commands.ts'
import { heldQuotasWith, type QuotaChanges } from './held-quotas.ts'
import { TEST_HTTP_THREADS } from './http-threads.ts'

export const ACCOUNT = 7
export const KEY = 'pk_test_known'
export const SECRET = 'sk_test_secret'
export const CREDENTIALS = { 'X-Api-Key': KEY, 'X-Api-Secret': SECRET } as const

const PRINCIPAL: MerchantPrincipal = {
  kind: 'merchant',
  merchant: {
    id: '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f',
    name: 'Test',
    email: 'test@example.com',
    currency: 'XOF',
    accounts: { live: ACCOUNT - 1, test: ACCOUNT },
    created_at: '2026-11-20T10:00:00.000Z',
  },
  environment: 'test',
  account: ACCOUNT,
  scopes: [],
  caller: CALLER,
}

/** Holds what was submitted until the test settles it. */
export class FakeEngine {
  readonly submitted: { readonly envelope: Envelope; readonly reply: Reply }[] = []
  readonly waitingReads: (() => void)[] = []
  /** Reads pass at once. */
  isDurable = true
  canWrite = true
  /** What `submit` answers. */
  refusal: ErrorCode | null = null

  submit(envelope: Envelope, reply: Reply): ErrorCode | null {
    if (this.refusal !== null) return this.refusal
    this.submitted.push({ envelope, reply })
    return null
  }

  /** Knows no idempotency key; the server asks nothing else. */
  readonly query: EngineApi['query'] = () => null as never

  whenDurable(run: () => void): void {
    if (this.isDurable) run()
    else this.waitingReads.push(run)
  }

  /** Settles everything that was submitted, in one go, as a flush does. */
  settleAll(outcome: Partial<Outcome> = {}): void {
    for (const { reply } of this.submitted.splice(0)) reply.settle({ kind: 'created', body: '{"ok":true}', replayed: false, ...outcome })
  }
}

/** Counts what the server says of its exchanges. */
export class Notes implements Watch {
  readonly statuses: number[] = []
  readonly errors: unknown[] = []
  framings = 0
  refusedConnections = 0

  finished(_visit: Visit, status: number): void {
    this.statuses.push(status)
  }

  failed(_visit: Visit, error: unknown): void {
    this.errors.push(error)
  }

  refusedFraming(): void {
    this.framings++
  }

  refusedConnection(): void {
    this.refusedConnections++
  }
}

export interface ServerWithoutEngine {
  readonly http: HttpServer
  readonly core: Core
  readonly engine: FakeEngine
  readonly notes: Notes
  readonly port: number
  /** The last call that a handler got. */
  readonly calls: Call[]
}

export interface ServerWithoutEngineOptions {
  readonly limits?: Partial<ServerLimits>
  readonly quotas?: QuotaChanges
  readonly rates?: RateLimits
  readonly routes?: readonly Route[]
  /** Paths that answer while the server starts and stops, beside /healthz. */
  readonly alwaysOpen?: readonly string[]
  readonly proxyHops?: number
  /** Listening, not ready. */
  readonly closed?: boolean
  readonly cluster?: ClusterRole
  /** HTTP threads; those of the test run when absent. */
  readonly threads?: number
  /** Heap at which an HTTP thread ends. */
  readonly threadHeapBytesMax?: number
}

export async function openFakeServer(options: ServerWithoutEngineOptions = {}): Promise<ServerWithoutEngine> {
  const { limits = {}, rates = { live: 0, test: 0 }, routes = [], alwaysOpen = [], proxyHops = 0, closed = false, threads } = options
  const engine = new FakeEngine()
  const notes = new Notes()
  const calls: Call[] = []
  const server = new HttpServer({
    routes: [plainRoute('GET', '/healthz', 'public', (call) => call.answer(200, '{"status":"ok"}')), ...ownRoutes(calls), ...routes],
    alwaysOpen: new Set(['/healthz', ...alwaysOpen]),
    proxyHops,
    rateLimiter: new RateLimiter(rates),
    watch: notes,
    limits: { ...SERVER_LIMITS, ...limits },
    quotas: heldQuotasWith(options.quotas),
    threads: threadSetting(threads ?? Number(process.env[TEST_HTTP_THREADS] ?? 0), notes, options.threadHeapBytesMax),
    unavailablePage,
  })
  if (options.cluster !== undefined) server.join(options.cluster)
  const port = await server.listen('127.0.0.1', 0)
  const core: Core = {
    engine,
    authenticator: { authenticate, prepare: () => null, tokenHash: () => null },
    seal: { reveal: (body) => body },
    cursors: TEST_CURSORS,
    kept: NOTHING_KEPT,
    canWrite: () => engine.canWrite,
  }
  if (!closed) server.open(core)
  return { http: server, core, engine, notes, port, calls }
}

function threadSetting(count: number, notes: Notes, heapBytesMax?: number): ThreadSetting | null {
  if (count === 0) return null
  return {
    count,
    ...(heapBytesMax === undefined ? {} : { heapBytesMax }),
    onLost: (reason) => notes.errors.push(reason),
    onFatal: (error) => notes.errors.push(error),
  }
}

export const TEST_CURSORS = new CursorSeal(Buffer.alloc(32, 7))

/** No secret is kept with an answer here. */
export const NOTHING_KEPT: Core['kept'] = {
  publicKey: (key) => ({ scope: 'public', key, fingerprint: '' }),
  withSecret: (key) => key,
  secretOf: () => '',
}

/** Knows one key pair. */
function authenticate(rule: Route['auth'], credentials: { readonly apiKey: string; readonly apiSecret: string }): Principal | ErrorCode {
  if (rule === 'public') return { kind: 'public' }
  return credentials.apiKey === KEY && credentials.apiSecret === SECRET ? PRINCIPAL : 'unauthorized'
}

const COMMAND: Command = { type: 'CreatePayout', merchant: ACCOUNT, recipient: 'awa', amount: 1, reference: '', note: '' }

function ownRoutes(calls: Call[]): Route[] {
  const echo = (call: Call): void => {
    calls.push(call)
    call.answer(200, JSON.stringify({ params: call.params, query: call.query, body: call.body ?? null }))
  }
  return [
    plainRoute('GET', '/things', 'public', echo),
    plainRoute('GET', '/things/{id}', 'public', echo),
    plainRoute('POST', '/things/sum', 'public', echo),
    plainRoute('PUT', '/things/{id}', 'public', echo, { body: Type.Object({}) }),
    plainRoute('POST', '/echo', 'public', echo, { body: Type.Object({}), bodyBytesMax: 2000 }),
    plainRoute('GET', '/mine', 'key', echo),
    plainRoute('GET', '/broken', 'public', () => {
      throw new Error('a handler threw')
    }),
    plainRoute('POST', '/pay', 'key', (call) => call.submit(COMMAND, ACCOUNT), { body: Type.Object({}), idempotency: 'required' }),
    plainRoute('POST', '/act', 'key', (call) => call.submit(COMMAND, ACCOUNT), { idempotency: 'accepted' }),
  ]
}

export function plainRoute(
  method: Route['method'],
  path: string,
  auth: Route['auth'],
  handle: Route['handle'],
  more: Partial<Route> = {},
): Route {
  return {
    method,
    path,
    operationId: `${method} ${path}`,
    tag: '',
    summary: '',
    auth,
    idempotency: 'none',
    responses: [],
    errors: [],
    handle,
    ...more,
  }
}
