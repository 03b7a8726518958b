// `npm run cluster-test -- [rounds]`: rounds of all faults against three nodes over PostgreSQL, with a line for each. Exit code 1 when a
// round found a fault.
import { postgresMissing } from '../support/postgres.ts'
import { FAULTS, type Fault } from './rounds.ts'
import { openRounds } from './rounds-fixture.ts'

const ROUNDS = 200

async function main(): Promise<void> {
  const missing = postgresMissing()
  if (missing !== false) throw new Error(missing)
  const count = Number(process.argv[2] ?? ROUNDS)
  const { rounds, remove } = await openRounds()
  let faults = 0
  try {
    for (let round = 0; round < count; round++) {
      const report = await rounds.run(FAULTS[round % FAULTS.length] as Fault)
      faults += report.faults.length
      process.stdout.write(`${JSON.stringify({ round: round + 1, ...report })}\n`)
    }
  } finally {
    await remove()
  }
  process.exitCode = faults === 0 ? 0 : 1
}

await main()
