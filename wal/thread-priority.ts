// Priority of a worker thread's processor time below that of the event loop.
import { getPriority, setPriority } from 'node:os'

/** Nice value above that of the event loop and of the log's commits, so that they preempt the thread. */
const THREAD_NICE = 10
const NICE_MAX = 19

/** Call it in the thread. Only Linux has a nice value for each thread; elsewhere it would be the process's, so nothing changes. */
export function yieldToEventLoop(): void {
  if (process.platform === 'linux') setPriority(Math.min(NICE_MAX, getPriority() + THREAD_NICE))
}
