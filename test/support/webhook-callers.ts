// Webhooks over HTTP: a merchant's endpoints at a receiver of the test, and what the delivery log says of them.
import assert from 'node:assert/strict'
import type { DeliveryAttempt, Event, WebhookEndpoint, WebhookEndpointWithSecret } from '../../engine/contract/webhook.ts'
import { verifySignature } from '../../http/workers/webhooks/verify-signature.ts'
import { openCharge } from './charge-callers.ts'
import type { Client } from './client.ts'
import { Patience } from './patience.ts'
import { type Answering, type Received, Receiver } from './receiver.ts'
import type { Merchant, TestServer } from './server-fixture.ts'
import { ownServer } from './shared-server.ts'
import { ok } from './wallet-callers.ts'

/** A server that may call private addresses, and the one receiver that all endpoints lead to, each by a path of its own. */
export class WebhookFixture {
  readonly server: TestServer
  readonly receiver: Receiver
  /** Answers that were not sent yet. */
  readonly held: (() => void)[] = []
  /** By path: one that is not here answers 200. */
  readonly #answers = new Map<string, Answering>()
  #paths = 0

  private constructor(server: TestServer, receiver: Receiver) {
    this.server = server
    this.receiver = receiver
    receiver.answering = (received, response, index) => {
      const answering = this.#answers.get(pathOf(received.path))
      if (answering === undefined) response.end('ok')
      else answering(received, response, index)
    }
  }

  static async open(): Promise<WebhookFixture> {
    return new WebhookFixture(await ownServer({ OUTBOUND_ALLOW_PRIVATE: 'true' }), await Receiver.open())
  }

  async close(): Promise<void> {
    await this.receiver.close()
    await this.server.close()
  }

  newPath(): string {
    return `/${++this.#paths}`
  }

  endpoint(client: Client, events?: readonly string[]): Promise<WebhookEndpointWithSecret> {
    return newEndpoint(client, this.receiver.url(this.newPath()), events)
  }

  /** Tag of a test wallet with money. */
  async payer(merchant: Merchant): Promise<string> {
    const tag = await this.server.wallet(merchant)
    await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 100_000 }))
    return tag
  }

  /** What came to the endpoint, or to the path. */
  at(place: Place): Received[] {
    return this.receiver.received.filter(({ path }) => pathOf(path) === pathOf(place))
  }

  answer(place: Place, status: number, headers: Record<string, string> = {}): void {
    this.answering(place, (_received, response) => response.writeHead(status, headers).end())
  }

  answering(place: Place, answering: Answering): void {
    this.#answers.set(pathOf(place), answering)
  }
}

type Place = string | { readonly url: string }

function pathOf(place: Place): string {
  return new URL(typeof place === 'string' ? place : place.url, 'http://here').pathname
}

const PATIENCE_MS = 45_000
const ENDPOINTS = '/v1/biz/webhook-endpoints'

interface Page<Row> {
  readonly data: readonly Row[]
  readonly has_more: boolean
}

export async function newEndpoint(
  client: Client,
  url: string,
  events: readonly string[] = ['charge.succeeded'],
): Promise<WebhookEndpointWithSecret> {
  const { status, body, text } = await client.post<WebhookEndpointWithSecret>(ENDPOINTS, { url, events, description: '' })
  assert.equal(status, 201, text)
  return body
}

export async function endpointNow(client: Client, id: string): Promise<WebhookEndpoint> {
  return (await client.get<WebhookEndpoint>(`${ENDPOINTS}/${id}`)).body
}

/** Oldest first. */
export async function attemptsOf(client: Client, id: string): Promise<DeliveryAttempt[]> {
  const { status, body, text } = await client.get<Page<DeliveryAttempt>>(`${ENDPOINTS}/${id}/deliveries?limit=100`)
  assert.equal(status, 200, text)
  return [...body.data].reverse()
}

/** Resolves with the rows once there are so many. */
export async function untilAttempts(client: Client, id: string, count: number): Promise<DeliveryAttempt[]> {
  let rows: DeliveryAttempt[] = []
  await until(async () => {
    rows = await attemptsOf(client, id)
    return rows.length >= count
  }, `${count} rows in the delivery log`)
  return rows
}

/** Newest first. */
export async function eventsOf(client: Client, query = ''): Promise<readonly Event[]> {
  const { status, body, text } = await client.get<Page<Event>>(`/v1/biz/events${query}`)
  assert.equal(status, 200, text)
  return body.data
}

export async function eventNow(client: Client, id: string): Promise<Event> {
  return (await client.get<Event>(`/v1/biz/events/${id}`)).body
}

/** Paid by the wallet: one `charge.succeeded`. Answers its token. */
export async function paidCharge(merchant: Merchant, payerTag: string, more: object = {}): Promise<string> {
  const { token } = await openCharge(merchant, { amount: 5, ...more })
  const paid = await merchant.test.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: payerTag })
  assert.equal(paid.status, 200, paid.text)
  return token
}

/** As a receiver checks it: over the bytes as they came, by the clock. */
export function verdictOf({ headers, bytes }: Received, secret: string): string {
  return verifySignature({ signature: headers['x-service-signature'] ?? '', body: bytes, secret })
}

export function signaturesIn({ headers }: Received): number {
  return (headers['x-service-signature'] ?? '').split(',v1=').length - 1
}

/** Asks again until it is so. */
export async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const patience = new Patience(PATIENCE_MS)
  while (!(await condition())) {
    assert.ok(!patience.isOver, `waited ${PATIENCE_MS} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
