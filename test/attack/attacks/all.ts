// The one list of attacks.
import type { Attack } from '../attack.ts'
import { CONTROL } from './control.ts'
import { LOG_FLOOD } from './log-flood.ts'
import { METRICS_FLOOD } from './metrics-flood.ts'

export const ATTACKS: readonly Attack[] = [CONTROL, METRICS_FLOOD, LOG_FLOOD]
