// `npm run fuzz`: the long forms of the fuzz tests. SIGTERM ends requests and programs early, with their report.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { commandLine, wholeNumber } from '../../support/command-line.ts'
import { KeyedWorldFixture } from '../../support/keyed-world.ts'
import { writeProofResult } from '../../support/proof-result.ts'
import { PROPERTY_RUNS, PROPERTY_SEED } from '../../support/property-runs.ts'
import { TestServer } from '../../support/server-fixture.ts'
import { fuzzAnswers } from './answer-fuzz.ts'
import { AttemptSender } from './attempt-sender.ts'
import { walkClosed } from './closed-walk.ts'
import { generatedProgram, writtenPrograms } from './hostile-programs.ts'
import { fuzzOutbound } from './outbound-fuzz.ts'
import { fuzzPrograms } from './program-fuzz.ts'
import { fuzzRaw } from './raw-fuzz.ts'
import { documentedAnswers, FUZZ_SETTINGS, fuzzRoutes } from './route-fuzz.ts'
import { walkStates } from './state-walk.ts'

const ROOT = dirname(dirname(dirname(import.meta.dirname)))
/** Requests to one server: its state stays small, so that it is fast. */
const REQUESTS_PER_SERVER = 50_000
const WRITTEN = 200
const SHORT = { requests: 5000, raw: 100, urls: 300, names: 1000, answers: 500, programs: 1000, properties: 2 }

/** Test files of properties: decoders, parsers, rings, limits. */
const PROPERTY_FILES = [
  ...['record-codec', 'record-peek', 'record-scan', 'index-runs', 'index-scan'].map((name) => `test/engine/actor/${name}.test.ts`),
  ...['batch-line', 'duplicate-lines', 'schema'].map((name) => `test/engine/contract/${name}.test.ts`),
  ...['pattern', 'biller/definition-limits', 'cash-request/payment-reference', 'payout/batch'].map(
    (name) => `test/engine/domain/${name}.test.ts`,
  ),
  ...['calendar', 'kernel', 'large-map', 'name-cache', 'recipient', 'timer-queue'].map((name) => `test/engine/kernel/${name}.test.ts`),
  ...['api/checkout/parts', 'crypto/seal', 'lists/csv-text', 'lists/lists'].map((name) => `test/http/${name}.test.ts`),
  ...[
    'client/payment-file/payment-file-properties',
    'client/payment-file/spreadsheets',
    'pages/dashboard/products/form-rows',
    'pages/dashboard/products/package-lines',
    'server/body/image-header',
    'server/body/multipart',
    'server/body/json-body',
  ].map((name) => `test/http/${name}.test.ts`),
  ...['server/threads/request-frame', 'server/threads/byte-ring', 'workers/lookups/answer'].map((name) => `test/http/${name}.test.ts`),
  ...['host-functions', 'messages', 'fetch-broker', 'admission'].map((name) => `test/sandbox-pool/${name}.test.ts`),
  'test/http/pages/shared/html.test.ts',
]

type Part = keyof typeof SHORT

const USAGE = `npm run fuzz -- [parts] [options]
Each part is given by its number; without any all run in a short form.
  --requests 500000     changed requests to every route, in parts with a new server each, without and with two HTTP threads by turns
  --raw 1000            connections whose bytes no HTTP library sends
  --urls 300            addresses that the outbound client must not reach
  --names 1000          names that lead to such addresses
  --answers 5000        what gateways, billers and key providers may answer
  --programs 20000      generated hostile programs in the sandbox, after the ${WRITTEN} written ones
  --properties 20       the property tests, so many times as long
  --seed 1              of all random choices; the same seed repeats
  --minutes 60          begins again with the next seed until so much time is over
Exit code 1: something failed.`

const values = commandLine(USAGE, {
  requests: { type: 'string' },
  raw: { type: 'string' },
  urls: { type: 'string' },
  names: { type: 'string' },
  answers: { type: 'string' },
  programs: { type: 'string' },
  properties: { type: 'string' },
  minutes: { type: 'string', default: '0' },
  seed: { type: 'string', default: '1' },
})
const given = (Object.keys(SHORT) as Part[]).filter((part) => values[part] !== undefined)
const counts = Object.fromEntries(
  (Object.keys(SHORT) as Part[]).map((part) => [part, given.length === 0 ? SHORT[part] : wholeNumber(part, values[part] ?? '0')]),
) as Record<Part, number>
const endMs = performance.now() + wholeNumber('minutes', values.minutes) * 60_000

let isOver = false
process.once('SIGTERM', () => {
  isOver = true
})

for (let seed = wholeNumber('seed', values.seed); ; seed++) {
  console.log(`seed ${seed}`)
  if (counts.requests > 0) await requests(seed)
  if (counts.raw > 0) await raw(seed)
  if (counts.urls + counts.names > 0) await outbound()
  if (counts.answers > 0) await answers(seed)
  if (counts.programs > 0) await programs(seed)
  if (counts.properties > 0) properties(seed)
  if (performance.now() >= endMs || isOver || process.exitCode === 1) break
}

