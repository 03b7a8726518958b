// Puts a thread into the idle class of Linux's scheduler (SCHED_IDLE): any thread of the server preempts it at once, and its core counts as
// free. A nice value alone lets it finish its time slice first. Node.js cannot set the class, so a program of util-linux does.
import { spawnSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'

const TIMEOUT_MS = 1_000

/** Moves this thread into the idle class, where Linux and the program are there; else it keeps its nice value. Blocks for the start of a process. */
export function enterIdleClass(): void {
  let thread: string | undefined
  try {
    // "<process>/task/<thread>"
    thread = readlinkSync('/proc/thread-self').split('/').at(-1)
  } catch {
    // Not Linux, or /proc is hidden.
    return
  }
  if (thread !== undefined) spawnSync('chrt', ['--idle', '--pid', '0', thread], { env: {}, cwd: '/', stdio: 'ignore', timeout: TIMEOUT_MS })
}
