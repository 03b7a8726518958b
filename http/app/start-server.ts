// Wires the application: who gets what, in which order, and what is closed when a start fails. It holds no rules.
import { Engine } from '../../engine/actor/engine.ts'
import { type EngineApi, engineApi } from '../../engine/api.ts'
import type { LogRecord } from '../../engine/domain/record.ts'
import type { OpenSandbox } from '../../sandbox-pool/sandbox.ts'
import { openDataFolder } from '../../wal/folder/open-folder.ts'
import { Authenticator } from '../auth/authenticate.ts'
import { DashboardAccess } from '../auth/dashboard/dashboard-access.ts'
import { KeyUses } from '../auth/keys/key-uses.ts'
import { openWalletAccess, type WalletAccess } from '../auth/wallet/wallet-access.ts'
import { CursorSeal } from '../crypto/cursor-seal.ts'
import { derivedKey } from '../crypto/derived-key.ts'
import { ScryptThreads } from '../crypto/scrypt-threads.ts'
import { type RootKeys, Seal } from '../crypto/seal.ts'
import { routeTable } from '../openapi/route-table.ts'
import { OutboundCalls } from '../outbound/outbound-calls.ts'
import { ApiCalls } from '../pages/shared/api-calls.ts'
import { answerUnknownPath, unavailablePage } from '../pages/shared/unavailable-page.ts'
import { HttpServer, ListenError, SERVER_LIMITS, type ThreadSetting } from '../server/http-server.ts'
import { KeptAnswers } from '../server/kept-answers.ts'
import { RateLimiter } from '../server/rate-limit.ts'
import { RequestWatch } from '../server/request-watch.ts'
import { jsonFetcher } from '../workers/gateways/json-calls.ts'
import { WebhookNotices } from '../workers/gateways/webhook-notices.ts'
import { openHostedCode } from '../workers/hosted-code/open-hosted-code.ts'
import type { ApplicationContext } from './application-context.ts'
import { systemRandom } from './clock.ts'
import { closeAll } from './close-parts.ts'
import { Cluster } from './cluster.ts'
import { type DemoAddresses, type DemoParts, demoText, openDemo, warnOfDemo } from './demo.ts'
import { openLimitsPreset } from './limits-preset.ts'
import { checkOfCopy } from './log-health.ts'
import type { Logger } from './logging.ts'
import { loadRootKeys } from './master-key.ts'
import { MeteredLog } from './metered-log.ts'
import { metricSources } from './metric-sources.ts'
import { createMetrics, metricsAccess, metricsRoute } from './metrics.ts'
import { connectionsMax } from './open-files.ts'
import { contextOf, nothingOpened, type OpenedParts } from './opened-parts.ts'
import { type ApplicationTime, SYSTEM_TIME } from './scheduler.ts'
import { servedRoutes } from './served-routes.ts'
import { engineSettings, hasSecurePages, type Settings } from './settings.ts'
import { Workers } from './workers.ts'

/** Paths that answer before recovery and until the process ends. */
const ALWAYS_OPEN: ReadonlySet<string> = new Set(['/healthz', '/metrics', '/openapi.yaml', '/openapi.json'])

export interface RunningServer {
  /** Listening address, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** Starts the process of hosted code, which would otherwise start at its first use. */
  warm(): void
  /** Answers running requests, makes everything durable and releases the data folder. */
  close(): Promise<void>
}

export interface StartOptions {
  readonly settings: Settings
  readonly logger: Logger
  /** Called once when the process must stop at once: a flush failed or an invariant broke. */
  readonly onFatal: (error: Error) => void
  /** Called when this owner of a cluster's log has to hand it over and end. */
  readonly onUnfit: (reason: string) => void
  /** Gets the text about a new demo, which holds a secret key. */
  readonly showDemo: (text: string) => void
}

