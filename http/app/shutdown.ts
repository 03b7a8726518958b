// The end of the process: in order on the first signal, at once on the second. It must always end.
import { REPEATED_SIGNAL_MS, SHUTDOWN_MAX_MS } from '../server/server-limits.ts'
import type { Logger } from './logging.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

export interface Stopping {
  /** Answers what is in flight, puts everything on disk, lets the folder go. */
  readonly close: () => Promise<void>
  readonly logger: Logger
  readonly exit: (code: number) => void
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs?: () => number
}

/**
 * From here on the signals of a supervisor end the process: exit code 0 when all went well, 1 when it was forced. Answers
 * a function that gives the signals back.
 */
export function stopOnSignals({ close, logger, exit, nowMs = () => performance.now() }: Stopping): () => void {
  let firstMs: number | null = null
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstMs !== null) {
      // Ctrl-C reaches npm and the server, and npm passes it on: the server gets one request to stop twice.
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
