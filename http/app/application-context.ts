// What the handlers of routes stand on. They read it when they are called, never when the table is made: the table is
// there before the log is recovered.
import type { EngineApi, Sandbox } from '../../engine/api.ts'
import type { CheckoutCodes } from '../api/checkout/checkout-codes.ts'
import type { NodeHealth } from '../api/health/health-routes.ts'
import type { DashboardAccess } from '../auth/dashboard/dashboard-access.ts'
import type { WalletAccess } from '../auth/wallet/wallet-access.ts'
import type { Seal } from '../crypto/seal.ts'
import type { CsvExports } from '../lists/csv.ts'
import type { CallLimit } from '../server/call-limit.ts'
import type { Inbox } from '../workers/gateways/inbox.ts'
import type { Lookups } from '../workers/lookups/lookups.ts'
import type { WebhookSecrets } from '../workers/webhooks/secrets.ts'
import type { LogCheck } from './log-health.ts'
import type { Workers } from './workers.ts'

export interface ApplicationContext {
  readonly engine: EngineApi
  readonly seal: Seal
  /** Wallet sign-in, PINs, and the ways out to a phone. */
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
  /** Of the package. */
  readonly version: string
  /** Where merchants reach the API, without a slash at the end. */
  readonly baseUrl: string
  /** Where wallets reach the API, without a slash at the end. */
  readonly walletBaseUrl: string
  /** Where customers reach the payment pages, without a slash at the end. */
  readonly checkoutBase: string
  readonly checkoutCodes: CheckoutCodes
  readonly csvExports: CsvExports
  /** Counts what tells a merchant whether a wallet exists: check-recipient, the lines of dry runs, mandates for unknown tags. */
  readonly recipientLookups: CallLimit
  /** The setting OUTBOUND_ALLOW_PRIVATE. */
  readonly outboundAllowPrivate: boolean
  /** What left the house; null in production, where nobody may look. */
  readonly inbox: Inbox | null
  /** Whether the log's store answers. */
  readonly logCheck: Pick<LogCheck, 'health'>
  /** Null where the log is this process's own, and before this node has looked at the cluster's. */
  nodeHealth(): NodeHealth | null
  /** False while the log is being recovered, when it stands still, and while the process stops. */
  isHealthy(): boolean
}
