// Services of route handlers. Handlers read it when they are called, because the route table is built before the log
// is recovered.

import type { EngineApi, Sandbox } from '../../engine/api.ts'
import type { KeptCurrencies } from '../../engine/kernel/currency.ts'
import type { Quotas } from '../../engine/kernel/quota.ts'
import type { CheckoutCodes } from '../api/checkout/checkout-codes.ts'
import type { NodeHealth } from '../api/health/health-routes.ts'
import type { NodeTrouble, Trouble } from '../api/health/health-trouble.ts'
import type { TopUpInstructions } from '../api/top-ups/top-up-routes.ts'
import type { DashboardAccess, SignupSetting } from '../auth/dashboard/dashboard-access.ts'
import type { DemoLock } from '../auth/demo-lock.ts'
import type { WalletAccess } from '../auth/wallet/wallet-access.ts'
import type { Seal } from '../crypto/seal.ts'
import type { CsvExports } from '../lists/csv.ts'
import type { ClusterView } from '../pages/operator/cluster-view.ts'
import type { RequestLog } from '../server/request-log.ts'
import type { Inbox } from '../workers/gateways/inbox.ts'
import type { Lookups } from '../workers/lookups/lookups.ts'
import type { WebhookSecrets } from '../workers/webhooks/secrets.ts'
import type { LogCheck } from './log-health.ts'
import type { Workers } from './workers.ts'

export interface ApplicationContext {
  readonly engine: EngineApi
  readonly seal: Seal
  /** Wallet sign-in, PINs, and the gateways to phones. */
  readonly wallets: WalletAccess
  /** Sign-in of the dashboard. */
  readonly dashboard: DashboardAccess
  /** Webhooks and streams. */
  readonly outside: Workers
  /** Signing secrets of webhook endpoints. */
  readonly webhookSecrets: WebhookSecrets
  /** Lookups of the amounts that customers have to pay. */
  readonly lookups: Lookups
  /** Merchants' code: checked when a product is written, run for lookups and fulfillment. */
  readonly sandbox: Sandbox
  /** Version of the package. */
  readonly version: string
  /** Base URL of the API for merchants, without a trailing slash. */
  readonly baseUrl: string
  /** Base URL of the API for wallets, without a trailing slash. */
  readonly walletBaseUrl: string
  /** Base URL of the payment pages, without a trailing slash. */
  readonly checkoutBase: string
  readonly checkoutCodes: CheckoutCodes
  /** Quotas of what HTTP holds for callers. */
  readonly quotas: Quotas
  readonly csvExports: CsvExports
  /** The newest requests of merchants' test keys. */
  readonly requestLog: RequestLog
  /** The setting OPERATOR_DUAL_CONTROL; null where no movement needs a second operator. */
  readonly secondPersonAbove: number | null
  /** The setting OPERATOR_DAY_CONTROL; null where no sum of a day, and no new operator, needs a second person. */
  readonly secondPersonAboveDay: number | null
  /** The setting OUTBOUND_ALLOW_PRIVATE. */
  readonly outboundAllowPrivate: boolean
  /** The setting CURRENCIES. */
  readonly currencies: KeptCurrencies
  readonly signup: SignupSetting
  /** The settings TOP_UP_INSTRUCTIONS. */
  readonly topUpInstructions: TopUpInstructions
  /** Refuses the demo's merchant in production. */
  readonly demoLock: DemoLock
  /** Development inbox of outgoing messages; null in production. */
  readonly inbox: Inbox | null
  /** Health check of the log's store. */
  readonly logCheck: Pick<LogCheck, 'health'>
  /** Returns the node's health; null without a cluster, and before the first read of the cluster's log. */
  nodeHealth(): NodeHealth | null
  /** Returns what the desk shows of the cluster; null without one. */
  clusterView(): ClusterView | null
  /** Returns why this node takes no requests or no writes; null when it does. */
  trouble(): Trouble | null
  /** Returns why this node of a cluster must get no requests; null when it may. */
  nodeTrouble(): NodeTrouble | null
}
