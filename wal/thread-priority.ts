// Priorities of threads below that of the event loop. Only Linux has a nice value for each thread; elsewhere it would be the process's, so
// nothing changes there.
import { readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** Nice value above that of the event loop and of the log's commits, so that they preempt the thread. */
const THREAD_NICE = 10
const NICE_MAX = 19
const THREADS = '/proc/self/task'

/** Call it in the thread. */
export function yieldToEventLoop(): void {
  if (process.platform === 'linux') setPriority(Math.min(NICE_MAX, getPriority() + THREAD_NICE))
}

/**
 * Lowers all threads but the main one. Call it before the program makes any: those that exist are V8's, which collect garbage and compile.
 * What they take from the event loop on two cores: README.md, Priorities.
 */
export function lowerThreadsOfV8(): void {
  if (process.platform !== 'linux') return
  const nice = Math.min(NICE_MAX, getPriority() + THREAD_NICE)
  for (const thread of threadsOfProcess()) if (thread !== process.pid) lower(thread, nice)
}

function threadsOfProcess(): number[] {
  try {
    return readdirSync(THREADS).map(Number)
  } catch {
    // /proc is hidden: the threads keep their priority.
    return []
  }
}

function lower(thread: number, nice: number): void {
  try {
    setPriority(thread, nice)
  } catch {
    // The thread has ended meanwhile.
  }
}
