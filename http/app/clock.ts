// The machine's time and randomness behind the engine's ports.
import { randomFillSync } from 'node:crypto'
import type { Clock, Random } from '../../engine/actor/ports.ts'

export const systemClock: Clock = { now: () => Date.now() }

export const systemRandom: Random = {
  fill: (target) => {
    randomFillSync(target)
  },
}
