// Waits for a promise while the test itself turns the loop that the promise waits for.

/** More turns than anything needs: beyond, something goes round in circles. */
const TURNS_MAX = 100_000

/** Turns until the promise is settled, and answers or throws what it does. */
export async function turnUntil<Value>(promise: Promise<Value>, turn: () => void): Promise<Value> {
  let pending = true
  const settled = promise.finally(() => {
    pending = false
  })
  settled.catch(() => {
    // The caller is answered with the same promise and hears of it.
  })
  for (let turns = 0; turns < TURNS_MAX; turns++) {
    await new Promise((resolve) => setImmediate(resolve))
    if (!pending) return settled
    turn()
  }
  throw new Error(`nothing came of it after ${TURNS_MAX} turns`)
}
