// Servers for the test files of a process, one for each set of settings, because a start takes more processor time than most files. A file
// that uses one makes merchants and wallets of its own, and neither ends the server nor counts what all of them have.
import { atProcessEnd } from './process-end.ts'
import { TestServer } from './server-fixture.ts'

const opened = new Map<string, Promise<TestServer>>()

/** Returns the server with these settings, which the caller does not close. */
export function sharedServer(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const key = JSON.stringify(Object.entries(settings).sort())
  const before = opened.get(key)
  if (before !== undefined) return before
  const server = TestServer.open({ settings })
  atProcessEnd(async () => (await server).close())
  opened.set(key, server)
  return server
}