async function requests(seed: number): Promise<void> {
  const startMs = performance.now()
  const [seenAll, unseenAll] = [new Set<string>(), new Set<string>()]
  let [sentAll, failures] = [0, 0]
  for (let first = 0; first < counts.requests && !isOver && process.exitCode !== 1; first += REQUESTS_PER_SERVER) {
    const threads = (first / REQUESTS_PER_SERVER) % 2 === 0 ? '0' : '2'
    const fixture = await KeyedWorldFixture.open({ settings: { ...FUZZ_SETTINGS, HTTP_THREADS: threads } })
    try {
      const count = Math.min(REQUESTS_PER_SERVER, counts.requests - first)
      const {
        sent,
        perSecond,
        statuses,
        failures: ofRequests,
        unreached,
        seen,
        unseen,
      } = await fuzzRoutes({
        world: fixture.world,
        seed,
        requests: count,
        first,
        isOver: () => isOver,
      })
      sentAll += sent
      const walked = new AttemptSender(seed, new Set())
      if (first === 0) {
        await walkStates(fixture.world, walked)
        for (const pair of await walkClosed(walked)) seenAll.add(pair)
      }
      for (const pair of documentedAnswers(fixture.server).seen) seenAll.add(pair)
      for (const pair of [...seen, ...unseen]) unseenAll.add(pair)
      const rate = `${Math.round(perSecond)} changed ones a second`
      console.log(`requests from ${first}, HTTP_THREADS=${threads}: ${sent} sent, ${rate}; ${sorted(statuses)}`)
      const messages = [
        ...ofRequests,
        ...walked.failures,
        ...unreached.map((operation) => `${operation} has no good answer`),
        ...(await faultsOf(fixture.server)),
      ]
      failures += messages.length
      failed(messages)
    } finally {
      await fixture.close()
    }
  }
  const seconds = (performance.now() - startMs) / 1000
  console.log(`requests: ${sentAll} sent in ${Math.round(seconds)} s, ${Math.round(sentAll / seconds)} a second with all preparation`)
  writeProofResult('fuzz requests', {
    requests: sentAll,
    seed,
    'documented answers': new Set([...seenAll, ...unseenAll]).size,
    seen: seenAll.size,
    failures,
  })
  console.log(`documented answers: ${seenAll.size} of ${new Set([...seenAll, ...unseenAll]).size} seen`)
  for (const pair of seenAll) unseenAll.delete(pair)
  for (const [status, operations] of byStatus(unseenAll)) console.log(`not seen, ${status}: ${operations.join(' ')}`)
}

/** Operations by the status that they did not answer, of `operationId status`. */
function byStatus(pairs: Iterable<string>): [string, string[]][] {
  const found = new Map<string, string[]>()
  for (const pair of pairs) {
    const [operation = '', status = ''] = pair.split(' ')
    found.set(status, [...(found.get(status) ?? []), operation])
  }
  return [...found].sort(([one], [other]) => one.localeCompare(other))
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
      writeProofResult(`fuzz raw, ${threads} HTTP threads`, { cases, seed, failures: failures.length })
      console.log(`raw ${cases}, HTTP_THREADS=${threads}: ${sorted(outcomes)}`)
      failed(failures)
    } finally {
      await server.close()
    }
  }
}

async function outbound(): Promise<void> {
  const { urls, names, hits, outcomes, failures } = await fuzzOutbound(counts.urls, counts.names)
  writeProofResult('fuzz addresses', { urls, names, hits, failures: failures.length })
  console.log(`urls ${urls}, names ${names}: ${hits} hits of the canary; ${sorted(outcomes)}`)
  failed([...failures, ...(hits === 0 ? [] : [`${hits} connections reached the canary`])])
}

async function answers(seed: number): Promise<void> {
  const { answers: count, hits, outcomes, failures } = await fuzzAnswers(counts.answers, seed)
  writeProofResult('fuzz answers', { answers: count, seed, failures: failures.length })
  console.log(`answers ${count}: ${hits} hits of the canary; ${sorted(outcomes)}`)
  failed([...failures, ...(hits === 0 ? [] : [`${hits} connections reached the canary`])])
}

async function programs(seed: number): Promise<void> {
  const all = function* (): Generator<string> {
    yield* writtenPrograms(WRITTEN)
    for (let number = 0; number < counts.programs && !isOver; number++) yield generatedProgram(seed, number)
  }
  const { programs: count, seconds, ends, slowestMs, residentBytes, failures } = await fuzzPrograms(all())
  const figures = `${Math.round(count / seconds)} a second, slowest ${Math.round(slowestMs)} ms, child at most ${residentBytes >> 20} MiB`
  const memory = { 'child MiB at most': residentBytes >> 20, 'slowest ms': Math.round(slowestMs) }
  writeProofResult('fuzz programs', { programs: count, seed, ...memory, failures: failures.length })
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
  writeProofResult('fuzz properties', { files: PROPERTY_FILES.length, times: counts.properties, seed, failures: status === 0 ? 0 : 1 })
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
