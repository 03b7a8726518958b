// The one list of attacks.
import type { Attack } from '../attack.ts'
import { CODE_FLOOD } from './code-flood.ts'
import { CONTROL } from './control.ts'
import { FULFILLMENT_BURST } from './fulfillment-burst.ts'
import { HALF_BODIES } from './half-bodies.ts'
import { HOSTED_LOGS, HOSTED_QUOTES, HOSTED_SLEEPERS } from './hosted-code.ts'
import { LARGE_PUBLIC_BODIES } from './large-public-bodies.ts'
import { LOCK_OUT } from './lock-out.ts'
import { LOG_FLOOD } from './log-flood.ts'
import { METRICS_FLOOD } from './metrics-flood.ts'

/** By what they attack: each group is a test file of its own. */
export const GROUPS = {
  'hosted-code': [HOSTED_QUOTES, HOSTED_LOGS, HOSTED_SLEEPERS, FULFILLMENT_BURST],
  'sign-in': [CODE_FLOOD, LOCK_OUT],
  server: [LOG_FLOOD, METRICS_FLOOD, HALF_BODIES, LARGE_PUBLIC_BODIES],
} as const satisfies Readonly<Record<string, readonly Attack[]>>

/** The control is for the latencies of `npm run attack` alone. */
export const ATTACKS: readonly Attack[] = [CONTROL, ...Object.values(GROUPS).flat()]
