// A server whose calls to one data file are traced by `strace`, and one of which fails: with an error, or as a write that was cut short.
import { readFileSync } from 'node:fs'
import { Patience } from '../../support/patience.ts'
import { pause } from '../cluster/pause.ts'

export type CallName = 'write' | 'pwrite64' | 'pwritev' | 'writev' | 'fdatasync'

/** Names of strace's injection: an error, or a result that is less than what was to be written. */
export const ERRORS = ['EIO', 'ENOSPC', 'short'] as const
export type InjectedError = (typeof ERRORS)[number]

export interface FailingCall {
  readonly name: CallName
  /** Among the calls of this name on one thread. */
  readonly nth: number
  readonly error: InjectedError
}

export interface TracedCall {
  readonly name: CallName
  /** Time of day in seconds at which the call began. */
  readonly seconds: number
  readonly isInjected: boolean
}

const CALLS_MAX_MS = 10_000
const LOOK_MS = 5

/** The command that traces a server, for `ServerOptions.wrapper`. The server is the direct child, the tracer is not. */
export function tracerCommand(output: string, file: string, names: readonly CallName[], failing: FailingCall | null): readonly string[] {
  const common = ['strace', '-D', '-f', '--seccomp-bpf', '-q', '-ttt', '-P', file, '-s', '0', '-e', 'signal=none', '-o', output]
  return [...common, '-e', `trace=${names.join(',')}`, ...(failing === null ? [] : ['-e', injectionOf(failing)])]
}

/** Returns the calls so far, once they are enough, or after a maximum time. */
export async function readCalls(output: string, isEnough: (calls: readonly TracedCall[]) => boolean): Promise<readonly TracedCall[]> {
  for (const patience = new Patience(CALLS_MAX_MS); ; await pause(LOOK_MS)) {
    const calls = readFileSync(output, 'latin1').split('\n').flatMap(callOf)
    if (isEnough(calls) || patience.isOver) return calls
  }
}

/** A flush has no short result: it fails with a third error. */
function injectionOf({ name, nth, error }: FailingCall): string {
  const what = error !== 'short' ? `error=${error}` : name === 'fdatasync' ? 'error=EDQUOT' : 'retval=512'
  return `inject=${name}:${what}:when=${nth}`
}

function callOf(line: string): TracedCall[] {
  const [, seconds = '', name = ''] = /^\d+ +(\d+\.\d+) (?:<\.\.\. )?(write|pwrite64|pwritev|writev|fdatasync)\b/.exec(line) ?? []
  const isEnd = / = -?\d+/.test(line)
  return name === '' || !isEnd ? [] : [{ name: name as CallName, seconds: Number(seconds), isInjected: line.includes('(INJECTED') }]
}
