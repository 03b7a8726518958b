// `npm test`: format and lint, types, the build for the servers that tests start, then every test/**/*.test.ts in node's own
// runner, whose summary comes last.
// With arguments (`npm test -- ledger wal/log`) only the test files whose path holds one of them, without the rest.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDist, builtProgram } from '../http/app/dist.ts'
import { BUILT_SERVER } from './support/server-process.ts'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
/** One more than the machines that this runs on have cores: many tests wait, for a deadline or for a server to start. */
const CONCURRENCY = 3
/** A test that waits for ever fails, with its name. */
const TEST_TIMEOUT_MS = 240_000

interface Step {
  readonly name: string
  readonly command: readonly string[]
}

const CHECKS: readonly Step[] = [
  { name: 'biome', command: [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'tsc', command: [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'] },
]

const wanted = process.argv.slice(2)
const failed: string[] = []
for (const step of wanted.length === 0 ? CHECKS : []) run(step)
await buildDist()
run(testStep(wanted))
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

/** All steps run, so that one look shows everything that is wrong. */
function run({ name, command }: Step): void {
  console.log(`── ${name}`)
  const env = { ...process.env, [BUILT_SERVER]: builtProgram('http/main.ts') }
  const { status, error } = spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit', env })
  if (error !== undefined) throw error
  if (status !== 0) failed.push(name)
}

function testStep(parts: readonly string[]): Step {
  const files = testFiles('test').filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
  if (files.length === 0) throw new Error(`no test file matches ${parts.join(', ')}`)
  const options = [
    '--import',
    'tsx',
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${CONCURRENCY}`,
    `--test-timeout=${TEST_TIMEOUT_MS}`,
  ]
  return { name: `${files.length} test files`, command: [...options, ...files] }
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
