// One life of the child, seen from the server: started, listened to, killed at the first thing that is not as it should be.
// Trusts nothing that it says; never lives longer than the server.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { getPriority } from 'node:os'
import { execPath, getuid } from 'node:process'
import { fileURLToPath } from 'node:url'
import type { ChildSettings } from './child.ts'
import {
  CHILD_START_MS,
  COMPLAINT_LENGTH_MAX,
  HEARTBEAT_MS,
  HEARTBEATS_MISSED_MAX,
  LENGTH_PER_BEAT_MAX,
  LINES_PER_BEAT_MAX,
} from './limits.ts'
import { Lines } from './lines.ts'
import { type FromChild, readFromChild, type ToChild } from './messages.ts'
import { machineFiles, type Scripts } from './scripts.ts'

const ENTRY = fileURLToPath(new URL('./child-entry.js', import.meta.url))
const MACHINE_FILES = machineFiles()

/** What the child must be able to read: Node, files of ours, files of a package. */
export const CHILD_FILES: readonly string[] = [execPath, ENTRY, ...Object.values(MACHINE_FILES)]

export interface ChildMake {
  readonly threads: number
  readonly scripts: Scripts
  /** The command before `node`; see confinement.ts. */
  readonly confinement: readonly string[]
}

export interface ChildListener {
  /** Never 'pong'. */
  readonly onMessage: (message: FromChild) => void
  /** Once, last. */
  readonly onEnd: (reason: string) => void
}

export class SandboxProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #listener: ChildListener
  readonly #lines = new Lines()
  readonly #startTimer: NodeJS.Timeout
  #heartbeat: NodeJS.Timeout | null = null
  #unanswered = 0
  #linesThisBeat = 0
  #lengthThisBeat = 0
  #complaint = ''
  #killedFor: string | null = null
  #hasEnded = false

  /** Throws where the system refuses to start a process in a way that Node does not tell by an event. */
  constructor({ threads, scripts, confinement }: ChildMake, listener: ChildListener) {
    this.#listener = listener
    const [program = execPath, ...given] = [...confinement, execPath, ENTRY]
    this.#child = spawn(program, given, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] })
    this.#startTimer = setTimeout(() => this.kill('did not start in time'), CHILD_START_MS)
    this.#child.on('error', (error) => {
      if (this.#child.pid === undefined) this.#end(error.message)
    })
    // Without file descriptors to spare there are no streams, and nothing but the error is ever heard.
    if ((this.#child as Partial<ChildProcessWithoutNullStreams>).stdin === undefined) return
    this.#listen()
    const parent = { uid: getuid?.() ?? null, priority: getPriority() }
    this.#write({ threads, parent, scripts, machineFiles: MACHINE_FILES } satisfies ChildSettings)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  send(message: ToChild): void {
    this.#write(message)
  }

  kill(reason: string): void {
    this.#killedFor ??= reason
    this.#child.kill('SIGKILL')
  }

  #write(value: ToChild | ChildSettings): void {
    if (this.#killedFor === null && this.#child.stdin.writable) this.#child.stdin.write(`${JSON.stringify(value)}\n`)
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child
    stdin.on('error', () => {
      // It has ended; `close` tells why.
    })
    stdout.setEncoding('utf8').on('data', (piece: string) => this.#read(piece))
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(0, COMPLAINT_LENGTH_MAX)
    })
    this.#child.on('close', (code, signal) => {
      const ended = signal === null ? `exited with ${code}` : `was ended by ${signal}`
      const complaint = this.#complaint.trim()
      this.#end(this.#killedFor ?? (complaint === '' ? ended : `${ended}: ${complaint}`))
    })
  }

  #end(reason: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#startTimer)
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat)
    this.#listener.onEnd(reason)
  }

  #read(piece: string): void {
    if (this.#killedFor !== null) return
    this.#lengthThisBeat += piece.length
    if (this.#lengthThisBeat > LENGTH_PER_BEAT_MAX) return this.kill('says too much')
    for (const line of this.#complete(piece)) this.#take(line)
  }

  #complete(piece: string): readonly string[] {
    try {
      return this.#lines.take(piece)
    } catch (error) {
      this.kill(`said ${(error as Error).message}`)
      return []
    }
  }

  #take(line: string): void {
    if (this.#killedFor !== null) return
    this.#linesThisBeat += 1
    if (this.#linesThisBeat > LINES_PER_BEAT_MAX) return this.kill('says too much')
    const message = readFromChild(line)
    if (message === null) return this.kill('said something that is no message')
    if (message.type === 'pong') {
      this.#unanswered = 0
      return
    }
    if (message.type === 'ready') this.#startHeartbeat()
    this.#listener.onMessage(message)
  }

  #startHeartbeat(): void {
    clearTimeout(this.#startTimer)
    this.#heartbeat ??= setInterval(() => {
      if (this.#unanswered >= HEARTBEATS_MISSED_MAX) return this.kill('does not answer any more')
      this.#unanswered += 1
      this.#linesThisBeat = 0
      this.#lengthThisBeat = 0
      this.send({ type: 'ping' })
    }, HEARTBEAT_MS)
  }
}
