import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { afterEach, describe, it } from 'node:test'
import type { Client } from '../../../support/client.ts'
import { eventually, RawClient } from '../../../support/raw-client.ts'
import { newKey, TestServer } from '../../../support/server-fixture.ts'

const HTTP_THREADS = { HTTP_THREADS: '2' }
const GET = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'

describe('a process with HTTP threads', () => {
  let server: TestServer | null = null

  afterEach(() => server?.close())

  async function open({ process: { port } }: TestServer): Promise<RawClient[]> {
    const clients = await Promise.all(Array.from({ length: 12 }, () => RawClient.open(port)))
    for (const client of clients) assert.equal((await client.send(GET).answer()).status, 200)
    return clients
  }

  it('SIGTERM under load: what was answered is there after the next start, and the exit code is 0', async () => {
    server = await TestServer.open({ settings: HTTP_THREADS })
    const merchant = await server.fundedMerchant(1_000_000)
    const wallet = await server.wallet(merchant)
    const paid: string[] = []
    const callers = Array.from({ length: 8 }, () => payUntilTheEnd(merchant.test, wallet, paid))
    await eventually(() => paid.length > 100, 'payouts')
    const idle = await open(server)
    const code = await server.process.terminate()
    await Promise.all(callers)
    assert.equal(code, 0, server.process.errorOutput())
    for (const client of idle) await client.closed()
    await checkRestart(server, merchant.test, paid)
  })

  it('kill -9 under load loses no payout that was answered', async () => {
    server = await TestServer.open({ settings: HTTP_THREADS })
    const merchant = await server.fundedMerchant(1_000_000)
    const wallet = await server.wallet(merchant)
    const paid: string[] = []
    const callers = Array.from({ length: 8 }, () => payUntilTheEnd(merchant.test, wallet, paid))
    await eventually(() => paid.length > 100, 'payouts')
    await server.process.kill()
    await Promise.all(callers)
    await checkRestart(server, merchant.test, paid)
  })

  it('a second process on the port of the threads refuses to start', async () => {
    server = await TestServer.open({ settings: HTTP_THREADS })
    const settings = { ...HTTP_THREADS, PORT: String(server.process.port) }
    await assert.rejects(TestServer.open({ settings }), /is in use/)
    await assert.rejects(TestServer.open({ settings: { ...settings, HTTP_THREADS: '0' } }), /is in use/)
  })

  it('a process that ends itself with open connections keeps its exit code', async () => {
    const script = `
      import { openFakeServer } from ${JSON.stringify(new URL('../../../support/server-without-engine.ts', import.meta.url).href)}
      import { RawClient } from ${JSON.stringify(new URL('../../../support/raw-client.ts', import.meta.url).href)}
      const server = await openFakeServer({ threads: 2 })
      for (let count = 0; count < 12; count++) await (await RawClient.open(server.port)).send(${JSON.stringify(GET)}).answer()
      process.exit(7)`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    assert.equal(code, 7, errors)
  })
})

/** Starts a server on the same folder and reads the payouts. */
async function checkRestart(stopped: TestServer, caller: Client, paid: readonly string[]): Promise<void> {
  const again = await TestServer.open({ settings: HTTP_THREADS, dataDir: stopped.process.dataDir })
  try {
    const reader = caller.at(again.anybody)
    for (const id of paid) assert.equal((await reader.get(`/v1/biz/payouts/${id}`)).status, 200)
  } finally {
    await again.close()
  }
}

/** Pays until the server refuses or ends, and notes what was answered. */
async function payUntilTheEnd(caller: Client, wallet: string, paid: string[]): Promise<void> {
  for (;;) {
    const answer = await caller.post<{ id: string }>('/v1/biz/payouts', { recipient: wallet, amount: 1 }, newKey()).catch(() => null)
    if (answer?.status !== 201) return
    paid.push(answer.body.id)
  }
}
