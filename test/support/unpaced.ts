// Fair work of the process without pauses. They follow short requests for a second, also those of an earlier test file in this process,
// and a test that counts steps of fair work counts none of them.
import { fairWork } from '../../http/server/fair-work.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Resolves when fair work does not pause. For `before`. */
export async function unpaced(): Promise<void> {
  let turns: number
  do {
    // What runs behind a piece pauses or not.
    await fairWork.turn('unpaced', 1)
    let hasRun = false
    const run = fairWork.turn('unpaced', 1).then(() => {
      hasRun = true
    })
    for (turns = 0; !hasRun; turns++) await nextTurn()
    await run
  } while (turns > 2)
}
