// A script of the bench as a child process that exchanges messages with it.
import { type ChildProcess, fork } from 'node:child_process'
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { endWithParent } from './server-process.ts'

/** Starts the script, built if the bench has built it. */
export function forkScript(script: URL): ChildProcess {
  const entry = processEntry(script)
  const path = entry.pop() as string
  const child = fork(path, { execArgv: entry, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  endWithParent(child)
  return child
}
