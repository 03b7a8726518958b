// `npm run fuzz`: the long forms of the fuzz tests. Each part is given by its number, all have a short one without any:
//
//   npm run fuzz -- [--requests 500000] [--raw 1000] [--urls 300 --names 1000] [--programs 20000] [--properties 20]
//                   [--seed 1] [--minutes 60]
//
// requests: changed requests to every route, in parts with a new server each, without and with two HTTP threads by turns.
// raw: connections whose bytes no HTTP library sends. urls, names: addresses that the outbound client must not reach.
// programs: generated hostile programs in the sandbox, after the 200 written ones. properties: the property tests, so many times as
// long. minutes: begins again with the next seed until so much time is over. Exit code 1 when anything failed; the same seed repeats.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { KeyedWorldFixture } from '../support/keyed-world.ts'
import { PROPERTY_RUNS, PROPERTY_SEED } from '../support/property-runs.ts'
import { TestServer } from '../support/server-fixture.ts'
import { generatedProgram, writtenPrograms } from './hostile-programs.ts'
import { fuzzOutbound } from './outbound-fuzz.ts'
import { fuzzPrograms } from './program-fuzz.ts'
import { fuzzRaw } from './raw-fuzz.ts'
import { fuzzRoutes } from './route-fuzz.ts'

const ROOT = dirname(dirname(import.meta.dirname))
/** Requests to one server: its state stays small, so that it is fast. */
const REQUESTS_PER_SERVER = 25_000
const WRITTEN = 200
const SHORT = { requests: 5000, raw: 100, urls: 300, names: 1000, programs: 1000, properties: 2 }
/** In live and test. */
const NO_BUDGETS = { LOG_MB_PER_DAY_LIVE: '0', LOG_MB_PER_DAY_TEST: '0', LOG_MB_PER_DAY_UNPROVEN: '0' }

/** Test files of properties: decoders, parsers, rings, limits. */
const PROPERTY_FILES = [
  ...['record-codec', 'record-peek', 'record-scan', 'index-runs', 'index-scan'].map((name) => `test/engine/actor/${name}.test.ts`),
  ...['batch-line', 'duplicate-lines', 'schema'].map((name) => `test/engine/contract/${name}.test.ts`),
  ...['pattern', 'biller/definition-limits', 'cash-request/payment-reference'].map((name) => `test/engine/domain/${name}.test.ts`),
  ...['calendar', 'kernel', 'large-map', 'name-cache', 'recipient', 'timer-queue'].map((name) => `test/engine/kernel/${name}.test.ts`),
  ...['api/billers/image-header', 'api/checkout/parts', 'crypto/seal', 'lists/csv-text', 'lists/lists'].map(
    (name) => `test/http/${name}.test.ts`,
  ),
  ...['pages/dashboard/csv-lines', 'pages/dashboard/package-lines', 'server/multipart', 'server/json-body'].map(
    (name) => `test/http/${name}.test.ts`,
  ),
  ...['server/threads/request-frame', 'server/threads/ring', 'workers/lookups/answer'].map((name) => `test/http/${name}.test.ts`),
  ...['host-functions', 'messages', 'fetch-broker'].map((name) => `test/sandbox-pool/${name}.test.ts`),
  ...['form-rows', 'html'].map((name) => `test/pages/${name}.test.ts`),
]

type Part = keyof typeof SHORT

const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    raw: { type: 'string' },
    urls: { type: 'string' },
    names: { type: 'string' },
    programs: { type: 'string' },
    properties: { type: 'string' },
    minutes: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
})
const given = (Object.keys(SHORT) as Part[]).filter((part) => values[part] !== undefined)
const counts = Object.fromEntries(
  (Object.keys(SHORT) as Part[]).map((part) => [part, given.length === 0 ? SHORT[part] : wholeNumber(part, values[part] ?? '0')]),
) as Record<Part, number>
const endMs = performance.now() + wholeNumber('minutes', values.minutes) * 60_000

for (let seed = wholeNumber('seed', values.seed); ; seed++) {
  console.log(`seed ${seed}`)
  if (counts.requests > 0) await requests(seed)
  if (counts.raw > 0) await raw(seed)
  if (counts.urls + counts.names > 0) await outbound()
  if (counts.programs > 0) await programs(seed)
  if (counts.properties > 0) properties(seed)
  if (performance.now() >= endMs || process.exitCode === 1) break
}

