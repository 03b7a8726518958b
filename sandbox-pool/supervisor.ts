// Keeps one child alive: starts it, starts the next one when it is gone, waits longer each time that one does not last.
import { CHILD_FILES, type ChildMake, SandboxProcess } from './child-process.ts'
import { findConfinement } from './confinement.ts'
import type { SandboxLayers } from './layers.ts'
import { CHILD_STABLE_MS, RESPAWN_MAX_MS, RESPAWN_MIN_MS, RESPAWN_PATIENCE } from './limits.ts'
import type { FromChild } from './messages.ts'
import { compileScripts } from './scripts.ts'

/** For logs and metrics; nothing has to be done about them. */
export type SandboxEvent =
  | { readonly type: 'ready'; readonly pid: number; readonly layers: SandboxLayers; readonly startMs: number }
  | { readonly type: 'lost'; readonly reason: string; readonly restartInMs: number }
  /** A fetch broker rejected, which it never should. */
  | { readonly type: 'broker_failed'; readonly error: unknown }

export interface SupervisorListener {
  readonly onReady: () => void
  /** Neither 'pong' nor 'ready'. */
  readonly onMessage: (message: FromChild) => void
  /** Everything that the child had under way is lost. */
  readonly onLost: (reason: string) => void
  readonly onEvent: (event: SandboxEvent) => void
}

export class Supervisor {
  readonly #listener: SupervisorListener
  readonly #make: Promise<ChildMake>
  #process: SandboxProcess | null = null
  #layers: SandboxLayers | null = null
  #isReady = false
  #isClosed = false
  #failures = 0
  #restart: NodeJS.Timeout | null = null
  #onGone: () => void = () => {}

  constructor(threads: number, listener: SupervisorListener) {
    this.#listener = listener
    this.#make = makeOf(threads)
    void this.#start()
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
    await this.#make
    const child = this.#process
    if (child === null) return
    const gone = new Promise<void>((resolve) => {
      this.#onGone = resolve
    })
    child.kill('is not needed any more')
    await gone
  }

  async #start(): Promise<void> {
    const make = await this.#make
    if (this.#isClosed) return
    const startedMs = performance.now()
    this.#process = new SandboxProcess(make, {
      onMessage: (message) => {
        if (message.type !== 'ready') this.#listener.onMessage(message)
        else this.#becomeReady(message.layers, startedMs)
      },
      onEnd: (reason) => this.#lose(reason, startedMs),
    })
  }

  #becomeReady(layers: SandboxLayers, startedMs: number): void {
    if (this.#isReady) return
    this.#isReady = true
    this.#layers = layers
    const startMs = Math.round(performance.now() - startedMs)
    this.#listener.onEvent({ type: 'ready', pid: this.#process?.pid ?? 0, layers, startMs })
    this.#listener.onReady()
  }

  #lose(reason: string, startedMs: number): void {
    const lasted = this.#isReady && performance.now() - startedMs >= CHILD_STABLE_MS
    this.#process = null
    this.#isReady = false
    this.#onGone()
    if (this.#isClosed) return
    const restartInMs = lasted ? RESPAWN_MIN_MS : Math.min(RESPAWN_MAX_MS, RESPAWN_MIN_MS * 2 ** this.#failures)
    this.#failures = lasted ? 0 : this.#failures + 1
    this.#restart = setTimeout(() => void this.#start(), restartInMs)
    this.#listener.onEvent({ type: 'lost', reason, restartInMs })
    this.#listener.onLost(reason)
  }
}

/** Found out once: it holds for every child. */
async function makeOf(threads: number): Promise<ChildMake> {
  const [scripts, confinement] = await Promise.all([compileScripts(), findConfinement(threads, CHILD_FILES)])
  return { threads, scripts, confinement }
}
