// Ends the server when the process that started it is gone. npm runs scripts in a shell; a shell that gets npm's SIGTERM
// ends without passing it on, and the server would keep its port and its data folder.
import { PARENT_CHECK_MS } from '../server/server-limits.ts'
import type { Logger } from './logging.ts'

/** Sends this process SIGTERM once its parent has ended. Never keeps the process alive. */
export function stopWithParent(logger: Logger): void {
  const parentId = process.ppid
  const timer = setInterval(() => {
    // An orphan belongs to another process from then on.
    if (process.ppid === parentId) return
    clearInterval(timer)
    logger.info({ parent_pid: parentId }, 'the parent process ended')
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS)
  timer.unref()
}