/** Reason why a start failed, with the remedy. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Starts the server. After an error everything is closed again. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const standing = nothingOpened()
  try {
    return await build(options, standing)
  } catch (error) {
    await closeAll(standing)
    throw error
  }
}

async function build({ settings, logger, onFatal, onUnfit, showDemo }: StartOptions, standing: OpenedParts): Promise<RunningServer> {
  // 0. The cluster: the log in PostgreSQL, which the data folder copies.
  const cluster = await joinWhenSet(settings, logger)
  standing.cluster = cluster
  // 1. The data folder: locked for this process, log and archive open.
  const copyOf = cluster === null ? {} : { copyOf: cluster.logId }
  const onWarning = (message: string): void => logger.warn(message)
  const folder = await openDataFolder({ dataDir: settings.dataDir, onWarning, onFailure: onFatal, ...copyOf })
  standing.folder = folder
  const log = new MeteredLog(folder.log)
  const time = cluster?.time ?? SYSTEM_TIME
  // 2. The keys that secrets are sealed under.
  const rootKeys = loadRootKeys({ ...settings, hasRecords: log.durableSequence > 0, clusterRing: cluster?.keyRing ?? null })
  const seal = new Seal(...rootKeys)
  // 3. The HTTP server: it listens. Until recovery has ended every request gets 503; a node of a cluster forwards it instead.
  const watch = new RequestWatch(logger, onFatal)
  const rateLimiter = new RateLimiter(settings.rateLimits)
  let url = ''
  const logCheck = checkOfCopy(folder.log, log, (error) => logger.error({ err: error }, 'the log could not be read for /healthz'))
  const context = contextOf(standing, { settings, seal, rootKeys, canWrite: () => folder.canWrite(), logCheck, watch, url: () => url })
  const metrics = createMetrics(metricSources(standing, { context, folder, log, watch, rateLimiter, server: () => server }))
  const api = routeTable(context, [metricsRoute(metrics, metricsAccess(settings, logger))])
  const apiCalls = new ApiCalls()
  const routes = servedRoutes({ context, api, apiCalls, settings, rootKeys })
  const threads = threadSetting(settings, logger, onFatal)
  const server = new HttpServer({
    ...{ routes, alwaysOpen: ALWAYS_OPEN, rateLimiter, watch, quotas: context.quotas, unavailablePage, answerUnknownPath, threads },
    ...{ proxyHops: settings.proxyHops, corsOrigins: settings.corsOrigins, limits: { ...SERVER_LIMITS, connectionsMax: connectionsMax() } },
  })
  standing.server = server
  if (settings.mode === 'production') compileChecks(server)
  if (cluster !== null) server.join(cluster)
  const port = await takeAddress(server, settings)
  url = addressOf(settings.host, port)
  // 4. The engine: the snapshot, then the tail of the log.
  const startedMs = performance.now()
  let notices: WebhookNotices | null = null
  const onRecord = (record: LogRecord): void => {
    standing.outside?.record(record)
    notices?.record(record)
  }
  const ports = { ...time, ...engineSettings(settings), archive: folder.archive, random: systemRandom, onFatal }
  const opened = await (cluster === null ? Engine.open({ ...ports, log, localLog: folder.log }) : cluster.follow(folder, ports, log))
  const engine = engineApi(opened)
  engine.subscribe(onRecord)
  standing.opened = opened
  standing.engine = engine
  logger.info({ ...recoveryFields(opened), duration_ms: Math.round(performance.now() - startedMs) }, 'recovered')
  const canWrite = (): boolean => folder.canWrite()
  if (context.inbox !== null) notices = new WebhookNotices(engine, context.inbox)
  const kept = new KeptAnswers(seal, rootKeys)
  const { wallets, dashboard, sandbox, outside } = openServices(
    { settings, logger, engine, context, rootKeys, kept, canWrite, time },
    standing,
  )
  // 5. Requests reach their handlers.
  const authenticator = new Authenticator(engine, settings.operatorToken, wallets.tokens, dashboard.sessions, context.demoLock)
  standing.keyUses = new KeyUses({ query: engine.query, submit: outside.ownerCommands.submit }, authenticator.apiKeys)
  const core = { engine, seal, canWrite, authenticator, kept, cursors: new CursorSeal(derivedKey(rootKeys, 'list-cursor')) }
  apiCalls.open(core, server.endpoints)
  if (cluster === null) standing.outside?.start()
  else await cluster.start(() => standing.outside?.start(), onUnfit)
  await openLimitsPreset(engine, settings.limitsPreset)
  server.open(core)
  // 6. The demo.
  warnOfDemo(context.demoLock, logger)
  const addresses = { baseUrl: context.baseUrl, url, hasDesk: settings.operatorToken !== null }
  if (hasDemo(settings, cluster)) await startDemo({ engine, seal, rootKeys, dashboard }, addresses, logger, showDemo)
  return { url, port, warm: () => sandbox.warm(), close: () => closeAll(standing) }
}

/** So that no request waits for the checks of its route. Starts in development are many and short, and compile what is used. */
function compileChecks({ endpoints }: HttpServer): void {
  for (const { check } of endpoints) check.compile()
}

