import type { PlantedBug } from '../bug.ts'
import { ENGINE_BUGS } from './engine.ts'
import { HTTP_BUGS } from './http.ts'
import { MONEY_BUGS } from './money.ts'

export const BUGS: readonly PlantedBug[] = [...ENGINE_BUGS, ...MONEY_BUGS, ...HTTP_BUGS]
