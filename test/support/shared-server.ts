// Servers for the test files of a process, one for each set of settings, because a start takes more processor time than most files. A file
// that uses one makes merchants and wallets of its own, and neither ends the server nor counts what all of them have.
import { TEST_HTTP_THREADS } from './http-threads.ts'
import { type LocalOptions, startLocalServer } from './local-server.ts'
import { atProcessEnd } from './process-end.ts'
import { TestServer } from './server-fixture.ts'

type Settings = Readonly<Record<string, string>>

const opened = new Map<string, Promise<TestServer>>()

/** Returns the server with these settings, which the caller does not close. It is in this process: a file that blocks the loop blocks it too. */
export function sharedServer(settings: Settings = {}): Promise<TestServer> {
  return once('here', settings, () => ownServer(settings))
}

/** A server for one file, which closes it: what other merchants do would show there. With `dataDir` on what another server has left there. */
export async function ownServer(settings: LocalOptions['settings'] = {}, dataDir?: string): Promise<TestServer> {
  const options = dataDir === undefined ? { settings } : { settings, dataDir }
  return process.env[TEST_HTTP_THREADS] === undefined ? TestServer.of(await startLocalServer(options)) : TestServer.open(options)
}

/** The same as a process of its own: for files that wait for programs without letting the loop go on. */
export function sharedProcess(settings: Settings = {}): Promise<TestServer> {
  return once('process', settings, () => TestServer.open({ settings }))
}

function once(place: string, settings: Settings, open: () => Promise<TestServer>): Promise<TestServer> {
  const key = JSON.stringify([place, ...Object.entries(settings).sort()])
  const before = opened.get(key)
  if (before !== undefined) return before
  const server = open()
  atProcessEnd(async () => (await server).close())
  opened.set(key, server)
  return server
}
