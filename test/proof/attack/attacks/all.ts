// The one list of attacks.
import type { Attack } from '../attack.ts'
import { BATCH_FLOOD } from './batch-flood.ts'
import { CODE_FLOOD } from './code-flood.ts'
import { BUSY_MACHINE, CONTROL } from './control.ts'
import { FULFILLMENT_BURST } from './fulfillment-burst.ts'
import { HALF_BODIES } from './half-bodies.ts'
import { HOSTED_LOGS, HOSTED_QUOTES, HOSTED_SLEEPERS } from './hosted-code.ts'
import { JSON_FLOOD } from './json-flood.ts'
import { LARGE_PUBLIC_BODIES } from './large-public-bodies.ts'
import { LOCK_OUT } from './lock-out.ts'
import { LOG_FLOOD } from './log-flood.ts'
import { LOGIN_FLOOD } from './login-flood.ts'
import { LOCAL_METRICS_FLOOD, METRICS_FLOOD } from './metrics-flood.ts'
import {
  CHARGE_TABLE,
  EAGER_WEBHOOKS,
  PAYMENT_LINK_TABLE,
  REFUSED_WEBHOOKS,
  SCHEDULE_TABLE,
  TOP_UP_TABLE,
  WEBHOOK_TABLE,
} from './quota-floods.ts'
import { RECIPIENT_LOOK_UPS } from './recipient-look-ups.ts'
import { STREAM_REPLAYS } from './stream-replays.ts'
import { UNREAD_DOCUMENTS } from './unread-documents.ts'

/** The controls are for the latencies of `npm run attack` alone. */
export const ATTACKS: readonly Attack[] = [
  ...[CONTROL, BUSY_MACHINE],
  ...[HOSTED_QUOTES, HOSTED_LOGS, HOSTED_SLEEPERS, FULFILLMENT_BURST],
  ...[CODE_FLOOD, LOCK_OUT, LOGIN_FLOOD],
  ...[BATCH_FLOOD, JSON_FLOOD, STREAM_REPLAYS, UNREAD_DOCUMENTS, RECIPIENT_LOOK_UPS],
  ...[PAYMENT_LINK_TABLE, TOP_UP_TABLE, CHARGE_TABLE, SCHEDULE_TABLE],
  ...[WEBHOOK_TABLE, EAGER_WEBHOOKS, REFUSED_WEBHOOKS],
  ...[LOG_FLOOD, METRICS_FLOOD, LOCAL_METRICS_FLOOD, HALF_BODIES, LARGE_PUBLIC_BODIES],
]
