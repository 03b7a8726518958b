// Hashes of index keys may collide. Over logs with every kind of event, an archive in which all of them collide must give the same
// answers as one without collisions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Archive } from '../../../engine/actor/ports.ts'
import type { EngineApi } from '../../../engine/api.ts'
import type { LogRecord, StoredEvent } from '../../../engine/domain/record.ts'
import { CollidingArchive } from '../../support/colliding-archive.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { MemoryArchive } from '../../support/memory-archive.ts'
import { releasedLog } from '../../support/released-log.ts'
import { goldenNames, goldenRecords, readGolden } from '../golden-file.ts'

type Asked = Record<string, unknown>

/** Queries that find one document, by the name of the id that they take. */
const BY_ID = [
  ...['payouts.get', 'batches.get', 'mandates.get', 'mandates.seenByCustomer', 'mandates.payments', 'schedules.get', 'schedules.runs'],
  ...['transactions.get', 'webhookEvents.get', 'webhookEvents.position', 'endpoints.attempts'],
].map((name) => [name, 'id'] as const)
const BY_OTHER = [
  ['bills.get', 'transactionId'],
  ['bills.position', 'transactionId'],
  ['charges.get', 'handle'],
  ['charges.byToken', 'token'],
  ['mandates.byToken', 'token'],
] as const
const LISTS = [
  ...['payouts.list', 'batches.list', 'bills.list', 'charges.list', 'mandates.list', 'mandates.ofWallet', 'schedules.list'],
  ...['transactions.list', 'webhookEvents.list', 'operatorActions.list'],
]
const NO_ID = '01999999-9999-7999-8999-999999999999'

async function opened(name: string, archive: (soon: (run: () => void) => void) => Archive): Promise<EngineFixture> {
  const fixture = await EngineFixture.open({ log: (soon) => releasedLog(name, soon), archive })
  fixture.loop.advance(2000)
  fixture.settle()
  assert.equal(fixture.engine.history.tailEntries, 0, 'the archive has the whole index')
  return fixture
}

/** Answers of both engines to the same question. Collisions may make a slice of a list shorter, not the list. */
class Both {
  readonly #plain: EngineApi
  readonly #colliding: EngineApi
  found = 0

  constructor(plain: EngineFixture, colliding: EngineFixture) {
    this.#plain = plain.engine
    this.#colliding = colliding.engine
  }

  ask(name: string, input: Asked): void {
    const [one, other] = [this.#plain, this.#colliding].map(({ query }) => query(name as never, input as never) as unknown)
    assert.deepEqual(other, one, `${name} of ${JSON.stringify(input)}`)
    if (one !== null) this.found++
  }
}

function idsOf(events: readonly StoredEvent[]): Set<string> {
  const ids = new Set<string>([NO_ID])
  for (const { text } of events) {
    for (const [, id] of text.matchAll(/"(?:id|token|transaction_id|schedule_id|endpoint_id)":"([^"]+)"/g))
      if (id !== undefined) ids.add(id)
  }
  return ids
}

function askByAccount(both: Both, records: readonly LogRecord[]): void {
  const accounts = new Map<number, StoredEvent[]>()
  for (const event of records.flatMap(({ events }) => events)) {
    accounts.set(event.account, [...(accounts.get(event.account) ?? []), event])
  }
  for (const [account, events] of accounts) {
    for (const id of idsOf(events)) for (const [name, key] of [...BY_ID, ...BY_OTHER]) both.ask(name, { account, [key]: id, query: {} })
    for (const name of LISTS) both.ask(name, { account, query: {}, slice: 100 })
  }
}

function askByRecord(both: Both, { idempotency, transactions }: LogRecord): void {
  if (idempotency !== null) {
    const { scope, key } = idempotency
    for (const asked of [key, `${key}x`]) both.ask('results.known', { scope, key: asked, fingerprint: null })
    both.ask('results.known', { scope: `${scope}x`, key, fingerprint: null })
  }
  for (const { id, postings } of transactions) {
    for (const { debit, credit } of postings) for (const account of [debit, credit]) both.ask('transactions.get', { account, id })
  }
}

function slugsOf(records: readonly LogRecord[]): Set<string> {
  const texts = records.flatMap(({ events }) => events.map(({ text }) => text))
  return new Set(texts.flatMap((text) => Array.from(text.matchAll(/"(?:slug|biller)":"([^"]+)"/g), ([, slug]) => slug ?? '')))
}

describe('an index in which all hashes collide', () => {
  for (const name of goldenNames()) {
    it(`an index in which all hashes collide gives the same answers over ${name}`, async () => {
      const [plain, colliding] = [
        await opened(name, (soon) => new MemoryArchive({ soon })),
        await opened(name, (soon) => new CollidingArchive({ soon })),
      ]
      const both = new Both(plain, colliding)
      const records = goldenRecords(readGolden(name))
      askByAccount(both, records)
      for (const slug of slugsOf(records)) both.ask('billers.comparison', { slug })
      for (const record of records) askByRecord(both, record)
      assert.ok(both.found > 0, 'something was found')
    })
  }
})
