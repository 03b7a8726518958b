// `npm run cluster-test`: rounds of all faults against three nodes over PostgreSQL, a JSON line for each and the figures at the end. A limit
// of time that was exceeded is reported (`exceeded`), because other load on the machine explains it. On a machine that was idle before and
// after the round it is a failure too (`late`): a takeover after more than TAKEOVER_AFTER_MS + 2 s, and an error that a client saw in a
// handover.
import { buildDist, builtProgram } from '../../../http/app/dist.ts'
import { commandLine, mistake, wholeNumber } from '../../support/command-line.ts'
import { postgresMissing } from '../../support/postgres.ts'
import { numbersOf, writeProofResult } from '../../support/proof-result.ts'
import { FAULT_NAMES, type Fault } from './faults.ts'
import { buildPlanted, PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts'
import { type RoundReport, Rounds } from './rounds.ts'

const USAGE = `npm run cluster-test -- [options]
  --rounds 200          rounds, each with one fault
  --seed 1              of all random choices
  --faults 'a,b'        only these faults, by turns: ${FAULT_NAMES.join(', ')}
  --planted             nodes with known bugs, which rounds must find
Exit code 1: a round found a fault, or no round found a planted bug.`

const values = commandLine(USAGE, {
  rounds: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  faults: { type: 'string', default: '' },
  planted: { type: 'boolean', default: false },
})

const PLANTED_ROUNDS_MAX = 3
const PLANTED_SHOWN = 5

async function main(): Promise<void> {
  const missing = postgresMissing()
  if (missing !== false) throw new Error(missing)
  const [count, seed] = [wholeNumber('rounds', values.rounds, 1), wholeNumber('seed', values.seed)]
  process.exitCode = (await (values.planted ? findPlanted(seed) : runRounds(count, seed))) ? 0 : 1
}

/** Returns whether every bug was found. */
async function findPlanted(seed: number): Promise<boolean> {
  let isAllFound = true
  for (const bug of PLANTED_BUGS) {
    const faults = await faultsOfPlanted(bug, seed)
    console.log(JSON.stringify({ planted: bug.name, fault: bug.fault, faults: faults.slice(0, PLANTED_SHOWN) }))
    isAllFound &&= faults.length > 0
  }
  return isAllFound
}

/** Runs rounds until one finds the bug, some times at most. */
async function faultsOfPlanted(bug: PlantedBug, seed: number): Promise<readonly string[]> {
  const { program, remove } = buildPlanted(bug)
  try {
    const rounds = await Rounds.open({ seed, program })
    try {
      for (let round = 0; round < PLANTED_ROUNDS_MAX; round++) {
        const { faults } = await rounds.run(bug.fault)
        if (faults.length > 0) return faults
      }
    } finally {
      await rounds.close()
    }
    return []
  } finally {
    remove()
  }
}

/** Returns whether all rounds were without a fault, and those on an idle machine within the limits of time. */
async function runRounds(count: number, seed: number): Promise<boolean> {
  // A restart from the source takes three times the processor time.
  await buildDist()
  const rounds = await Rounds.open({ seed, program: builtProgram('http/main.ts') })
  const chosen = chosenFaults(values.faults)
  const reports: RoundReport[] = []
  try {
    for (let round = 0; round < count; round++) {
      const report = await rounds.run(chosen[round % chosen.length] ?? rounds.nextFault())
      reports.push(report)
      console.log(JSON.stringify(report))
    }
  } finally {
    await rounds.close()
  }
  const figures = figuresOf(seed, reports)
  console.log(JSON.stringify(figures))
  writeProofResult('cluster rounds', numbersOf(figures))
  return reports.every(({ faults, late }) => faults.length + late.length === 0)
}

function chosenFaults(text: string): readonly Fault[] {
  return text.split(',').flatMap((name) => {
    const fault = FAULT_NAMES.find((known) => known === name)
    if (fault === undefined && name !== '') mistake(`no fault ${name}: ${FAULT_NAMES.join(', ')}`)
    return fault ?? []
  })
}

function figuresOf(seed: number, reports: readonly RoundReport[]): object {
  const sum = (value: (report: RoundReport) => number): number => reports.reduce((total, report) => total + value(report), 0)
  return {
    seed,
    rounds: reports.length,
    acknowledged: sum(({ acknowledged }) => acknowledged),
    readings: sum(({ readings }) => readings),
    unknown_attempts: sum(({ unknown }) => unknown.attempts),
    unknown_executed: sum(({ unknown }) => unknown.executed),
    unknown_not_executed: sum(({ unknown }) => unknown.notExecuted),
    failed_fulfillments: sum(({ failedFulfillments }) => failedFulfillments),
    owed_events: reports.at(-1)?.owedEvents,
    stream_reconnections: reports.at(-1)?.streamReconnections,
    longest_pause_ms: Math.max(...reports.map(({ pauseMs }) => pauseMs)),
    by_fault: Object.fromEntries(FAULT_NAMES.flatMap((fault) => timesOf(fault, reports))),
    faults: sum(({ faults }) => faults.length),
    exceeded: sum(({ exceeded }) => exceeded.length),
    late: sum(({ late }) => late.length),
    idle_rounds: reports.filter(({ isIdle }) => isIdle).length,
  }
}

/** Time after which writes went on, and longest pause of each round: median and maximum. */
function timesOf(fault: Fault, reports: readonly RoundReport[]): [string, object][] {
  const own = reports.filter((report) => report.fault === fault)
  if (own.length === 0) return []
  const goesOn = own.map(({ goesOnMs }) => goesOnMs ?? Number.POSITIVE_INFINITY).sort((one, other) => one - other)
  const pauses = own.map(({ pauseMs }) => pauseMs).sort((one, other) => one - other)
  const middle = (values: readonly number[]): number | undefined => values[values.length >> 1]
  return [[fault, { rounds: own.length, goes_on_ms: [middle(goesOn), goesOn.at(-1)], pause_ms: [middle(pauses), pauses.at(-1)] }]]
}

// Ends nodes and servers, which a signal alone would leave running.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
await main()
