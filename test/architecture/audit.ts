// `npm run audit`: asks the registry for known weaknesses of the locked packages that run in production. Ends with 1 for one that is high
// or critical, and when npm could not ask, as without a lock file. A registry that does not answer ends with 0, and the output says so.
import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'

const AUDIT_TIMEOUT_MS = 60_000
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024
const FAILING: ReadonlySet<string> = new Set(['high', 'critical'])

export interface AuditVerdict {
  /** Lines for the reader. */
  readonly lines: readonly string[]
  readonly fails: boolean
}

interface AuditReport {
  /** What went wrong between npm and the registry. */
  readonly message?: string
  /** Beside no `message`: what npm misses here. */
  readonly error?: { readonly code?: string; readonly summary?: string }
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>
}

/** Reads the output of `npm audit --json`, which is another JSON text, or none, when the registry does not answer. */
export function auditVerdict(output: string): AuditVerdict {
  const { vulnerabilities, message, error } = reportOf(output)
  if (message === undefined && error?.code !== undefined) return { lines: [`audit: npm could not ask: ${error.summary}`], fails: true }
  if (vulnerabilities === undefined) return { lines: ['audit: the registry did not answer; nothing was checked'], fails: false }
  const found = Object.entries(vulnerabilities)
  return {
    lines: [
      ...found.map(([name, { severity, range }]) => `audit: ${severity}: ${name} ${range}`),
      `audit: ${found.length} known weaknesses in packages of production`,
    ],
    fails: found.some(([, { severity }]) => FAILING.has(severity)),
  }
}

function reportOf(output: string): AuditReport {
  try {
    return JSON.parse(output) as AuditReport
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function run(): void {
  const { stdout, error } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
    encoding: 'utf8',
    timeout: AUDIT_TIMEOUT_MS,
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  if (error !== undefined && (error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw error
  const { lines, fails } = auditVerdict(stdout)
  for (const line of lines) console.log(line)
  if (fails) process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run()
