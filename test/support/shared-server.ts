// One server for the test files of a process, because its start takes more processor time than most of them. A file that uses it makes
// merchants and wallets of its own, and neither ends the server nor counts what all of them have.
import { atProcessEnd } from './process-end.ts'
import { TestServer } from './server-fixture.ts'

let opened: Promise<TestServer> | null = null

/** Returns the server, which the caller does not close. */
export function sharedServer(): Promise<TestServer> {
  if (opened === null) {
    const server = TestServer.open()
    atProcessEnd(async () => (await server).close())
    opened = server
  }
  return opened
}
