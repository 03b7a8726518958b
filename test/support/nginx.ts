// A real nginx with the configuration that compose.yaml mounts, on a free port of the loopback. Where nginx is not installed the tests
// that need it are skipped with one line.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bench/process/free-port.ts'
import { endWithParent, stopChild } from '../../bench/process/server-process.ts'
import { eventuallyAsync } from './eventually.ts'
import { LOCALHOST_CERTIFICATE } from './receiver.ts'

const CONFIGURATION = join(import.meta.dirname, '..', '..', 'http', 'app', 'deployment', 'nginx.conf')
const NODES = join(CONFIGURATION, '..', 'hosts', 'nginx-nodes.conf')
const LOCALHOST_KEY = join(import.meta.dirname, 'certificates', 'localhost-key.pem')
const PLACES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx']

/** False where it is installed, else the line that says why tests are skipped. */
export function nginxMissing(): string | false {
  return program() === null ? 'nginx is not installed: apt-get install nginx-light' : false
}

function program(): string | null {
  return PLACES.find((path) => existsSync(path)) ?? null
}

interface Ports {
  readonly port: number
  /** Takes TLS, with the certificate of `localhost`. */
  readonly securePort: number
}

/** Writes the configuration with the addresses and folders of this machine, and returns its path. */
function writeConfiguration({ port, securePort }: Ports, servers: readonly number[], folder: string): string {
  const replaced = (text: string, from: string, to: string): string => {
    if (!text.includes(from)) throw new Error(`nginx.conf does not have ${from}`)
    return text.replaceAll(from, to)
  }
  let nodes = readFileSync(NODES, 'utf8')
  for (const at of [0, 1, 2]) nodes = replaced(nodes, `server node-${at + 1}:8080`, `server 127.0.0.1:${servers[at % servers.length]}`)
  writeFileSync(join(folder, 'nodes.conf'), nodes)
  let text = readFileSync(CONFIGURATION, 'utf8')
  text = replaced(text, '/etc/nginx/cauri-nodes.conf', join(folder, 'nodes.conf'))
  text = replaced(text, '/var/cache/nginx/cauri-owner', join(folder, 'owner'))
  const secure = `listen 127.0.0.1:${securePort} ssl; ssl_certificate ${LOCALHOST_CERTIFICATE}; ssl_certificate_key ${LOCALHOST_KEY};`
  text = replaced(text, 'listen 80;', `listen 127.0.0.1:${port};\n${secure}`)
  text = replaced(text, 'http {', `http {\n${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}`)
  const path = join(folder, 'nginx.conf')
  writeFileSync(path, `pid ${folder}/pid;\n${text}`)
  return path
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'] as const

export class Nginx {
  readonly baseUrl: string
  readonly port: number
  readonly securePort: number
  readonly #folder: string
  readonly #child: ChildProcess

  private constructor({ port, securePort }: Ports, folder: string, child: ChildProcess) {
    this.port = port
    this.securePort = securePort
    this.baseUrl = `http://127.0.0.1:${port}`
    this.#folder = folder
    this.#child = child
  }

  static async start(servers: readonly number[]): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'cauri-nginx-'))
    // Workers run as another user where nginx is started by root, and keep large bodies in files of this folder.
    chmodSync(folder, 0o711)
    const ports = { port: await freePort(), securePort: await freePort() }
    const path = writeConfiguration(ports, servers, folder)
    const child = spawn(program() ?? 'nginx', ['-c', path, '-p', folder, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] })
    endWithParent(child)
    const started = new Nginx(ports, folder, child)
    await eventuallyAsync(() => started.#listens(), 'nginx to listen')
    return started
  }

  /** Returns what `nginx -t` prints of the configuration. Throws when it is not valid. */
  static check(): string {
    const folder = mkdtempSync(join(tmpdir(), 'cauri-nginx-'))
    try {
      const path = writeConfiguration({ port: 1, securePort: 2 }, [1, 2, 3], folder)
      const { status, stderr } = spawnSync(program() ?? 'nginx', ['-t', '-c', path, '-p', folder], { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
      return stderr
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  async stop(): Promise<void> {
    await stopChild(this.#child, 'SIGTERM')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Without a request, which nginx would count as a failure of its servers. */
  #listens(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      }).once('error', () => resolve(false))
    })
  }
}
