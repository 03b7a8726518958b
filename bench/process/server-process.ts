// A server as a child process: starts it, waits until it listens, and stops it. Every server of the bench prints one JSON line when it
// listens: {"msg":"listening","port":…}.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Maximum time of a start. A log without an archive is replayed from its first record. */
const START_DEADLINE_MS = 180_000
const STOP_DEADLINE_MS = 15_000
const KEPT_LINES = 20

export interface ServerProcess {
  readonly pid: number
  readonly port: number
  /** Last lines of its output, for error messages. */
  readonly lastLines: readonly string[]
  /** Time from the start of the process to its `listening` line. */
  readonly startMs: number
  /** Sends SIGTERM, then SIGKILL if it has not ended in time. Resolves with the exit code, null after a signal. */
  stop(): Promise<number | null>
}

export interface ServerCommand {
  readonly name: string
  /** Arguments of `node`. */
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export async function startServer(command: ServerCommand): Promise<ServerProcess> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, command.args, {
    cwd: command.cwd,
    env: { ...process.env, ...command.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endWithParent(child)
  const lastLines: string[] = []
  const port = await listeningPort(command.name, child, lastLines)
  const { pid } = child
  if (pid === undefined) throw new Error(`${command.name} has no process id`)
  return { pid, port, lastLines, startMs: performance.now() - startedMs, stop: () => stopChild(child, 'SIGTERM') }
}

/** Children that have not ended. One listener of the bench's end serves them all. */
const living = new Set<ChildProcess>()
const killLiving = (): void => {
  for (const child of living) child.kill('SIGKILL')
}

/** Kills the child when the bench ends, so that no child outlives it. */
export function endWithParent(child: ChildProcess): void {
  if (living.size === 0) process.once('exit', killLiving)
  living.add(child)
  child.once('exit', () => {
    living.delete(child)
    if (living.size === 0) process.off('exit', killLiving)
  })
}

export async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS)
  child.kill(signal)
  await ended
  clearTimeout(killer)
  return child.exitCode
}

function listeningPort(name: string, child: ChildProcess, lastLines: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      clearTimeout(deadline)
      child.kill('SIGKILL')
      reject(new Error(`${name} ${reason}${lastLines.length > 0 ? `:\n${lastLines.join('\n')}` : ''}`))
    }
    const deadline = setTimeout(() => fail(`did not listen within ${START_DEADLINE_MS / 1000} s`), START_DEADLINE_MS)
    const onExit = (code: number | null, signal: string | null): void => fail(`ended before it listened (${signal ?? code})`)
    child.once('error', (error) => fail(error.message))
    child.once('exit', onExit)
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface({ input: stream }).on('line', (line) => {
        lastLines.push(line)
        if (lastLines.length > KEPT_LINES) lastLines.shift()
        const port = portOf(line)
        if (port === null) return
        clearTimeout(deadline)
        child.off('exit', onExit)
        resolve(port)
      })
    }
  })
}

function portOf(line: string): number | null {
  if (!line.includes('"listening"')) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof parsed !== 'object' || parsed === null || !('msg' in parsed) || parsed.msg !== 'listening') return null
  return 'port' in parsed && typeof parsed.port === 'number' ? parsed.port : null
}