async function requests(seed: number): Promise<void> {
  for (let first = 0; first < counts.requests; first += REQUESTS_PER_SERVER) {
    const threads = (first / REQUESTS_PER_SERVER) % 2 === 0 ? '0' : '2'
    const fixture = await KeyedWorldFixture.open({ settings: { ...NO_BUDGETS, HTTP_THREADS: threads } })
    try {
      const count = Math.min(REQUESTS_PER_SERVER, counts.requests - first)
      const report = await fuzzRoutes({ world: fixture.world, seed, requests: count, first })
      const { sent, seconds, statuses, failures, unreached, seen, unseen } = report
      const answers = `${seen.length} of ${seen.length + unseen.length} documented answers seen`
      console.log(
        `requests ${first} to ${first + sent}, HTTP_THREADS=${threads}: ${Math.round(sent / seconds)} a second; ${answers}; ${sorted(statuses)}`,
      )
      failed([...failures, ...unreached.map((operation) => `${operation} has no good answer`), ...(await faultsOf(fixture.server))])
    } finally {
      await fixture.close()
    }
    if (process.exitCode === 1) return
  }
}

async function faultsOf({ operator, anybody }: TestServer): Promise<string[]> {
  const faults: string[] = []
  for (const environment of ['live', 'test']) {
    const { body } = await operator.get(`/v1/operator/ledger/trial-balance?environment=${environment}`)
    if (body.balanced !== true) faults.push(`the ledger of ${environment} does not add up to zero`)
  }
  const { status } = await anybody.get('/healthz')
  return status === 200 ? faults : [...faults, `/healthz answers ${status}`]
}

async function raw(seed: number): Promise<void> {
  for (const threads of ['0', '2']) {
    const server = await TestServer.open({ settings: { HTTP_THREADS: threads } })
    try {
      const { cases, outcomes, failures } = await fuzzRaw(server.process.port, counts.raw, seed)
      console.log(`raw ${cases}, HTTP_THREADS=${threads}: ${sorted(outcomes)}`)
      failed(failures)
    } finally {
      await server.close()
    }
  }
}

async function outbound(): Promise<void> {
  const { urls, names, hits, outcomes, failures } = await fuzzOutbound(counts.urls, counts.names)
  console.log(`urls ${urls}, names ${names}: ${hits} hits of the canary; ${sorted(outcomes)}`)
  failed([...failures, ...(hits === 0 ? [] : [`${hits} connections reached the canary`])])
}

async function programs(seed: number): Promise<void> {
  const all = function* (): Generator<string> {
    yield* writtenPrograms(WRITTEN)
    for (let number = 0; number < counts.programs; number++) yield generatedProgram(seed, number)
  }
  const { programs: count, seconds, ends, slowestMs, residentBytes, failures } = await fuzzPrograms(all())
  const figures = `${Math.round(count / seconds)} a second, slowest ${Math.round(slowestMs)} ms, child at most ${residentBytes >> 20} MiB`
  console.log(`programs ${count}: ${figures}; ${sorted(ends)}`)
  failed(failures)
}

function properties(seed: number): void {
  const options = [
    '--import',
    'tsx',
    '--import',
    './test/support/property-runs.ts',
    '--test',
    '--test-concurrency=1',
    '--test-reporter=dot',
  ]
  const env = { ...process.env, [PROPERTY_RUNS]: String(counts.properties), [PROPERTY_SEED]: String(seed) }
  const startMs = performance.now()
  const { status } = spawnSync(process.execPath, [...options, ...PROPERTY_FILES], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  })
  const seconds = Math.round((performance.now() - startMs) / 1000)
  console.log(`properties of ${PROPERTY_FILES.length} files, ${counts.properties} times: ${seconds} s`)
  failed(status === 0 ? [] : ['a property failed'])
}

function failed(messages: readonly string[]): void {
  for (const message of messages) console.log(`FAILED  ${message}`)
  if (messages.length > 0) process.exitCode = 1
}

function sorted(counted: ReadonlyMap<string | number, number>): string {
  return [...counted]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ')
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} is a whole number`)
  return value
}
