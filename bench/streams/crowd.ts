// Stream clients in a child process, from the row's side.
import type { ChildProcess } from 'node:child_process'
import { forkScript } from '../process/forked.ts'
import { stopChild } from '../process/server-process.ts'
import type { FromListener, ListenPlan, Received, ToListener } from './plan.ts'

const LISTENER = new URL('./listener.ts', import.meta.url)

export class Crowd {
  readonly #child: ChildProcess
  #failure: string | null = null

  constructor() {
    this.#child = forkScript(LISTENER)
    this.#child.on('message', (message: FromListener) => {
      if (message.kind === 'failed') this.#failure ??= message.reason
    })
  }

  /** Uses each token once for an ordinary request. */
  async call(plan: ListenPlan): Promise<void> {
    await this.#ask({ kind: 'call', plan })
  }

  /** Resolves once every stream is open. */
  async open(plan: ListenPlan): Promise<void> {
    await this.#ask({ kind: 'open', plan })
  }

  /** Opens the window: frames from here on count. */
  async windowOpens(): Promise<void> {
    await this.#ask({ kind: 'window-opens' })
  }

  async windowCloses(): Promise<Received> {
    const answer = await this.#ask({ kind: 'window-closes' })
    if (answer.kind !== 'received') throw new Error('the listener did not report its figures')
    return answer.received
  }

  /** Ends the process and all its streams. */
  async stop(): Promise<void> {
    await stopChild(this.#child, 'SIGTERM')
  }

  /** Sends one request at a time. Also rejects with a failure since the last request. */
  #ask(message: ToListener): Promise<FromListener> {
    const child = this.#child
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => reject(new Error(`the listener: ${reason}`))
      if (this.#failure !== null) return fail(this.#failure)
      const onExit = (): void => fail('ended early')
      child.once('exit', onExit)
      child.once('message', (answer: FromListener) => {
        child.off('exit', onExit)
        if (answer.kind === 'failed') fail(answer.reason)
        else resolve(answer)
      })
      child.send(message)
    })
  }
}
