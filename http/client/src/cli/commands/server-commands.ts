// `verify`, `backup`, `restore`: the tools of a server, run from its source or its build. The package itself has no log reader.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command, CommandContext } from '../command.ts'
import { CommandError, UsageError } from '../command-errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'

const ABOUT = `Runs the tool of the server: --server names the folder of its source or of its image (/app); without it the working folder,
or CAURI_SERVER. A place is a data folder, a backup, or postgres://….`

const OPTIONS = { server: { type: 'string', value: 'FOLDER', about: 'folder of the server' } } as const

export const VERIFY: Command = {
  name: ['verify'],
  takes: '<place>',
  summary: 'Check a log: checksums, chain of hashes, balances',
  about: ABOUT,
  options: OPTIONS,
  examples: [['cauri verify ./data --server ~/cauri', 'also while the server runs']],
  run: (context) => runTool(context, 'verify', ['place']),
}

export const BACKUP: Command = {
  name: ['backup'],
  takes: '<place> <new place>',
  summary: 'Copy the log of a running server or cluster, and verify the copy',
  about: ABOUT,
  options: OPTIONS,
  examples: [['cauri backup ./data ./backup-2026-11-23', 'the new place must be empty or absent']],
  run: (context) => runTool(context, 'backup', ['place', 'new place']),
}

export const RESTORE: Command = {
  name: ['restore'],
  takes: '<backup> <new place>',
  summary: 'Put a verified backup into an empty folder or database',
  about: ABOUT,
  options: OPTIONS,
  examples: [['cauri restore ./backup-2026-11-23 ./data', 'then start the server on ./data']],
  run: (context) => runTool(context, 'restore', ['backup', 'new place']),
}

async function runTool({ given, env, output, signal }: CommandContext, tool: string, takes: readonly string[]): Promise<ExitCode> {
  if (given.args.length !== takes.length) throw new UsageError(`give ${takes.map((what) => `<${what}>`).join(' ')}`)
  const folder = resolve(given.text('server') ?? env.CAURI_SERVER ?? '.')
  const child = spawn(process.execPath, [...programOf(folder, tool), ...given.args], {
    cwd: process.cwd(),
    env: { ...env },
    stdio: ['ignore', output.isJson ? 'pipe' : 'inherit', 'inherit'],
  })
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const onAbort = (): void => {
    child.kill('SIGTERM')
  }
  signal.addEventListener('abort', onAbort, { once: true })
  const code = await new Promise<number | null>((end, reject) => child.once('error', reject).once('close', end))
  signal.removeEventListener('abort', onAbort)
  if (output.isJson) output.result({ tool, ok: code === 0, report: text.trimEnd().split('\n') }, [])
  if (signal.aborted) return EXIT.interrupted
  return code === 0 ? EXIT.done : EXIT.rejected
}

/** Returns the arguments of Node.js for the tool: the build before the source. */
function programOf(folder: string, tool: string): string[] {
  const built = join(folder, 'dist', `${tool}-command.js`)
  if (existsSync(built)) return [built]
  const source = join(folder, 'wal', 'tools', `${tool}-command.ts`)
  const loader = join(folder, 'node_modules', 'tsx', 'dist', 'loader.mjs')
  if (existsSync(source) && existsSync(loader)) return ['--import', loader, source]
  throw new CommandError(`${folder} is no folder of a server: give --server or CAURI_SERVER`)
}
