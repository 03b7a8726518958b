// One child process, from the server's side: starts it, reads its messages, and kills it at the first protocol violation. Trusts no
// message. The child never outlives the server.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { getPriority } from 'node:os'
import { execPath, getuid } from 'node:process'
import { fileURLToPath } from 'node:url'
import type { ChildSettings } from './child.ts'
import { Frames, framed } from './frames.ts'
import { CHILD_START_MS, COMPLAINT_LENGTH_MAX, FROM_CHILD_BYTES_MAX, HEARTBEAT_MS, HEARTBEATS_MISSED_MAX } from './limits.ts'
import { type FromChild, readFromChild, type ToChild, toChildBytes } from './messages.ts'
import { processorWaitMs } from './processor-wait.ts'
import { machineFiles, type Scripts } from './scripts.ts'

const ENTRY = fileURLToPath(new URL('./child-entry.js', import.meta.url))
const MACHINE_FILES = machineFiles()
/**
 * V8 counts the memory of machines as growth of the heap of their thread, which is small: by default it collects after every fourth
 * machine. 50 runs in a row take 400 ms of processor time with the default and 265 ms with this, in the same memory.
 */
const HEAP_FLAGS = ['--heap-growing-percent=200']

/** Files that the child must be able to read: Node, the entry script, and files of a package. */
export const CHILD_FILES: readonly string[] = [execPath, ENTRY, ...Object.values(MACHINE_FILES)]

export interface ChildMake {
  readonly threads: number
  readonly scripts: Scripts
  /** Command that starts `node` in its isolation layers; see confinement.ts. */
  readonly confinement: readonly string[]
}

export interface ChildListener {
  /** Never 'pong'. */
  readonly onMessage: (message: FromChild) => void
  /** Called once, as the last call. */
  readonly onEnd: (reason: string) => void
}

export class SandboxProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #listener: ChildListener
  readonly #frames = new Frames(FROM_CHILD_BYTES_MAX)
  /** Looks at the start, then sends the heartbeats. */
  #watch: NodeJS.Timeout
  /** Looks without a first message. */
  #looks = 0
  #isReady = false
  #waitedMs = 0
  /** Consecutive heartbeats without an answer. */
  #unanswered = 0
  #pingsUnderWay = 0
  #complaint = ''
  #killedFor: string | null = null
  #hasEnded = false

  /** Throws if the process cannot be started and Node reports that by an exception instead of an event. */
  constructor({ threads, scripts, confinement }: ChildMake, listener: ChildListener) {
    this.#listener = listener
    const [program = execPath, ...given] = [...confinement, execPath, ...HEAP_FLAGS, ENTRY]
    this.#child = spawn(program, given, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] })
    this.#watch = setInterval(() => this.#lookAtStart(), HEARTBEAT_MS)
    this.#child.on('error', (error) => {
      if (this.#child.pid === undefined) this.#end(error.message)
    })
    // Without free file descriptors Node makes no streams and only emits an error.
    if ((this.#child as Partial<ChildProcessWithoutNullStreams>).stdin === undefined) return
    this.#listen()
    const parent = { uid: getuid?.() ?? null, priority: getPriority() }
    const settings = { threads, parent, scripts, machineFiles: MACHINE_FILES } satisfies ChildSettings
    this.#write(Buffer.from(JSON.stringify(settings)))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  send(message: ToChild): void {
    this.#write(toChildBytes(message))
  }

  kill(reason: string): void {
    this.#killedFor ??= reason
    this.#child.kill('SIGKILL')
  }

  #write(content: Buffer): void {
    if (this.#killedFor === null && this.#child.stdin.writable) this.#child.stdin.write(framed(content))
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child
    stdin.on('error', () => {
      // The child has ended; `close` has the reason.
    })
    stdout.on('data', (piece: Buffer) => this.#read(piece))
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
    clearInterval(this.#watch)
    this.#listener.onEnd(reason)
  }

  #read(piece: Buffer): void {
    if (this.#killedFor !== null) return
    for (const frame of this.#complete(piece)) this.#take(frame)
  }

  #complete(piece: Buffer): readonly Buffer[] {
    try {
      return this.#frames.take(piece)
    } catch (error) {
      this.kill(`said ${(error as Error).message}`)
      return []
    }
  }

  #take(frame: Buffer): void {
    if (this.#killedFor !== null) return
    const message = readFromChild(frame)
    if (message === null) return this.kill('said something that is no message')
    if (message.type === 'pong') {
      if (this.#pingsUnderWay === 0) return this.kill('answers what it was not asked')
      this.#pingsUnderWay -= 1
      this.#unanswered = 0
      return
    }
    if (message.type === 'ready') this.#startHeartbeat()
    this.#listener.onMessage(message)
  }

  #lookAtStart(): void {
    if (!this.#isStarved()) this.#looks += 1
    if (this.#looks * HEARTBEAT_MS >= CHILD_START_MS) this.kill('did not start in time')
  }

  #startHeartbeat(): void {
    if (this.#isReady) return
    this.#isReady = true
    clearInterval(this.#watch)
    this.#watch = setInterval(() => {
      if (this.#isStarved() && this.#unanswered > 0) return
      if (this.#unanswered >= HEARTBEATS_MISSED_MAX) return this.kill('does not answer any more')
      this.#unanswered += 1
      this.#pingsUnderWay += 1
      this.send({ type: 'ping' })
    }, HEARTBEAT_MS)
  }

  /** It waited for a processor most of the time since the last look. On a machine that is full, another child would start no sooner. */
  #isStarved(): boolean {
    const waitedMs = processorWaitMs(this.pid)
    const isStarved = waitedMs - this.#waitedMs > HEARTBEAT_MS / 2
    this.#waitedMs = waitedMs
    return isStarved
  }
}
