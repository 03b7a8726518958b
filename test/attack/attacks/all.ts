// The one list of attacks.
import type { Attack } from '../attack.ts'
import { CONTROL } from './control.ts'

export const ATTACKS: readonly Attack[] = [CONTROL]
