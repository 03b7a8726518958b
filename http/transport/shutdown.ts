// The end of the process: in order on the first signal, at once on the second. It must always end.
import { SHUTDOWN_MAX_MS } from '../limits.ts'
import type { Logger } from '../observe/logging.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

export interface Stopping {
  /** Answers what is in flight, puts everything on disk, lets the folder go. */
  readonly close: () => Promise<void>
  readonly logger: Logger
  readonly exit: (code: number) => void
}

/**
 * From here on the signals of a supervisor end the process: exit code 0 when all went well, 1 when it was forced. Answers
 * a function that gives the signals back.
 */
export function stopOnSignals({ close, logger, exit }: Stopping): () => void {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      logger.warn({ signal }, 'stopped by a second signal: what was acknowledged is on disk, the rest is gone')
      return exit(1)
    }
    isStopping = true
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
