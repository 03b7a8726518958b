// Writes and flushes of a server to its data files, and the answers that it sends, recorded by `strace` in the order of the kernel.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Patience } from '../../support/patience.ts'
import { pause } from '../cluster/pause.ts'

/** Why system calls cannot be traced here; false when they can. */
export function straceMissing(): string | false {
  const { status } = spawnSync('strace', ['-f', '-o', '/dev/null', '-e', 'trace=none', 'true'])
  return status === 0 ? false : 'strace is not installed or may not trace processes here'
}

export interface DiskWrite {
  readonly kind: 'write'
  readonly file: string
  /** Null: at the end of the file. */
  readonly offset: number | null
  readonly bytes: Buffer
  /** The call returns when the bytes are on disk. */
  readonly isSync: boolean
  /** Lines of the recording with the start and the end of the call. */
  readonly startAt: number
  readonly endAt: number
}

export interface DiskFlush {
  readonly kind: 'flush'
  readonly file: string
  readonly startAt: number
  readonly endAt: number
}

/** An answer with 201 left the process. */
export interface AnswerSent {
  readonly kind: 'answer'
  /** Reference of the write in it. */
  readonly reference: string
  readonly startAt: number
}

export type DiskEvent = DiskWrite | DiskFlush | AnswerSent

const WRITES = ['write', 'pwrite64', 'writev', 'pwritev', 'pwritev2'] as const
const FLUSHES = ['fdatasync', 'fsync', 'msync', 'sync_file_range'] as const
const OTHERS = ['openat', 'lseek', 'sendto', 'sendmsg', 'ftruncate'] as const
const STRING_MAX_BYTES = 16 * 1024 * 1024
const END_LOOK_MS = 10
const END_MAX_MS = 30_000

/** The command that records a server, for `ServerOptions.wrapper`. The server is the direct child, the tracer is not. */
export function recorderCommand(output: string): readonly string[] {
  const calls = [...WRITES, ...FLUSHES, ...OTHERS].join(',')
  return [
    ...['strace', '-D', '-f', '--seccomp-bpf', '-q', '-y', '-xx', '-s', String(STRING_MAX_BYTES)],
    ...['-e', `trace=${calls}`, '-e', 'signal=none', '-e', 'abbrev=none', '-o', output],
  ]
}

/** Returns the recording, once the tracer has written its end. */
export async function readRecording(output: string, pid: number): Promise<DiskEvent[]> {
  const end = new RegExp(`^${pid} +\\+\\+\\+ (exited|killed)`, 'm')
  for (const patience = new Patience(END_MAX_MS); ; await pause(END_LOOK_MS)) {
    const text = readFileSync(output, 'latin1')
    if (end.test(text)) return parseRecording(text)
    if (patience.isOver) throw new Error('the recording has no end')
  }
}

/** A call whose arguments are known. */
interface Call {
  readonly name: string
  readonly args: string
  readonly startAt: number
}

export function parseRecording(text: string): DiskEvent[] {
  const parser = new RecordingParser()
  for (const [at, line] of text.split('\n').entries()) parser.take(line, at)
  return parser.events.sort((one, other) => one.startAt - other.startAt)
}

const LINE = /^(\d+) +(\w+)\((.*)$/
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/
const RESULT = /\) += (-?\d+|\?)(?:<([^>]*)>)?[^=]*$/
const UNFINISHED = ' <unfinished ...>'

interface Descriptor {
  /** Opened with O_DSYNC or O_SYNC. */
  readonly isSync: boolean
  /** Opened with O_APPEND. */
  readonly appends: boolean
  position: number
}

class RecordingParser {
  readonly events: DiskEvent[] = []
  readonly #unfinished = new Map<string, Call>()
  readonly #descriptors = new Map<number, Descriptor>()

  take(line: string, at: number): void {
    const resumed = RESUMED.exec(line)
    if (resumed !== null) {
      const [, pid = '', , rest = ''] = resumed
      const call = this.#unfinished.get(pid)
      this.#unfinished.delete(pid)
      if (call !== undefined) this.#finish(call, rest, at)
      return
    }
    const started = LINE.exec(line)
    if (started === null) return
    const [, pid = '', name = '', args = ''] = started
    const call = { name, args: args.endsWith(UNFINISHED) ? args.slice(0, -UNFINISHED.length) : args, startAt: at }
    if (name === 'sendto' || name === 'sendmsg') this.#answer(call)
    if (args.endsWith(UNFINISHED)) this.#unfinished.set(pid, call)
    else this.#finish(call, args, at)
  }

  #answer({ args, startAt }: Call): void {
    const text = stringsOf(args).toString('utf8')
    if (!text.includes('HTTP/1.1 201')) return
    for (const [, reference = ''] of text.matchAll(/"reference":"([^"]+)"/g)) this.events.push({ kind: 'answer', reference, startAt })
  }

  #finish({ name, args, startAt }: Call, rest: string, endAt: number): void {
    const [, resultText = '', opened = ''] = RESULT.exec(rest) ?? []
    const result = Number(resultText)
    if (name === 'openat') {
      // Of data files alone: other processes of the server have other files under the same numbers.
      if (result < 0 || dataFile(unescaped(opened).toString('utf8')) === null) return
      this.#descriptors.set(result, { isSync: /O_D?SYNC/.test(args), appends: args.includes('O_APPEND'), position: 0 })
      return
    }
    const [, number = '', path = ''] = /^(\d+)<([^>]*)>/.exec(args) ?? []
    const file = dataFile(unescaped(path).toString('utf8'))
    if (file === null) return
    if (name === 'ftruncate') throw new Error('a data file was cut: the images do not know cuts')
    const descriptor = this.#descriptors.get(Number(number))
    if (descriptor === undefined) throw new Error(`the data file ${file} was opened before the recording`)
    if (name === 'lseek') descriptor.position = result
    else if ((FLUSHES as readonly string[]).includes(name)) {
      if (result === 0) this.events.push({ kind: 'flush', file, startAt, endAt })
    } else if ((WRITES as readonly string[]).includes(name) && result > 0) {
      const bytes = stringsOf(args).subarray(0, result)
      const offset = offsetOf(name, args, descriptor)
      if (!name.startsWith('pwrite')) descriptor.position += result
      this.events.push({ kind: 'write', file, offset, bytes, isSync: descriptor.isSync, startAt, endAt })
    }
  }
}

/** `log` or `archive`; null for other files. */
function dataFile(path: string): string | null {
  return /\/(log|archive)\/data\.mdb$/.exec(path)?.[1] ?? null
}

/** Null for the end of the file. The offset of pwrite is its last argument; pwritev2 has flags behind it. */
function offsetOf(name: string, args: string, { appends, position }: Descriptor): number | null {
  if (!name.startsWith('pwrite')) return appends ? null : position
  const [, offset = 'NaN'] = (name === 'pwritev2' ? /, (\d+), [\w|]+\)/ : /, (\d+)(?:\) += .*)?$/).exec(args) ?? []
  const value = Number(offset)
  if (!Number.isSafeInteger(value)) throw new Error(`${name} without an offset: ${args.slice(-80)}`)
  return value
}

/** Bytes of all strings of the arguments, one after the other. */
function stringsOf(args: string): Buffer {
  const parts = args.split('"').flatMap((text, index) => (index % 2 === 1 ? [unescaped(text)] : []))
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

function unescaped(text: string): Buffer {
  return text.includes('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex') : Buffer.from(text)
}
