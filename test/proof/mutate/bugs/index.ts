import type { PlantedBug } from '../bug.ts'
import { CONDITION_BUGS } from './conditions.ts'
import { ENGINE_BUGS } from './engine.ts'
import { FINDER_BUGS } from './finders.ts'
import { HTTP_BUGS } from './http.ts'
import { LOG_BUGS } from './log.ts'
import { MONEY_BUGS } from './money.ts'
import { PEOPLE_BUGS } from './people.ts'
import { RULE_BUGS } from './rules.ts'
import { SANDBOX_BUGS } from './sandbox.ts'
import { SIMULATED_BUGS } from './simulated.ts'

export const BUGS: readonly PlantedBug[] = [
  ...ENGINE_BUGS,
  ...MONEY_BUGS,
  ...RULE_BUGS,
  ...HTTP_BUGS,
  ...LOG_BUGS,
  ...PEOPLE_BUGS,
  ...FINDER_BUGS,
  ...SANDBOX_BUGS,
  ...SIMULATED_BUGS,
  ...CONDITION_BUGS,
]
