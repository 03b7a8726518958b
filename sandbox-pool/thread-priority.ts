// Lowers the priority of a thread in two steps after much processor time of one step of code: elapsed time would count waits for the
// processor. An unprivileged thread cannot raise it again.
import { STEP_PROCESSOR_MS } from './limits.ts'
import type { ThreadClock } from './thread-clock.ts'

export interface PriorityParts {
  readonly clock: ThreadClock
  /** Lowers the nice value. Undefined for a thread that starts with the lowest. */
  readonly lowerPriority: (() => void) | undefined
  /** See idle-class.ts. */
  readonly enterIdleClass: () => void
  /** Processor time of one step after which it is called. */
  readonly idleClassAfterMs: number
}

export class ThreadPriority {
  readonly #parts: PriorityParts
  /** Processor time of the thread at the first interrupt of the step at the bottom of the stack; null before. */
  #stepProcessorMs: number | null = null
  #isLowered = false
  #isInIdleClass = false

  constructor(parts: PriorityParts) {
    this.#parts = parts
  }

  stepBegins(): void {
    this.#stepProcessorMs = null
  }

  /** Called at interrupts of a step. Returns whether the nice value was lowered now. */
  stepGoesOn(): boolean {
    if (this.#isInIdleClass) return false
    const { clock, lowerPriority, enterIdleClass, idleClassAfterMs } = this.#parts
    const processorMs = clock.processorMs()
    if (processorMs === null) return false
    this.#stepProcessorMs ??= processorMs
    const usedMs = processorMs - this.#stepProcessorMs
    if (usedMs >= idleClassAfterMs) {
      this.#isInIdleClass = true
      enterIdleClass()
    }
    if (this.#isLowered || lowerPriority === undefined || usedMs < STEP_PROCESSOR_MS) return false
    this.#isLowered = true
    lowerPriority()
    return true
  }
}
