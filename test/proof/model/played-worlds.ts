// Plays worlds of random movements one after the other, and compares each with the model after each movement.
import { EngineFixture } from '../../support/engine-fixture.ts'
import { Prng } from '../../support/prng.ts'
import { CURRENCIES } from './rules-stand.ts'
import { World } from './rules-world.ts'

type Weighted = readonly [play: (world: World) => void, weight: number]

const PLAYS: readonly Weighted[] = [
  [(world) => world.payout(), 30],
  [(world) => world.batch(), 10],
  [(world) => world.transfer(), 25],
  [(world) => world.charge(), 15],
  [(world) => world.refund(), 6],
  [(world) => world.orders.bill(), 12],
  [(world) => world.orders.refundBill(), 4],
  [(world) => world.orders.mandate(), 12],
  [(world) => world.orders.disbursement(), 8],
  [(world) => world.withdrawal(), 4],
  [(world) => world.deposit(), 8],
  [(world) => world.rules(), 2],
]

const DECK = PLAYS.flatMap(([play, weight]) => Array<Weighted[0]>(weight).fill(play))

/** Movements of one world: its log and the model's sums stay small. */
export const MOVEMENTS_OF_WORLD = 20_000

/** Plays worlds one after the other, the first with `seed`, and returns how often each verdict occurred. */
export async function playedWorlds(seed: number, movements: number): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>()
  for (let world = seed, left = movements; left > 0; world++, left -= MOVEMENTS_OF_WORLD) {
    for (const [what, count] of await playedWorld(world, Math.min(left, MOVEMENTS_OF_WORLD))) seen.set(what, (seen.get(what) ?? 0) + count)
  }
  return seen
}

/** Returns how often each verdict occurred. A difference to the model is an error that names the seed and the movement. */
async function playedWorld(seed: number, movements: number): Promise<ReadonlyMap<string, number>> {
  const currencies = CURRENCIES
  const fixture = await EngineFixture.open({ seed, currencies, logBudgets: { live: 0, test: 0, unproven: 0 } })
  const world = new World(fixture, new Prng(seed))
  for (let turn = 0; turn < movements; turn++) {
    if (world.prng.chance(0.03)) world.passTime()
    if (world.prng.chance(0.001)) await world.restart()
    try {
      world.prng.pick(DECK)(world)
      world.compareBalances()
      world.compareNotices()
    } catch (error) {
      throw new Error(`engine and model differ: --seed ${seed}, movement ${turn}`, { cause: error })
    }
  }
  world.compareTrialBalances()
  await world.compareReports()
  await fixture.close()
  return world.seen
}
