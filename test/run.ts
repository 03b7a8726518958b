// `npm test`: the test/**/*.test.ts that a change needs to be trusted, in node's own runner, beside format, lint and types, whose output comes
// last. `npm run proofs` (`--proofs`): the others, which are the short forms of the proofs. Servers and test files run from bundles, and
// small test files share processes: loading the code costs more than most of them. Up to three files that fail run once more, alone.
// With arguments (`npm test -- ledger wal/log`) only the test files whose path holds one of them, proofs too, without the rest.
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { buildDist, builtProgram } from '../http/app/dist.ts'
import { SCRIPTS_FILE } from '../sandbox-pool/scripts.ts'
import { BUILT_SCRIPTS, QUICK_SCRYPT } from './support/built-scripts.ts'
import { TEST_HTTP_THREADS } from './support/http-threads.ts'
import { bundleTests } from './support/test-bundles.ts'
import { SHARES } from './support/test-shares.ts'
import { processorMs, TEST_TIMES, timesTable } from './support/test-times.ts'
import { TEST_TIME_ZONE } from './support/time-zone.ts'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const CACHE = join(ROOT, 'node_modules', '.cache')
const FOLDERS = 'tests-'
const REPORTER = 'failed-files'
/** Kept after the run. */
const TIMES = join(CACHE, 'test-times.jsonl')
/** Rows of the table of the dearest files. */
const TIMES_ROWS_MAX = 20
/** Twice the cores of the smallest machine that this runs on: tests wait for deadlines and for servers for half of their time. */
const CONCURRENCY = 4
/** More failed files than these, or processes that ended early, are no machine that was busy. */
const AGAIN_MAX = 3
/** Maximum time of one process of test files, for a machine that does ten times as much beside: only what hangs is ended. */
const PROCESS_MAX_MS = 3_600_000

/**
 * Loads Node's own undici first: `fetch` takes the dispatcher of the one that is loaded first, and that of the package, 7, ends a process where
 * a connection closes behind a body that is not read yet (nodejs/undici#5360).
 */
const OWN_FETCH = 'data:text/javascript,new%20Response()'

interface TestProcess {
  readonly files: readonly string[]
  /** Beside the environment. */
  readonly settings: Readonly<Record<string, string>>
}

/**
 * Short forms of the proofs: simulation, crashes, images of disks, attacks, hostile code, cluster rounds, fuzz, the model of rules, documents in
 * other languages, the packed SDK, every page in every look, the tools of PostgreSQL, and the alerts in a Prometheus.
 */
const PROOFS = [
  ...['simulate/simulate', 'attack/', 'crash/', 'cluster/', 'fuzz/', 'model/', 'runtimes/'].map((name) => `test/proof/${name}`),
  ...['bills/crash', 'bills/kill-before-start', 'mandates/crash', 'webhooks/restart'].map((name) => `test/http/api/${name}`),
  'test/architecture/audit',
  ...['app/npm-start', 'app/prometheus', 'app/rotate-master-key', 'server/threads/thread-process', 'workers/gateways/crash'].map(
    (name) => `test/http/${name}`,
  ),
  ...['crossing', 'hostile-globals', 'hostile-memory', 'hostile-time', 'many-runs'].map((name) => `test/sandbox-pool/${name}`),
  ...['docs-examples', 'signature-examples', 'client-faults', 'every-page', 'operator-cluster', 'shop-days'].map(
    (name) => `test/pages/${name}`,
  ),
  ...['openapi/client-types', 'openapi/generated-clients', 'openapi/merchant-clients', 'client/samples'].map((name) => `test/http/${name}`),
  'test/wal/cluster/cluster-node',
  ...['test/e2e/cloned-engine', 'test/wal/folder/damage', 'test/wal/tools/log-copy', 'test/wal/tools/postgres-tools'],
]

/** Files that run once more with the proofs, with servers that have two HTTP threads. */
const WITH_HTTP_THREADS = [
  ...['answers', 'bodies', 'framing', 'steps/cluster', 'late-auth', 'unseen-headers'].map((name) => `test/http/server/${name}.test.ts`),
  ...['http-stream', 'merchant-stream'].map((name) => `test/http/api/stream/${name}.test.ts`),
  'test/e2e/payouts.test.ts',
]

interface Step {
  readonly name: string
  readonly command: readonly string[]
}

/** A file of its own: tsc does not read the other's. */
const TYPES_NOTES = ['--tsBuildInfoFile', join('node_modules', '.cache', 'typescript', 'native.tsbuildinfo')]

