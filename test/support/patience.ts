// How long tests wait for what happens elsewhere. Time counts by the share of the cores that idles: what another process is waited for
// cannot do on a machine that is busy with other work is not late.
import { cpus } from 'node:os'

/** A wait beside a machine that never idles ends after so many times its time. */
const BUSY_FACTOR_MAX = 15

export class Patience {
  readonly #timeMs: number
  readonly #startMs = performance.now()
  readonly #startIdleMs = idleMs()

  constructor(timeMs: number) {
    this.#timeMs = timeMs
  }

  /** Time until the next look at what is left, at least; 0 when it is over. */
  get leftMs(): number {
    const passedMs = performance.now() - this.#startMs
    if (passedMs < this.#timeMs) return this.#timeMs - passedMs
    if (passedMs >= this.#timeMs * BUSY_FACTOR_MAX) return 0
    return this.#timeMs - (idleMs() - this.#startIdleMs)
  }

  get isOver(): boolean {
    return this.leftMs <= 0
  }
}

/** Resolves with the value, or with 'late' when the patience is over before. */
export async function withPatience<Value>(timeMs: number, value: Promise<Value>): Promise<Value | 'late'> {
  const patience = new Patience(timeMs)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    const look = (): void => {
      if (patience.isOver) resolve('late')
      else timer = setTimeout(look, patience.leftMs)
    }
    look()
  })
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Mean idle time of the cores since the machine started. */
function idleMs(): number {
  const cores = cpus()
  return cores.reduce((sum, { times }) => sum + times.idle, 0) / Math.max(1, cores.length)
}
