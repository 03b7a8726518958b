// Parts of the application during its start, and the context of routes. The context is built before the log is
// recovered and reads the parts later.

import type { Engine } from '../../engine/actor/engine.ts'
import type { EngineApi } from '../../engine/api.ts'
import { assert } from '../../engine/kernel/assert.ts'
import type { OpenSandbox } from '../../sandbox-pool/sandbox.ts'
import type { OpenDataFolder } from '../../wal/folder/open-folder.ts'
import { CheckoutCodes } from '../api/checkout/checkout-codes.ts'
import type { Trouble } from '../api/health/health-trouble.ts'
import { heldQuotas } from '../api/operator/served-quotas.ts'
import type { DashboardAccess } from '../auth/dashboard/dashboard-access.ts'
import { DemoLock } from '../auth/demo-lock.ts'
import type { KeyUses } from '../auth/keys/key-uses.ts'
import type { WalletAccess } from '../auth/wallet/wallet-access.ts'
import { derivedKey } from '../crypto/derived-key.ts'
import type { ScryptThreads } from '../crypto/scrypt-threads.ts'
import type { RootKeys, Seal } from '../crypto/seal.ts'
import { CSV_EXPORTS } from '../lists/list-limits.ts'
import type { OutboundCalls } from '../outbound/outbound-calls.ts'
import { AccountQuota } from '../server/account-quota.ts'
import type { HttpServer } from '../server/http-server.ts'
import type { RequestWatch } from '../server/request-watch.ts'
import { Inbox } from '../workers/gateways/inbox.ts'
import type { ApplicationContext } from './application-context.ts'
import type { Cluster } from './cluster.ts'
import type { LogCheck } from './log-health.ts'
import type { Settings } from './settings.ts'
import { packageVersion } from './version.ts'
import type { Workers } from './workers.ts'

/** Opened parts, so that they can be closed in the right order. */
export interface OpenedParts {
  folder: OpenDataFolder | null
  server: HttpServer | null
  /** The engine itself, to be closed. */
  opened: Engine | null
  engine: EngineApi | null
  threads: ScryptThreads | null
  wallets: WalletAccess | null
  dashboard: DashboardAccess | null
  outbound: OutboundCalls | null
  sandbox: OpenSandbox | null
  keyUses: KeyUses | null
  outside: Workers | null
  /** Null where the log belongs to this process. */
  cluster: Cluster | null
  isStopping: boolean
}

export function nothingOpened(): OpenedParts {
  return {
    folder: null,
    server: null,
    opened: null,
    engine: null,
    threads: null,
    wallets: null,
    dashboard: null,
    outbound: null,
    sandbox: null,
    keyUses: null,
    outside: null,
    cluster: null,
    isStopping: false,
  }
}

interface ContextParts {
  readonly settings: Settings
  readonly seal: Seal
  readonly rootKeys: RootKeys
  readonly canWrite: () => boolean
  readonly logCheck: LogCheck
  /** Listening address, once it listens. */
  readonly url: () => string
  readonly watch: Pick<RequestWatch, 'requestLog'>
}

/** Returns the context of routes. It is built before the log is recovered and read afterwards. */
export function contextOf(
  opened: OpenedParts,
  { settings, seal, rootKeys, canWrite, logCheck, url, watch }: ContextParts,
): ApplicationContext {
  const quotas = heldQuotas()
  return {
    get engine() {
      return recovered('engine', opened.engine)
    },
    get wallets() {
      return recovered('wallets', opened.wallets)
    },
    get dashboard() {
      return recovered('dashboard', opened.dashboard)
    },
    get outside() {
      return recovered('outside', opened.outside)
    },
    get webhookSecrets() {
      return recovered('webhookSecrets', opened.outside).webhookSecrets
    },
    get lookups() {
      return recovered('lookups', opened.outside).lookups
    },
    get sandbox() {
      return recovered('sandbox', opened.sandbox)
    },
    seal,
    version: packageVersion(),
    get baseUrl() {
      return settings.baseUrl ?? url()
    },
    get walletBaseUrl() {
      return settings.walletBaseUrl ?? settings.baseUrl ?? url()
    },
    get checkoutBase() {
      return settings.checkoutBase ?? settings.baseUrl ?? url()
    },
    checkoutCodes: new CheckoutCodes(derivedKey(rootKeys, 'checkout-code')),
    quotas,
    csvExports: new AccountQuota(quotas, CSV_EXPORTS, recoveredEngine(opened)),
    demoLock: new DemoLock({ isProduction: settings.mode === 'production', engine: () => recovered('engine', opened.engine) }),
    secondPersonAbove: settings.secondPersonAbove,
    secondPersonAboveDay: settings.secondPersonAboveDay,
    currencies: settings.currencies,
    outboundAllowPrivate: settings.outboundAllowPrivate,
    signup: settings.signup,
    topUpInstructions: settings.topUpInstructions,
    inbox: settings.mode === 'development' ? new Inbox() : null,
    logCheck,
    requestLog: watch.requestLog,
    nodeHealth: () => opened.cluster?.health() ?? null,
    nodeTrouble: () => opened.cluster?.trouble() ?? null,
    clusterView: () => opened.cluster?.view() ?? null,
    trouble: () => troubleOf(opened, canWrite),
  }
}

function recoveredEngine(opened: OpenedParts): { readonly engine: EngineApi } {
  return {
    get engine() {
      return recovered('engine', opened.engine)
    },
  }
}

/** Returns why requests or writes get 503; null when they do not. */
export function troubleOf({ engine, folder, server, isStopping }: OpenedParts, canWrite: () => boolean): Trouble | null {
  if (isStopping) return 'stopping'
  if (engine === null || server?.isOpen !== true) return 'recovering'
  if (canWrite()) return null
  const disk = folder?.disk()
  return disk !== undefined && disk.freeBytes < disk.reserveBytes ? 'disk_full' : 'log_stopped'
}

/** The route table is made before the log is recovered, so a part of it does not exist at that time. */
function recovered<Part>(name: string, part: Part | null): Part {
  assert(part !== null, `parts.${name} exists once the log is recovered: read it inside the handler, not while the route table is made`)
  return part
}