function threadSetting({ httpThreads: count }: Settings, logger: Logger, onFatal: (error: Error) => void): ThreadSetting | null {
  if (count === 0) return null
  const onLost = (reason: string): void => logger.error({ reason }, 'an HTTP thread ended and is replaced: its connections are closed')
  return { count, onLost, onFatal }
}

async function joinWhenSet({ wal, masterKey }: Settings, logger: Logger): Promise<Cluster | null> {
  return wal.kind === 'lmdb' || masterKey === null ? null : Cluster.join(wal, masterKey, logger)
}

interface ServiceParts extends Pick<StartOptions, 'settings' | 'logger'> {
  readonly engine: EngineApi
  readonly context: ApplicationContext
  readonly rootKeys: RootKeys
  readonly kept: KeptAnswers
  readonly canWrite: () => boolean
  readonly time: ApplicationTime
}

/** Opens the services above the engine: outgoing calls, hosted code, sign-in, webhooks and streams. */
function openServices(
  { settings, logger, engine, context, rootKeys, kept, canWrite, time }: ServiceParts,
  standing: OpenedParts,
): { readonly wallets: WalletAccess; readonly dashboard: DashboardAccess; readonly sandbox: OpenSandbox; readonly outside: Workers } {
  const onUnexpected = (error: unknown): void => logger.error({ err: error }, 'an outgoing call failed because of a bug')
  const outbound = new OutboundCalls({ allowPrivate: settings.outboundAllowPrivate, onUnexpected })
  standing.outbound = outbound
  const sandbox = openHostedCode({ threads: settings.sandboxThreads, outbound, logger })
  standing.sandbox = sandbox
  const threads = new ScryptThreads()
  standing.threads = threads
  const wallets = openWalletAccess({
    random: systemRandom,
    engine,
    canWrite,
    rootKeys,
    seal: context.seal,
    settings,
    threads,
    fetchJson: jsonFetcher(outbound),
  })
  standing.wallets = wallets
  const dashboard = new DashboardAccess({
    ...{ engine, rootKeys, kept, threads, canWrite, isSecure: hasSecurePages(settings), context },
  })
  standing.dashboard = dashboard
  const outside = new Workers({
    engine,
    cluster: standing.cluster,
    outbound,
    sandbox,
    context,
    rootKeys,
    canWrite,
    logger,
    settings,
    ...time,
  })
  standing.outside = outside
  context.quotas.assertCounted()
  return { wallets, dashboard, sandbox, outside }
}

function hasDemo({ mode }: Settings, cluster: Cluster | null): boolean {
  return mode === 'development' && cluster === null
}

async function startDemo(parts: DemoParts, addresses: DemoAddresses, logger: Logger, show: StartOptions['showDemo']): Promise<void> {
  const demo = await openDemo(parts)
  if (demo === null) return
  const { merchantId, publicKey, wallets } = demo
  logger.info({ merchant_id: merchantId, public_key: publicKey, wallets }, 'demo')
  show(demoText(demo, addresses))
}

async function takeAddress(server: HttpServer, { host, port }: Settings): Promise<number> {
  try {
    return await server.listen(host, port)
  } catch (error) {
    if (!(error instanceof ListenError)) throw error
    throw new StartError(`Port ${port} of ${host} is in use, or not of this machine: stop the process that uses it, or set PORT or HOST.`, {
      cause: error,
    })
  }
}

/** Returns the address for a client on this machine. */
function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function recoveryFields({ recovered }: Engine): object {
  const { lastSequence, snapshotSequence, replayedRecords, batchHash } = recovered
  return { last_sequence: lastSequence, snapshot_sequence: snapshotSequence, replayed_records: replayedRecords, batch_hash: batchHash }
}