const CHECKS: readonly Step[] = [
  { name: 'biome', command: [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.'] },
  // TypeScript's native compiler: a tenth of the processor time, and with threads twice that. `.ci/run` asks tsc too, whose verdict counts.
  {
    name: 'types',
    command: [join('node_modules', '@typescript', 'native-preview', 'bin', 'tsgo'), '-p', '.', '--singleThreaded', ...TYPES_NOTES],
  },
]

/** Programs beside those of dist/. */
const PROGRAMS = ['test/support/cloned-server.ts', 'test/proof/crash/damage-child.ts', 'test/proof/crash/image-child.ts']
const SCRYPT_WORKER = 'http/crypto/scrypt-worker.ts'
const QUICK_SCRYPT_WORKER = 'test/support/quick-scrypt-worker.ts'
/** In servers that tests start. Tests of scrypt itself run the real script. */
const STAND_INS = { [SCRYPT_WORKER]: QUICK_SCRYPT_WORKER }
/** Scripts that tests start in processes of their own, beside those of dist/. */
const CHILDREN = [
  SCRYPT_WORKER,
  'test/proof/attack/attacker.ts',
  'test/proof/cluster/simulator/main.ts',
  'test/engine/golden-write.ts',
  'test/proof/simulate/job.ts',
  'test/proof/simulate/main.ts',
  'test/support/sandbox-children/one-run.ts',
  ...['append', 'end-inside-write', 'hold-folder', 'index', 'rotate', 'store-segment'].map(
    (name) => `test/support/wal-children/${name}.ts`,
  ),
]

const { values: mode, positionals: wanted } = parseArgs({
  options: { proofs: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const isWhole = wanted.length === 0 && !mode.proofs
const checks = isWhole ? CHECKS.map(check) : []
const failed: string[] = []
const folder = ownFolder()
const times = join(folder, basename(TIMES))
try {
  const processes = processesOf(testFiles('test').filter(isWanted))
  if (processes.length === 0) throw new Error(`no test file matches ${wanted.join(', ')}`)
  const isOfAllProofs = mode.proofs && wanted.length === 0
  const again = isOfAllProofs ? processesOf(WITH_HTTP_THREADS, { [TEST_HTTP_THREADS]: '2' }) : []
  const all = [...again, ...processes]
  const failedProcesses = await runTests(all)
  if (failedProcesses.length > 0 && !(await passAlone(failedProcesses))) failed.push('tests')
  copyFileSync(times, TIMES)
} finally {
  rmSync(folder, { recursive: true })
}
for (const { name, output, status } of await Promise.all(checks)) {
  console.log(`── ${name}\n${output}`)
  if (status !== 0) failed.push(name)
}
console.log(`── ${Math.round(processorMs() / 1000)} s of processor time, ${Math.round(performance.now() / 1000)} s of wall time`)
console.log(timesTable(readFileSync(TIMES, 'utf8'), TIMES_ROWS_MAX))
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

function isWanted(path: string): boolean {
  if (wanted.length > 0) return wanted.some((part) => path.includes(part))
  return PROOFS.some((start) => path.startsWith(start)) === mode.proofs
}

/** Makes the folder of the bundles, named by this process, and removes those that killed runs have left. */
function ownFolder(): string {
  mkdirSync(CACHE, { recursive: true })
  const left = readdirSync(CACHE).filter((name) => name.startsWith(FOLDERS) && !isAlive(Number(name.slice(FOLDERS.length))))
  for (const name of left) rmSync(join(CACHE, name), { recursive: true })
  const own = join(CACHE, `${FOLDERS}${process.pid}`)
  mkdirSync(own)
  return own
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // ESRCH: there is no such process any more.
    return false
  }
}

/** Runs beside the tests; its output is printed behind theirs. */
async function check({ name, command }: Step): Promise<{ readonly name: string; readonly output: string; readonly status: number | null }> {
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)])
  return { name, output: output + errors, status }
}

/**
 * Runs what failed once more, one file after the other, and resolves whether all of it passes now: a machine that was busy fails no change.
 * The first failure stays in the output, and the files are named.
 */
async function passAlone(processes: readonly TestProcess[]): Promise<boolean> {
  const isNamed = wanted.length > 0
  if (isNamed || processes.length > AGAIN_MAX) return false
  console.log(`── once more, alone: ${namesOf(processes)}`)
  const stillFailed = await runTests(processes, 1)
  if (stillFailed.length === 0) console.log(`── passed alone, so their waits are to be mended: ${namesOf(processes)}`)
  else console.log(`── failed alone too: ${namesOf(stillFailed)}`)
  return stillFailed.length === 0
}

function namesOf(processes: readonly TestProcess[]): string {
  return processes.flatMap(({ files }) => files).join(', ')
}

/** Resolves with the failed files, each as a process of its own. */
async function runTests(processes: readonly TestProcess[], concurrency = CONCURRENCY): Promise<readonly TestProcess[]> {
  const bundled = Object.fromEntries(processes.map((one, index) => [bundleName(index), writeEntry(one, index)]))
  const children = CHILDREN.map((source, index) => [source, `child-${index}`] as const)
  const target = join(folder, 'dist')
  const dist = await buildDist({ further: PROGRAMS, target, standIns: STAND_INS })
  await bundleTests(folder, {
    ...bundled,
    [REPORTER]: join(ROOT, 'test/support/failed-files-reporter.ts'),
    ...Object.fromEntries(children.map(([source, name]) => [name, join(ROOT, source)])),
  })
  const built = [
    ...dist.map((source) => [source, builtProgram(source, target)]),
    ...children.map(([source, name]) => [source, bundleOf(name)]),
  ]
  const scripts = {
    ...Object.fromEntries(built.map(([source = '', path]) => [pathToFileURL(join(ROOT, source)).href, path])),
    [pathToFileURL(join(ROOT, 'sandbox-pool', SCRIPTS_FILE)).href]: join(target, 'sandbox-pool', SCRIPTS_FILE),
    [QUICK_SCRYPT]: builtProgram(QUICK_SCRYPT_WORKER, target),
  }
  const count = new Set(processes.flatMap(({ files }) => files)).size
  console.log(`── ${count} test files in ${processes.length} processes`)
  const failures = join(folder, 'failures')
  const options = [
    '--enable-source-maps',
    `--import=${OWN_FETCH}`,
    '--test',
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${pathToFileURL(bundleOf(REPORTER))}`, `--test-reporter-destination=${failures}`],
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${PROCESS_MAX_MS}`,
  ]
  const env = { ...process.env, TZ: TEST_TIME_ZONE, [TEST_TIMES]: times, [BUILT_SCRIPTS]: JSON.stringify(scripts) }
  const status = await ended(
    spawn(process.execPath, [...options, ...Object.keys(bundled).map(bundleOf)], { cwd: ROOT, stdio: 'inherit', env }),
  )
  return status === 0 ? [] : failedOf(processes, readFileSync(failures, 'utf8').split('\n').filter(Boolean))
}

/** Names are of files or, where a process ended early, of bundles: then all of its files failed. What nothing names failed as a whole. */
function failedOf(processes: readonly TestProcess[], names: readonly string[]): readonly TestProcess[] {
  const named = processes.flatMap((one, index) => {
    if (names.some((name) => name.endsWith(basename(bundleOf(bundleName(index)))))) return [one]
    const { files, settings } = one
    return files.filter((path) => names.includes(titleOf(path, settings))).map((path) => ({ files: [path], settings }))
  })
  return named.length === 0 ? processes : named
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
}

/** Node.js starts test files in the order of their names. */
function bundleName(index: number): string {
  return `process-${String(index).padStart(3, '0')}`
}

function titleOf(path: string, settings: TestProcess['settings']): string {
  return [path, ...Object.values(settings)].join(', HTTP threads: ')
}

function bundleOf(name: string): string {
  return join(folder, `${name}.mjs`)
}

/** A file belongs to the first row that has its path. */
function processesOf(files: readonly string[], settings: TestProcess['settings'] = {}): TestProcess[] {
  const rowOf = (path: string) => SHARES.find(({ paths }) => path.startsWith(paths))
  return SHARES.flatMap((row) => {
    const own = files.filter((path) => rowOf(path) === row)
    const count = Math.ceil(own.length / row.filesPerProcess)
    const share = (index: number): string[] => own.slice(index * row.filesPerProcess, (index + 1) * row.filesPerProcess)
    return Array.from({ length: count }, (_, index) => ({ files: share(index), settings }))
  })
}

/** Returns the path of a new module that runs the files. */
function writeEntry({ files, settings }: TestProcess, index: number): string {
  const from = (path: string): string => JSON.stringify(join(ROOT, path))
  const lines = [
    `import ${from('test/support/built-scripts.ts')}`,
    `import { testFile } from ${from('test/support/test-file.ts')}`,
    `Object.assign(process.env, ${JSON.stringify(settings)})`,
    ...files.map((path) => `testFile(${JSON.stringify(titleOf(path, settings))}, () => import(${from(path)}))`),
  ]
  const entry = join(folder, `entry-${index}.ts`)
  writeFileSync(entry, lines.join('\n'))
  return entry
}

/** Listed here, because `node --test` of Node 20 knows no patterns. */
function testFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return testFiles(path)
      return entry.name.endsWith('.test.ts') ? [path] : []
    })
    .sort()
}
