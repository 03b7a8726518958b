// Keeps one child alive: starts it when it is first needed, starts the next one when it is gone, waits longer each time that
// one does not last.
import { CHILD_FILES, type ChildMake, SandboxProcess } from './child-process.ts'
import { findConfinement } from './confinement.ts'
import type { SandboxLayers } from './layers.ts'
import { CHILD_STABLE_MS, RESPAWN_MAX_MS, RESPAWN_MIN_MS, RESPAWN_PATIENCE } from './limits.ts'
import type { FromChild } from './messages.ts'
import { threadsMax } from './placement.ts'
import { loadScripts } from './scripts.ts'

/** For logs and metrics; nothing has to be done about them. */
export type SandboxEvent =
  | { readonly type: 'ready'; readonly pid: number; readonly layers: SandboxLayers; readonly startMs: number }
  | { readonly type: 'lost'; readonly reason: string; readonly restartInMs: number }
  /** There is no child and there will be none: its scripts could not be made. Runs are refused. */
  | { readonly type: 'failed'; readonly error: unknown }
  /** A fetch broker rejected, which it never should. */
  | { readonly type: 'broker_failed'; readonly error: unknown }

export interface SupervisorListener {
  readonly onReady: () => void
  /** Neither 'pong' nor 'ready'. */
  readonly onMessage: (message: FromChild) => void
  /** Everything that the child had under way is lost. */
  readonly onLost: () => void
  readonly onEvent: (event: SandboxEvent) => void
}

export class Supervisor {
  readonly #threads: number
  readonly #listener: SupervisorListener
  /** Null until it is needed. */
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

  /** The child, when it takes runs. */
  get child(): SandboxProcess | null {
    return this.#isReady ? this.#process : null
  }

  /** No child is ready, and several in a row did not last. */
  get isHopeless(): boolean {
    return !this.#isReady && this.#failures >= RESPAWN_PATIENCE
  }

  /** Of the newest child that was ready. */
  get layers(): SandboxLayers | null {
    return this.#layers
  }

  /** Resolves when the child is gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#restart !== null) clearTimeout(this.#restart)
    await this.#make?.catch(() => {
      // It was told when it happened.
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
      // The system has no room for a process; it may have later.
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

/** Found out once: it holds for every child. */
async function makeOf(threads: number): Promise<ChildMake> {
  const [scripts, confinement] = await Promise.all([loadScripts(), findConfinement(threadsMax(threads), CHILD_FILES)])
  return { threads, scripts, confinement }
}
