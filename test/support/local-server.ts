// The server in the process of its test files: the same wiring as the program's, with sockets, a data folder and threads of its own. A process
// for each took more processor time than most files. What ends, kills or signals a server needs a process: see server-process.ts.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../http/app/logging.ts'
import { readSettings } from '../../http/app/settings.ts'
import { startServer } from '../../http/app/start-server.ts'
import { startQuickScrypt } from './built-scripts.ts'
import { eventuallyAsync } from './eventually.ts'
import { environment, type ServerOptions, type ServerProcess } from './server-process.ts'

export type LocalOptions = Pick<ServerOptions, 'settings' | 'dataDir'>

/** Resolves when it listens. What only a process has rejects. A folder that is given stays, as that of a server process does. */
export async function startLocalServer({ settings: changes = {}, dataDir: given }: LocalOptions): Promise<ServerProcess> {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'cauri-e2e-'))
  const settings = readSettings(environment(dataDir, changes))
  assert.ok('mode' in settings, 'valid settings')
  const lines: string[] = []
  let shown = ''
  const fail = (error: Error): never => assert.fail(error)
  const restored = startQuickScrypt()
  const server = await startServer({
    settings,
    logger: createLogger(settings.logLevel, { write: (line) => void lines.push(line) }),
    // The process of the test files ends, as that of a server would.
    onFatal: (error) => queueMicrotask(() => fail(error)),
    onUnfit: (reason) => fail(new Error(reason)),
    showDemo: (text) => {
      shown += text
    },
  }).finally(restored)
  const refuse = (): Promise<never> => Promise.reject(new Error('this server has no process of its own'))
  const line = async (text: string): Promise<string> => {
    await eventuallyAsync(async () => lines.some((one) => one.includes(text)), `the line ${text}`)
    return lines.find((one) => one.includes(text)) ?? ''
  }
  return {
    ...{ baseUrl: `http://127.0.0.1:${server.port}`, port: server.port, dataDir, pid: process.pid, lines },
    ...{ errorOutput: () => shown, exited: Promise.resolve(null), line, terminate: refuse, kill: refuse },
    remove: async () => {
      await server.close()
      if (given === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
