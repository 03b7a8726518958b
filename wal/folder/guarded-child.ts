// Runs a script in a child process, because reading a damaged LMDB file may crash the process. Returns the end of the child,
// a crash included, as a value.
import { spawn } from 'node:child_process'
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { CHILD_COMPLAINT_BYTES } from '../limits.ts'

export interface ChildEnd {
  /** JSON values that it printed, one per line. */
  readonly lines: readonly unknown[]
  readonly exitCode: number | null
  /** Signal that ended it, e.g. SIGBUS; null when it exited. */
  readonly signal: string | null
  /** Start of its standard error. */
  readonly complaint: string
}

/**
 * Runs the script. `onLine` receives each line immediately. Its standard input ends with this process, so a script that writes can end
 * then too. Rejects only if no process could be started.
 */
export function runGuarded(script: URL, args: readonly string[], onLine: (line: unknown) => void = () => {}): Promise<ChildEnd> {
  const child = spawn(process.execPath, [...processEntry(script), ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  const lines: unknown[] = []
  let complaint = ''
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() as string
    for (const part of parts) {
      const line: unknown = JSON.parse(part)
      lines.push(line)
      onLine(line)
    }
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < CHILD_COMPLAINT_BYTES) complaint += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => resolve({ lines, exitCode, signal, complaint: complaint.trim() }))
  })
}

/** Returns the end of the process as text for a message. */
export function describeEnd(end: ChildEnd): string {
  return end.signal === null
    ? `it exited with ${end.exitCode}${end.complaint === '' ? '' : `: ${lastLine(end.complaint)}`}`
    : `it was ended by ${end.signal}`
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1)
}
