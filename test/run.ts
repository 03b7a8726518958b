// `npm test`: format and lint, types, the build for the servers that tests start, then every test/**/*.test.ts in node's own
// runner, whose summary comes last. Small test files share processes: loading the code costs more than most of them.
// With arguments (`npm test -- ledger wal/log`) only the test files whose path holds one of them, without the rest.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildDist, builtProgram } from '../http/app/dist.ts'
import { BUILT_SCRIPTS } from './support/built-scripts.ts'
import { TEST_HTTP_THREADS } from './support/http-threads.ts'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
/** Twice the cores of the smallest machine that this runs on: tests wait for deadlines and for servers for half of their time. */
const CONCURRENCY = 4
/** Maximum time of one process of test files. */
const TEST_TIMEOUT_MS = 480_000

interface Share {
  /** Start of the paths. */
  readonly paths: string
  readonly filesPerProcess: number
}

/** In the order of their start: the longest first. Files with a process of their own end processes, load the machine, or take long. */
const SHARES: readonly Share[] = [
  { paths: 'test/http/api/stream/http-attacks', filesPerProcess: 1 },
  { paths: 'test/wal/tools/', filesPerProcess: 1 },
  { paths: 'test/http/api/webhooks/deliveries', filesPerProcess: 1 },
  { paths: 'test/attack/', filesPerProcess: 1 },
  { paths: 'test/e2e/fuzz', filesPerProcess: 1 },
  { paths: 'test/e2e/cloned-engine', filesPerProcess: 1 },
  { paths: 'test/pages/', filesPerProcess: 3 },
  { paths: 'test/cluster/', filesPerProcess: 1 },
  { paths: 'test/crash/', filesPerProcess: 1 },
  { paths: 'test/sandbox-pool/', filesPerProcess: 4 },
  { paths: 'test/wal/', filesPerProcess: 3 },
  { paths: 'test/engine/simulator/', filesPerProcess: 1 },
  { paths: 'test/bench/', filesPerProcess: 2 },
  { paths: 'test/', filesPerProcess: 8 },
]

/** Files that run once more, with servers that have two HTTP threads. */
const WITH_HTTP_THREADS = [
  ...['answers', 'bodies', 'framing', 'cluster-request', 'late-auth', 'unseen-headers'].map((name) => `test/http/server/${name}.test.ts`),
  ...['http-stream', 'merchant-stream'].map((name) => `test/http/api/stream/${name}.test.ts`),
  'test/e2e/payouts.test.ts',
]

interface Step {
  readonly name: string
  readonly command: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
}

const CHECKS: readonly Step[] = [
  { name: 'biome', command: [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'tsc', command: [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'] },
]

const wanted = process.argv.slice(2)
const failed: string[] = []
for (const step of wanted.length === 0 ? CHECKS : []) run(step)
const built = (await buildDist(['test/support/cloned-server.ts'])).map((source) => [addressOf(source), builtProgram(source)])
const settings = { [BUILT_SCRIPTS]: JSON.stringify(Object.fromEntries(built)) }
const folder = mkdtempSync(join(tmpdir(), 'cauri-tests-'))
try {
  run({ ...testStep(wanted, folder), settings })
  if (wanted.length === 0) run({ ...testStep(WITH_HTTP_THREADS, folder), settings: { ...settings, [TEST_HTTP_THREADS]: '2' } })
} finally {
  rmSync(folder, { recursive: true })
}
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

/** All steps run, so that one look shows everything that is wrong. */
function run({ name, command, settings = {} }: Step): void {
  console.log(`── ${name}`)
  const env = { ...process.env, ...settings }
  const { status, error } = spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit', env })
  if (error !== undefined) throw error
  if (status !== 0) failed.push(name)
}

function testStep(parts: readonly string[], folder: string): Step {
  const files = testFiles('test').filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
  if (files.length === 0) throw new Error(`no test file matches ${parts.join(', ')}`)
  const options = [
    '--import',
    'tsx',
    '--import',
    addressOf('test/support/built-scripts.ts'),
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${CONCURRENCY}`,
    `--test-timeout=${TEST_TIMEOUT_MS}`,
  ]
  const entries = processesOf(files).map((group, index) => writeEntry(folder, index, group))
  return { name: `${files.length} test files in ${entries.length} processes`, command: [...options, ...entries] }
}

/** Returns the files of each process. A file belongs to the first row that has its path. */
function processesOf(files: readonly string[]): (readonly string[])[] {
  const rowOf = (path: string): Share | undefined => SHARES.find(({ paths }) => path.startsWith(paths))
  return SHARES.flatMap((row) => {
    const own = files.filter((path) => rowOf(path) === row)
    const count = Math.ceil(own.length / row.filesPerProcess)
    return Array.from({ length: count }, (_, index) => own.slice(index * row.filesPerProcess, (index + 1) * row.filesPerProcess))
  })
}

/** Returns the path of a new module that runs the files. */
function writeEntry(folder: string, index: number, files: readonly string[]): string {
  const calls = files.map((path) => `testFile(${JSON.stringify(path)}, ${JSON.stringify(addressOf(path))})`)
  const entry = join(folder, `${String(index).padStart(3, '0')}.mjs`)
  writeFileSync(entry, `import { testFile } from ${JSON.stringify(addressOf('test/support/test-file.ts'))}\n${calls.join('\n')}\n`)
  return entry
}

function addressOf(source: string): string {
  return pathToFileURL(join(ROOT, source)).href
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
