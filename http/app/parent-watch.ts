// Ends the server when its parent process has ended. npm runs scripts in a shell that does not forward SIGTERM; the
// server would keep its port and data folder.
import { PARENT_CHECK_MS } from '../server/server-limits.ts'
import type { Logger } from './logging.ts'

/** Sends this process SIGTERM once its parent has ended. It never keeps the process alive. */
export function stopWithParent(logger: Logger): void {
  const parentId = process.ppid
  const timer = setInterval(() => {
    // An orphan gets another parent id.
    if (process.ppid === parentId) return
    clearInterval(timer)
    logger.info({ parent_pid: parentId }, 'the parent process ended')
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS)
  timer.unref()
}
