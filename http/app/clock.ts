// System clock and randomness for the engine's ports.
import { randomFillSync } from 'node:crypto'
import type { Clock, Random } from '../../engine/actor/ports.ts'

export const systemClock: Clock = { now: () => Date.now() }

export const systemRandom: Random = {
  fill: (target) => {
    randomFillSync(target)
  },
}
