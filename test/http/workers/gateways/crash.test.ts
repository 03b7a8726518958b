// Codes, pushes and e-mails across `kill -9` of a real server, with a gateway that fails, hangs and answers.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Message } from '../../../../http/workers/gateways/message.ts'
import { verifySignature } from '../../../../http/workers/webhooks/verify-signature.ts'
import { CONCURRENCY_MAX } from '../../../../http/workers/webhooks/webhook-limits.ts'
import { eventuallyAsync } from '../../../support/eventually.ts'
import { newKey, TestServer } from '../../../support/server-fixture.ts'
import { newLivePhone, ok, signUp } from '../../../support/wallet-callers.ts'

/** One of them with everything sent. */
const CRASHES = 3
/** Much longer than a result waits for others to share a record. */
const LOG_STANDS_MS = 500
const SECRET = 'secret-of-the-gateway-of-the-tests'

interface Call {
  readonly message: Message
  readonly attempt: number
  status: number | null
}

/** A gateway on the loopback that keeps every call and answers as the test says. */
class FakeGateway {
  readonly calls: Call[] = []
  /** Null: the call hangs. */
  answering: (call: Call) => number | null = () => 202
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => this.#take(Buffer.concat(chunks), request.headers, response))
  })

  static async open(): Promise<FakeGateway> {
    const gateway = new FakeGateway()
    await new Promise<void>((resolve) => gateway.#server.listen(0, '127.0.0.1', resolve))
    return gateway
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/send`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  idsWith(accept: (call: Call) => boolean): string[] {
    return this.calls.filter(accept).map(({ message }) => message.id)
  }

  #take(body: Buffer, headers: NodeJS.Dict<string | string[]>, response: ServerResponse): void {
    assert.equal(verifySignature({ signature: String(headers['x-service-signature']), body, secret: SECRET }), 'valid')
    const call: Call = {
      message: JSON.parse(body.toString('utf8')) as Message,
      attempt: Number(headers['x-service-attempt']),
      status: null,
    }
    assert.equal(headers['x-service-message-id'], call.message.id)
    this.calls.push(call)
    const status = this.answering(call)
    if (status === null) return
    call.status = status
    response.writeHead(status).end()
  }
}

/** Waits until the log does not grow any more: the server records a result some milliseconds after the gateway's answer. */
async function resultsOnDisk(server: TestServer): Promise<void> {
  let last = ''
  await eventuallyAsync(async () => {
    await new Promise((resolve) => setTimeout(resolve, LOG_STANDS_MS))
    const { text } = await server.anybody.get('/metrics')
    const reached = /^cauri_engine_durable_sequence.* (\d+)$/m.exec(text)?.[1] ?? assert.fail(text)
    const stands = reached === last
    last = reached
    return stands
  }, 'a log that stands')
}

test('over crashes with a gateway that fails and hangs, every message arrives and none twice after its 2xx', async () => {
  const gateway = await FakeGateway.open()
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-outbox-'))
  const settings = { SMS_URL: gateway.url, PUSH_URL: gateway.url, EMAIL_URL: gateway.url, GATEWAY_SECRET: SECRET }
  const servers: TestServer[] = []
  const open = async (): Promise<TestServer> => {
    const server = await TestServer.open({ dataDir, settings })
    servers.push(server)
    return server
  }
  try {
    let server = await open()
    const { id } = await server.fundedMerchant(1_000_000)
    const person = await signUp(server.anybody)
    const phones: string[] = []
    let paid = 0
    // Each process sends codes and pushes while its gateway fails, hangs or works, and is killed in the middle.
    for (const answers of [
      [202, 503, null],
      [500, 202, null, null],
    ]) {
      let turn = 0
      // A second attempt works, so that no message reaches its long waits.
      gateway.answering = ({ attempt }) => (attempt > 1 ? 202 : (answers[turn++ % answers.length] ?? null))
      const before = gateway.calls.length
      const merchant = await server.keyed(id, 'test', ['disbursements.write'])
      for (let count = 0; count < 12; count++) {
        await ok(merchant.post('/v1/biz/payouts', { recipient: person.tag, amount: 1 }, newKey()))
        paid++
      }
      const phone = newLivePhone()
      await ok(server.anybody.post('/v1/auth/phone/start', { phone, purpose: 'login' }))
      phones.push(phone)
      await eventuallyAsync(async () => gateway.calls.length >= before + 3, 'calls to the gateway')
      await server.process.kill()
      server = await open()
    }
    gateway.answering = () => 202
    const isTaken = ({ status }: Call): boolean => status === 202
    const isPush = ({ message }: Call): boolean => message.channel === 'push'
    // The retries of pushes begin after five seconds.
    await eventuallyAsync(async () => {
      const taken = new Set(gateway.idsWith((call) => isTaken(call) && isPush(call)))
      const coded = new Set(gateway.calls.filter(isTaken).map(({ message }) => message.phone))
      return taken.size >= paid && phones.every((phone) => coded.has(phone))
    }, 'every message')
    const before = gateway.calls.length
    assert.equal(new Set(gateway.idsWith(isPush)).size, paid, 'each payout has one push')
    await resultsOnDisk(server)
    await server.process.kill()
    server = await open()
    const merchant = await server.keyed(id, 'test', ['disbursements.write'])
    await ok(merchant.post('/v1/biz/payouts', { recipient: person.tag, amount: 1 }, newKey()))
    await eventuallyAsync(async () => gateway.calls.length > before, 'the next push')
    assert.equal(gateway.calls.length, before + 1, 'a restart sends nothing that was taken')
    const twice = gateway.idsWith(isTaken).length - new Set(gateway.idsWith(isTaken)).size
    assert.ok(twice <= CRASHES * CONCURRENCY_MAX, `${twice} were taken again: only those whose answers were not on disk at a crash`)
  } finally {
    for (const server of servers) await server.close()
    rmSync(dataDir, { recursive: true, force: true })
    gateway.close()
  }
})
