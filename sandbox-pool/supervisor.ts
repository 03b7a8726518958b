// Keeps one child alive: starts it on demand and restarts it when it has ended, with exponential backoff for children that end early.
import { CHILD_FILES, type ChildMake, SandboxProcess } from './child-process.ts'
import { findConfinement } from './confinement.ts'
import type { SandboxLayers } from './layers.ts'
import { CHILD_STABLE_MS, RESPAWN_MAX_MS, RESPAWN_MIN_MS, RESPAWN_PATIENCE } from './limits.ts'
import type { FromChild } from './messages.ts'
import { threadsMax } from './placement.ts'
import { loadScripts } from './scripts.ts'

/** Events for logs and metrics. They need no action. */
export type SandboxEvent =
  | { readonly type: 'ready'; readonly pid: number; readonly layers: SandboxLayers; readonly startMs: number }
  | { readonly type: 'lost'; readonly reason: string; readonly restartInMs: number }
  /** The scripts could not be compiled, so there will be no child. Runs are rejected. */
  | { readonly type: 'failed'; readonly error: unknown }
  /** A fetch broker rejected, which is a bug. */
  | { readonly type: 'broker_failed'; readonly error: unknown }

export interface SupervisorListener {
  readonly onReady: () => void
  /** Receives messages other than 'pong' and 'ready'. */
  readonly onMessage: (message: FromChild) => void
  /** Called when the child ended: all its runs are lost. */
  readonly onLost: () => void
  readonly onEvent: (event: SandboxEvent) => void
}

export class Supervisor {
  readonly #threads: number
  readonly #listener: SupervisorListener
  /** Null until the first start. */
  #make: Promise<ChildMake> | null = null
  #process: SandboxProcess | null = null
  #layers: SandboxLayers | null = null
  #isReady = false
  #isClosed = false
  #failures = 0
  #restart: NodeJS.Timeout | null = null
  #onGone: () => void = () => {}

  constructor(threads: number, listener: SupervisorListener) {
    this.#threads = threads
    this.#listener = listener
  }

  /** Starts the first child, once. */
  start(): void {
    if (this.#make !== null || this.#isClosed) return
    this.#make = makeOf(this.#threads)
    this.#make.then(
      (make) => this.#spawn(make),
      (error: unknown) => {
        this.#failures = RESPAWN_PATIENCE
        this.#listener.onEvent({ type: 'failed', error })
        this.#listener.onLost()
      },
    )
  }

  /** The child if it accepts runs, else null. */
  get child(): SandboxProcess | null {
    return this.#isReady ? this.#process : null
  }

  /** Whether no child is ready and several in a row ended early. */
  get isHopeless(): boolean {
    return !this.#isReady && this.#failures >= RESPAWN_PATIENCE
  }

  /** Layers of the last child that was ready. */
  get layers(): SandboxLayers | null {
    return this.#layers
  }

  /** Ends the child. Resolves when it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#restart !== null) clearTimeout(this.#restart)
    await this.#make?.catch(() => {
      // The supervisor has reported this failure by `onEvent`.
    })
    const child = this.#process
    if (child === null) return
    const gone = new Promise<void>((resolve) => {
      this.#onGone = resolve
    })
    child.kill('is not needed any more')
    await gone
  }

  #spawn(make: ChildMake): void {
    if (this.#isClosed) return
    const startedMs = performance.now()
    const onMessage = (message: FromChild): void => {
      if (message.type !== 'ready') this.#listener.onMessage(message)
      else this.#becomeReady(message.layers, startedMs)
    }
    try {
      this.#process = new SandboxProcess(make, { onMessage, onEnd: (reason) => this.#lose(make, reason, startedMs) })
    } catch (error) {
      // The system cannot start a process now; a later attempt may succeed.
      this.#lose(make, (error as Error).message, startedMs)
    }
  }

  #becomeReady(layers: SandboxLayers, startedMs: number): void {
    if (this.#isReady) return
    this.#isReady = true
    this.#layers = layers
    const startMs = Math.round(performance.now() - startedMs)
    this.#listener.onEvent({ type: 'ready', pid: this.#process?.pid ?? 0, layers, startMs })
    this.#listener.onReady()
  }

  #lose(make: ChildMake, reason: string, startedMs: number): void {
    const lasted = this.#isReady && performance.now() - startedMs >= CHILD_STABLE_MS
    this.#process = null
    this.#isReady = false
    this.#onGone()
    if (this.#isClosed) return
    const restartInMs = lasted ? RESPAWN_MIN_MS : Math.min(RESPAWN_MAX_MS, RESPAWN_MIN_MS * 2 ** this.#failures)
    this.#failures = lasted ? 0 : this.#failures + 1
    this.#restart = setTimeout(() => this.#spawn(make), restartInMs)
    this.#listener.onEvent({ type: 'lost', reason, restartInMs })
    this.#listener.onLost()
  }
}

/** Makes the options of the child, once for all children. */
async function makeOf(threads: number): Promise<ChildMake> {
  const [scripts, confinement] = await Promise.all([loadScripts(), findConfinement(threadsMax(threads), CHILD_FILES)])
  return { threads, scripts, confinement }
}
