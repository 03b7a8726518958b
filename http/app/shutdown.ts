// Shutdown: in order on the first signal, at once on the second. It must always end.
import { REPEATED_SIGNAL_MS, SHUTDOWN_MAX_MS } from '../server/server-limits.ts'
import type { Logger } from './logging.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

export interface Stopping {
  /** Answers running requests, makes everything durable, releases the data folder. */
  readonly close: () => Promise<void>
  readonly logger: Logger
  readonly exit: (code: number) => void
  /** Whether a failure during the stop loses nothing: everything that the process acknowledged is on disk. */
  readonly isHarmless?: (error: unknown) => boolean
  /** Monotonic clock in milliseconds. */
  readonly nowMs?: () => number
}

export interface SignalStop {
  /** Ends a stop that failed without a loss, with exit code 0. Returns false for any other failure, and before a signal. */
  ends(error: unknown): boolean
  /** Stops in order for a reason of this process, with exit code 1: its supervisor starts it again. */
  begin(reason: string): void
  /** Removes the handlers. */
  giveBack(): void
}

/**
 * Ends the process on a supervisor's signals: exit code 0 after a clean stop, 1 when forced. A signal to the whole process group also
 * ends children that the start needs, such as the compiler of a start from the source: that is no failure of the stop.
 */
export function stopOnSignals({ close, logger, exit, isHarmless = () => false, nowMs = () => performance.now() }: Stopping): SignalStop {
  let firstMs: number | null = null
  const ends = (error: unknown): boolean => {
    if (firstMs === null || !isHarmless(error)) return false
    logger.warn(
      { reason: (error as Error).message },
      'stopped early: what was acknowledged is on disk, the next start makes the rest from the log',
    )
    exit(0)
    return true
  }
  const begin = (reason: string): void => {
    if (firstMs !== null) return
    logger.error({ reason }, 'stopping: this node gives the log away')
    stop(1)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstMs !== null) {
      // Ctrl-C reaches npm and the server, and npm forwards it: the server gets the same signal twice.
      if (nowMs() - firstMs < REPEATED_SIGNAL_MS) return
      logger.warn({ signal }, 'stopped by a second signal: what was acknowledged is on disk, the rest is gone')
      return exit(1)
    }
    logger.info({ signal }, 'stopping')
    stop(0)
  }
  const stop = (code: number): void => {
    firstMs = nowMs()
    const timer = setTimeout(() => {
      logger.error({ after_ms: SHUTDOWN_MAX_MS }, 'stopped by force: what was acknowledged is on disk, the rest is gone')
      exit(1)
    }, SHUTDOWN_MAX_MS)
    close().then(
      () => {
        clearTimeout(timer)
        logger.info('stopped')
        exit(code)
      },
      (error: unknown) => {
        if (ends(error)) return
        logger.fatal({ err: error }, 'the end went wrong: what was acknowledged is on disk')
        exit(1)
      },
    )
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  const giveBack = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  return { ends, begin, giveBack }
}
