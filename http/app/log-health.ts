// Health of the log's store: a read of its newest batch, and the wait of its oldest append. Both are cheap, because
// the route is public.
import type { LogReader } from '../../engine/actor/ports.ts'
import { APPEND_WAIT_UNHEALTHY_MS, HEALTH_KEPT_MS } from '../server/server-limits.ts'
import { TimedValue } from '../server/timed-value.ts'

export interface LogHealth {
  readonly isHealthy: boolean
  /** Whole milliseconds; 0 without a running append. */
  readonly oldestAppendMs: number
}

export class LogCheck {
  readonly #log: LogReader & { readonly oldestAppendMs: number }
  readonly #reads: TimedValue<boolean>

  /** `onFailure` receives the error of a failed read. */
  constructor(log: LogReader & { readonly oldestAppendMs: number }, onFailure: (error: unknown) => void) {
    this.#log = log
    this.#reads = new TimedValue(() => readsNewest(log, onFailure), HEALTH_KEPT_MS)
  }

  async health(): Promise<LogHealth> {
    const canRead = await this.#reads.get()
    const waitedMs = Math.floor(this.#log.oldestAppendMs)
    return { isHealthy: canRead && waitedMs < APPEND_WAIT_UNHEALTHY_MS, oldestAppendMs: waitedMs }
  }
}

/** Checks the log on this machine, which is a copy in a cluster: PostgreSQL is not asked, and a slow one delays no answer. */
export function checkOfCopy(local: LogReader, log: { readonly oldestAppendMs: number }, onFailure: (error: unknown) => void): LogCheck {
  const store = {
    get durableSequence() {
      return local.durableSequence
    },
    get oldestAppendMs() {
      return log.oldestAppendMs
    },
    read: (fromSequence: number) => local.read(fromSequence),
  }
  return new LogCheck(store, onFailure)
}

/** Reads the newest batch. An empty log is healthy. */
async function readsNewest(log: LogReader, onFailure: (error: unknown) => void): Promise<boolean> {
  const { durableSequence } = log
  if (durableSequence === 0) return true
  try {
    for await (const { firstSequence } of log.read(durableSequence)) return firstSequence <= durableSequence
    return false
  } catch (error) {
    onFailure(error)
    return false
  }
}
