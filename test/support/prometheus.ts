// A real Prometheus with the configuration that compose.yaml mounts, on a free port of the loopback, and its checker `promtool`. Where
// they are not installed the tests that need them are skipped with one line.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bench/process/free-port.ts'
import { endWithParent, stopChild } from '../../bench/process/server-process.ts'
import { eventuallyAsync } from './eventually.ts'

const DEPLOYMENT = join(import.meta.dirname, '..', '..', 'http', 'app', 'deployment')

/** False where both are installed, else the line that says why tests are skipped. */
export function prometheusMissing(): string | false {
  const isThere = ['prometheus', 'promtool'].every((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined)
  return isThere ? false : 'Prometheus is not installed: apt-get install prometheus'
}

/** Runs promtool with the arguments, and files in its folder; returns what it printed. */
export function promtool(words: readonly string[], files: Readonly<Record<string, string>> = {}): { isGood: boolean; output: string } {
  const folder = deployedFolder()
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: folder, encoding: 'utf8' })
    return { isGood: status === 0, output: stdout + stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [timeS: number, value: string]
}

export class Prometheus {
  readonly #port: number
  readonly #folder: string
  readonly #child: ChildProcess

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.#port = port
    this.#folder = folder
    this.#child = child
  }

  /** Scrapes the server with the token. */
  static async start(serverPort: number, token: string): Promise<Prometheus> {
    const folder = deployedFolder()
    writeFileSync(join(folder, 'token'), token)
    // Two samples make a rate: faster than in production, so that they are there soon.
    change(folder, /dns_sd_configs:[\s\S]*$/, `static_configs:\n      - targets: ["127.0.0.1:${serverPort}"]\n`)
    change(folder, /scrape_interval: 5s/, 'scrape_interval: 1s')
    const port = await freePort()
    const options = [`--web.listen-address=127.0.0.1:${port}`, '--config.file=prometheus.yaml', '--storage.tsdb.path=data']
    const child = spawn('prometheus', [...options, '--log.level=error'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    endWithParent(child)
    const started = new Prometheus(port, folder, child)
    await started.until('count_over_time(up{job="cauri"}[1m]) >= 2')
    return started
  }

  /** The rows of an expression now. Throws with the message of an expression that has an error. */
  async query(expression: string): Promise<readonly Sample[]> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/api/v1/query?${new URLSearchParams({ query: expression })}`)
    const { status, error, data } = (await answer.json()) as { status: string; error?: string; data?: { result: readonly Sample[] } }
    if (status !== 'success' || data === undefined) throw new Error(`${expression}: ${error}`)
    return data.result
  }

  /** Resolves once the expression has a row. It may fail before Prometheus listens. */
  until(expression: string): Promise<void> {
    const isThere = (): Promise<boolean> =>
      this.query(expression).then(
        (rows) => rows.length > 0,
        () => false,
      )
    return eventuallyAsync(isThere, expression)
  }

  async stop(): Promise<void> {
    await stopChild(this.#child, 'SIGTERM')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** A folder with the configuration and the alerts, whose paths are of this folder. */
function deployedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-prometheus-'))
  for (const name of ['prometheus.yaml', 'alerts.yaml']) copyFileSync(join(DEPLOYMENT, name), join(folder, name))
  writeFileSync(join(folder, 'token'), '')
  change(folder, /\/etc\/prometheus\/alerts\.yaml/, 'alerts.yaml')
  change(folder, /\/run\/secrets\/metrics_token/, 'token')
  return folder
}

function change(folder: string, from: RegExp, to: string): void {
  const path = join(folder, 'prometheus.yaml')
  const text = readFileSync(path, 'utf8')
  if (!from.test(text)) throw new Error(`prometheus.yaml does not have ${from}`)
  writeFileSync(path, text.replace(from, to))
}
