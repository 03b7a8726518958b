// `npm run audit`: asks the registry for known weaknesses of the locked packages that run in production. Ends with 1 for one that is high
// or critical. A registry that does not answer the question ends with 0 and says so: it says nothing about the packages.
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
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>
}

/** Reads the output of `npm audit --json`, which is another JSON text, or none, when the registry does not answer. */
export function auditVerdict(output: string): AuditVerdict {
  const vulnerabilities = reportOf(output).vulnerabilities
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
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
    encoding: 'utf8',
    timeout: AUDIT_TIMEOUT_MS,
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  const { lines, fails } = auditVerdict(stdout ?? '')
  for (const line of lines) console.log(line)
  if (fails) process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run()
