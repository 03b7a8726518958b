// Wires the application, and is the program of `npm start`. It holds no rules: only who gets what, in which order,
// and what happens when a start fails.
import { Engine } from '../engine/actor/engine.ts'
import { type EngineApi, engineApi } from '../engine/api.ts'
import type { LogRecord } from '../engine/domain/record.ts'
import type { OpenSandbox } from '../sandbox-pool/sandbox.ts'
import { ArchiveError } from '../wal/archive/lmdb-archive.ts'
import { DataFolderError } from '../wal/folder/folder-error.ts'
import { openDataFolder } from '../wal/folder/open-folder.ts'
import { LogError } from '../wal/log/log-error.ts'
import type { ApplicationContext } from './app/application-context.ts'
import { systemRandom } from './app/clock.ts'
import { closeAll } from './app/close-parts.ts'
import { Cluster } from './app/cluster.ts'
import { type DemoAddresses, type DemoParts, demoText, openDemo, warnOfDemo } from './app/demo.ts'
import { openLimitsPreset } from './app/limits-preset.ts'
import { checkOfCopy } from './app/log-health.ts'
import { createLogger, type Logger } from './app/logging.ts'
import { loadRootKeys, MasterKeyError } from './app/master-key.ts'
import { MeteredLog } from './app/metered-log.ts'
import { metricSources } from './app/metric-sources.ts'
import { createMetrics, metricsAccess, metricsRoute } from './app/metrics.ts'
import { connectionsMax } from './app/open-files.ts'
import { contextOf, nothingOpened, type OpenedParts } from './app/opened-parts.ts'
import { stopWithParent } from './app/parent-watch.ts'
import { type ApplicationTime, SYSTEM_TIME } from './app/scheduler.ts'
import { servedRoutes } from './app/served-routes.ts'
import { settingWarnings } from './app/setting-warnings.ts'
import { engineSettings, hasSecurePages, readSettings, type Settings } from './app/settings.ts'
import { type SignalStop, stopOnSignals } from './app/shutdown.ts'
import { packageVersion } from './app/version.ts'
import { Workers } from './app/workers.ts'
import { Authenticator } from './auth/authenticate.ts'
import { DashboardAccess } from './auth/dashboard/dashboard-access.ts'
import { KeyUses } from './auth/keys/key-uses.ts'
import { openWalletAccess, type WalletAccess } from './auth/wallet/wallet-access.ts'
import { CursorSeal } from './crypto/cursor-seal.ts'
import { derivedKey } from './crypto/derived-key.ts'
import { ScryptThreads } from './crypto/scrypt-threads.ts'
import { type RootKeys, Seal } from './crypto/seal.ts'
import { routeTable } from './openapi/route-table.ts'
import { OutboundCalls } from './outbound/outbound-calls.ts'
import { ApiCalls } from './pages/shared/api-calls.ts'
import { answerUnknownPath, unavailablePage } from './pages/shared/unavailable-page.ts'
import { HttpServer, ListenError, SERVER_LIMITS, type ThreadSetting } from './server/http-server.ts'
import { KeptAnswers } from './server/kept-answers.ts'
import { RateLimiter } from './server/rate-limit.ts'
import { RequestWatch } from './server/request-watch.ts'
import { jsonFetcher } from './workers/gateways/json-calls.ts'
import { WebhookNotices } from './workers/gateways/webhook-notices.ts'
import { openHostedCode } from './workers/hosted-code/open-hosted-code.ts'

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

/** Errors whose messages name the remedy. */
const REMEDY_NAMERS = [DataFolderError, MasterKeyError, StartError, LogError, ArchiveError] as const

async function build({ settings, logger, onFatal, onUnfit }: StartOptions, standing: OpenedParts): Promise<RunningServer> {
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
  const limits = { ...SERVER_LIMITS, connectionsMax: connectionsMax() }
  const threads = threadSetting(settings, logger, onFatal)
  const server = new HttpServer({
    ...{ routes, alwaysOpen: ALWAYS_OPEN, rateLimiter, watch, limits, quotas: context.quotas, unavailablePage, answerUnknownPath, threads },
    ...{ proxyHops: settings.proxyHops, corsOrigins: settings.corsOrigins },
  })
  standing.server = server
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
  if (settings.mode === 'development' && cluster === null) await showDemo({ engine, seal, rootKeys, dashboard }, addresses, logger)
  return { url, port, warm: () => sandbox.warm(), close: () => closeAll(standing) }
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

async function showDemo(parts: DemoParts, addresses: DemoAddresses, logger: Logger): Promise<void> {
  const demo = await openDemo(parts)
  if (demo === null) return
  const { merchantId, publicKey, wallets } = demo
  logger.info({ merchant_id: merchantId, public_key: publicKey, wallets }, 'demo')
  // To stderr, because logs are stored and forwarded, and the text holds a secret key.
  process.stderr.write(demoText(demo, addresses))
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

/** Runs `npm start`. Exit codes: 0 a clean stop, 1 a failed start or run, 2 invalid settings. */
function run(): void {
  const settings = readSettings(process.env)
  if (!('mode' in settings)) {
    for (const { variable, expected } of settings) process.stderr.write(`${variable} ${expected}.\n`)
    process.exitCode = 2
    return
  }
  const logger = createLogger(settings.logLevel)
  for (const { variable, text } of settingWarnings(settings)) logger.warn({ variable }, text)
  let stop: SignalStop | null = null
  let hasStarted = false
  const onFatal = (error: Error): void => {
    if (stop?.ends(error) === true) return
    logger.fatal(fatalDetails(error), error.message)
    process.exit(1)
  }
  process.on('uncaughtException', onFatal)
  process.on('unhandledRejection', (reason) => onFatal(reason instanceof Error ? reason : new Error(String(reason))))
  const starting = startServer({ settings, logger, onFatal, onUnfit: (reason) => stop?.begin(reason) })
  const isHarmless = (error: unknown): boolean => !hasStarted || error instanceof ArchiveError
  stop = stopOnSignals({ close: async () => (await starting).close(), logger, exit: (code) => process.exit(code), isHarmless })
  if (settings.isNpmScript) stopWithParent(logger)
  starting.then(({ port, url, warm }) => {
    hasStarted = true
    logger.info({ host: settings.host, port, url, version: packageVersion(), mode: settings.mode }, 'listening')
    // The layers of isolation that hold here are logged before a customer needs one. In development, code that runs starts the child.
    if (settings.mode === 'production') warm()
  }, onFatal)
}

function recoveryFields({ recovered }: Engine): object {
  const { lastSequence, snapshotSequence, replayedRecords, batchHash } = recovered
  return { last_sequence: lastSequence, snapshot_sequence: snapshotSequence, replayed_records: replayedRecords, batch_hash: batchHash }
}

/**
 * Returns the log fields of an error. An error that names its remedy needs no stack; any other is a bug or a broken
 * machine.
 */
function fatalDetails(error: Error): object {
  const { code } = error as { code?: unknown }
  const namesRemedy = REMEDY_NAMERS.some((named) => error instanceof named)
  return { code: code ?? error.name, ...(namesRemedy ? {} : { err: error }) }
}

run()
