// Runtimes that the client is made for: where each comes from, and how it runs the walk of a merchant's program.
import { execFile, spawn } from 'node:child_process'
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../bench/process/free-port.ts'
import { endWithParent, stopChild } from '../../../bench/process/server-process.ts'
import { eventuallyAsync } from '../../support/eventually.ts'

export interface RunParts {
  /** Project with the client and the programs. */
  readonly project: string
  /** Folder with the runtime in its node_modules. */
  readonly installed: string
  readonly baseUrl: string
  readonly publicKey: string
  readonly secretKey: string
}

interface Ran {
  readonly isGood: boolean
  readonly output: string
}

interface Runtime {
  readonly name: string
  /** Package of the registry, with its version. */
  readonly source: string
  run(parts: RunParts): Promise<Ran>
}

const SYSTEM = `${process.platform}-${process.arch}`
const RUN_MAX_MS = 120_000

export const RUNTIMES: readonly Runtime[] = [
  // The oldest and the last one of each version.
  ...['18.15.0', '18.20.8', '20.0.0', '22.23.3', '24.21.0'].map((version) => ({
    name: `Node.js ${version}`,
    ...byCommand(`node-${SYSTEM}`, version, 'bin/node', ['program.mjs']),
  })),
  { name: 'Bun', ...byCommand(`@oven/bun-${SYSTEM}`, '1.4.5', 'bin/bun', ['run', 'program.mjs']) },
  {
    name: 'Deno',
    ...byCommand('@deno/linux-x64-glibc', '2.9.6', 'deno', [
      'run',
      '--node-modules-dir=manual',
      '--allow-env',
      '--allow-net',
      'program.mjs',
    ]),
  },
  { name: 'workerd', source: '@cloudflare/workerd-linux-64@1.20261117.1', run: runWorker },
]

function byCommand(name: string, version: string, program: string, words: readonly string[]): Omit<Runtime, 'name'> {
  return {
    source: `${name}@${version}`,
    run: ({ project, installed, baseUrl, publicKey, secretKey }) => {
      const env = { PATH: process.env.PATH ?? '', HOME: installed, BASE_URL: baseUrl, PUBLIC_KEY: publicKey, SECRET_KEY: secretKey }
      return new Promise((resolve) => {
        const path = join(installed, 'node_modules', name, program)
        execFile(path, words, { cwd: project, env, timeout: RUN_MAX_MS }, (error, stdout, stderr) => {
          resolve({ isGood: error === null, output: error === null ? stdout : `${error.message}${stdout}${stderr}` })
        })
      })
    },
  }
}

/** A worker in workerd, the runtime of Cloudflare's workers. It is a server that runs the program once for each request. */
async function runWorker({ project, installed, baseUrl, publicKey, secretKey }: RunParts): Promise<Ran> {
  const client = join(project, 'node_modules', '@cauri', 'node', 'dist')
  const modules = ['worker.mjs', 'walk.mjs', ...readdirSync(client).filter((name) => name.endsWith('.js') && name !== 'cli.js')]
  for (const name of modules.slice(2)) cpSync(join(client, name), join(project, name))
  const port = await freePort()
  const bindings = { BASE_URL: baseUrl, PUBLIC_KEY: publicKey, SECRET_KEY: secretKey }
  const configuration = join(project, 'worker.capnp')
  writeFileSync(configuration, configurationOf(modules, bindings, port))
  const program = join(installed, 'node_modules', '@cloudflare', 'workerd-linux-64', 'bin', 'workerd')
  const child = spawn(program, ['serve', configuration], { stdio: ['ignore', 'ignore', 'pipe'] })
  endWithParent(child)
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  try {
    let answer: Response | null = null
    await eventuallyAsync(async () => {
      answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
      return answer !== null
    }, 'workerd to listen')
    const { ok, text } = { ok: (answer as unknown as Response).ok, text: await (answer as unknown as Response).text() }
    return { isGood: ok, output: ok ? text : text + said }
  } finally {
    await stopChild(child, 'SIGKILL')
  }
}

function configurationOf(modules: readonly string[], bindings: Readonly<Record<string, string>>, port: number): string {
  const embedded = modules.map((name) => `(name = "${name}", esModule = embed "${name}")`)
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = "${text}")`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "program", worker = .program), (name = "network", network = (allow = ["public", "private", "local"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "program")],
);
const program :Workerd.Worker = (
  modules = [${embedded.join(', ')}],
  bindings = [${texts.join(', ')}],
  compatibilityDate = "2025-01-01",
  globalOutbound = "network",
);
`
}
