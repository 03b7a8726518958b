// The one list of attacks.
import type { Attack } from '../attack.ts'
import { CODE_FLOOD } from './code-flood.ts'
import { CONTROL } from './control.ts'
import { LOCK_OUT } from './lock-out.ts'
import { LOG_FLOOD } from './log-flood.ts'
import { METRICS_FLOOD } from './metrics-flood.ts'

export const ATTACKS: readonly Attack[] = [CONTROL, METRICS_FLOOD, LOG_FLOOD, CODE_FLOOD, LOCK_OUT]
