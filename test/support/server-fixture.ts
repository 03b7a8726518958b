// One server for a test file, and its callers. Each test makes its own merchants and wallets, so no test
// depends on another though they share a server.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Client } from './client.ts'
import { OPERATOR_TOKEN, type ServerOptions, type ServerProcess, startServer } from './server-process.ts'

export interface Merchant {
  readonly id: string
  /** With a pair of the environment that has every scope. */
  readonly test: Client
  readonly live: Client
}

interface CreatedKey {
  readonly public_key: string
  readonly secret_key: string
}

export class TestServer {
  readonly process: ServerProcess
  /** Without credentials. */
  readonly anybody: Client
  readonly operator: Client

  private constructor(server: ServerProcess, anybody: Client) {
    this.process = server
    this.anybody = anybody
    this.operator = anybody.with({ authorization: `Bearer ${OPERATOR_TOKEN}` })
  }

  static async open(options: ServerOptions = {}): Promise<TestServer> {
    return TestServer.of(await startServer(options))
  }

  /** Ends with the fixture. */
  static async of(server: ServerProcess): Promise<TestServer> {
    return new TestServer(server, await Client.to(server.baseUrl))
  }

  /** For a server that another process started; closing leaves it running. */
  static async attached(baseUrl: string, headers: Readonly<Record<string, string>> = {}): Promise<TestServer> {
    return new TestServer(foreignServer(baseUrl), (await Client.to(baseUrl)).with(headers))
  }

  async close(): Promise<void> {
    this.anybody.close()
    await this.process.remove()
  }

  async merchant(name = 'Boutique'): Promise<Merchant> {
    const answer = await this.operator.post<{ id: string }>('/v1/operator/merchants', { name, email: `${randomUUID()}@example.com` })
    assert.equal(answer.status, 201, answer.text)
    const { id } = answer.body
    const scopes = ['disbursements.write', 'billers.write']
    return { id, test: await this.keyed(id, 'test', scopes), live: await this.keyed(id, 'live', scopes) }
  }

  /** A client with a new pair of the merchant's. */
  async keyed(merchantId: string, environment: 'test' | 'live', scopes: readonly string[]): Promise<Client> {
    const { status, body, text } = await this.operator.post<CreatedKey>(`/v1/operator/merchants/${merchantId}/api-keys`, {
      environment,
      scopes,
    })
    assert.equal(status, 201, text)
    return this.anybody.with({ 'x-api-key': body.public_key, 'x-api-secret': body.secret_key })
  }

  /** A merchant with play money in the test environment. */
  async fundedMerchant(amount: number): Promise<Merchant> {
    const merchant = await this.merchant()
    const answer = await merchant.test.post('/v1/biz/test/deposits', { amount })
    assert.equal(answer.status, 201, answer.text)
    return merchant
  }

  /** A test wallet of a unique name; answers its tag. */
  async wallet(merchant: Merchant): Promise<string> {
    const tag = newTag()
    const answer = await merchant.test.post('/v1/biz/test/wallets', { tag })
    assert.equal(answer.status, 201, answer.text)
    return tag
  }
}

function foreignServer(baseUrl: string): ServerProcess {
  const refuse = (): Promise<never> => Promise.reject(new Error('this process did not start the server'))
  return {
    ...{
      baseUrl,
      port: Number(new URL(baseUrl).port),
      dataDir: '',
      pid: -1,
      lines: [],
      errorOutput: () => '',
      exited: Promise.resolve(null),
    },
    ...{ line: refuse, terminate: refuse, kill: refuse, remove: () => Promise.resolve() },
  }
}

export function newTag(): string {
  return `t_${randomUUID().replaceAll('-', '').slice(0, 16)}`
}

/** An Idempotency-Key that was not used before. */
export function newKey(): { readonly 'idempotency-key': string } {
  return { 'idempotency-key': randomUUID() }
}
