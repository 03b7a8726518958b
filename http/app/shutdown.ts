// Shutdown: in order on the first signal, at once on the second. It must always end.
import { REPEATED_SIGNAL_MS, SHUTDOWN_MAX_MS } from '../server/server-limits.ts'
import type { Logger } from './logging.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

export interface Stopping {
  /** Answers running requests, makes everything durable, releases the data folder. */
  readonly close: () => Promise<void>
  readonly logger: Logger
  readonly exit: (code: number) => void
  /** Monotonic clock in milliseconds. */
  readonly nowMs?: () => number
}

/**
 * Ends the process on a supervisor's signals: exit code 0 after a clean stop, 1 when forced. Returns a function that
 * removes the handlers.
 */
export function stopOnSignals({ close, logger, exit, nowMs = () => performance.now() }: Stopping): () => void {
  let firstMs: number | null = null
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstMs !== null) {
      // Ctrl-C reaches npm and the server, and npm forwards it: the server gets the same signal twice.
      if (nowMs() - firstMs < REPEATED_SIGNAL_MS) return
      logger.warn({ signal }, 'stopped by a second signal: what was acknowledged is on disk, the rest is gone')
      return exit(1)
    }
    firstMs = nowMs()
    logger.info({ signal }, 'stopping')
    const timer = setTimeout(() => {
      logger.error({ after_ms: SHUTDOWN_MAX_MS }, 'stopped by force: what was acknowledged is on disk, the rest is gone')
      exit(1)
    }, SHUTDOWN_MAX_MS)
    close().then(
      () => {
        clearTimeout(timer)
        logger.info('stopped')
        exit(0)
      },
      (error: unknown) => {
        logger.fatal({ err: error }, 'the end went wrong: what was acknowledged is on disk')
        exit(1)
      },
    )
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
