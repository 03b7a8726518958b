// The client as merchants get it: bundled into a folder of this process, and clients of a server's merchants. Its types are not
// those of the repository, so what a client answers is untyped here; the package's own test compiles programs against them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleClient } from '../../http/client/build/client-bundle.ts'
import type { Merchant, TestServer } from './server-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'cauri-client-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
const dist = join(folder, 'dist')
// `runCli` of the command, for tests that need no process of their own.
await bundleClient(dist, { 'command-line': '../src/cli/run.ts' })

/** The module of the package. */
export const sdk = await import(pathToFileURL(join(dist, 'index.js')).href)
export const CLIENT_MODULE = join(dist, 'index.js')
export const CLI_PROGRAM = join(dist, 'cli.js')
/** What the program hands its streams to. */
export const commandLine = await import(pathToFileURL(join(dist, 'command-line.js')).href)

export interface KeyPair {
  readonly publicKey: string
  readonly secretKey: string
}

export async function keysOf({ operator }: TestServer, merchant: Merchant, environment: 'test' | 'live' = 'test'): Promise<KeyPair> {
  const body = { environment, scopes: ['disbursements.write', 'billers.write'] }
  const made = await operator.post<{ public_key: string; secret_key: string }>(`/v1/operator/merchants/${merchant.id}/api-keys`, body)
  return { publicKey: made.body.public_key, secretKey: made.body.secret_key }
}

/** A client with short waits between attempts. `more` are further options. */
export async function openClient(server: TestServer, merchant: Merchant, more: object = {}) {
  const keys = await keysOf(server, merchant)
  return new sdk.Cauri({ baseUrl: server.process.baseUrl, ...keys, retry: { baseMs: 1 }, ...more })
}
