#!/usr/bin/env node
// The program `cauri`: hands its process's streams, environment and signals to the command line.
import { runCli } from './run.ts'

const ending = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort(new Error(`ended by ${name}`)))
// A reader that closes the pipe, as `head` does, ends the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await runCli({
  words: process.argv.slice(2),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  signal: ending.signal,
})
// Standard input of a terminal would keep the process alive.
process.stdin.pause()
