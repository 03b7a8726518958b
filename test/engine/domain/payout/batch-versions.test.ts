// Two versions of a payout batch in one log. Each batch is packed in its own form; readers get the newest shape of both.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BatchReport } from '../../../../engine/contract/batch.ts'
import type { ListPayoutsQuery } from '../../../../engine/contract/payout.ts'
import type { Transaction } from '../../../../engine/contract/transaction.ts'
import { NounRegistry } from '../../../../engine/domain/noun-registry.ts'
import { PAYOUT } from '../../../../engine/domain/payout/index.ts'
import { payloadOf } from '../../../../engine/domain/record.ts'
import { NOUNS } from '../../../../engine/domain/registry.ts'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { payoutCsvLine } from '../../../../http/lists/payout-list.ts'
import { batch, line } from '../../../support/batch-lines.ts'
import { openMerchant, openWallet } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import {
  LABELLED_PAYOUT,
  LABELLED_REGISTRY,
  type LabelledLine,
  type LabelledPayout,
  NEXT_BATCH_VERSION,
  NEXT_PAYOUT_VERSION,
} from '../../../support/labelled-payouts.ts'

interface Written {
  readonly fixture: EngineFixture
  readonly merchant: AccountNumber
  /** Reports as they were answered: one by the old release, one of the next version, one of the old version by the new release. */
  readonly bodies: readonly string[]
}

const OLD_LINES = [line('awa', 100, 'r-1', 'note "1"'), line('ghost', 110), line('@', 120), line('awa', 130)]
const NEW_LINES = OLD_LINES.map((one, index): LabelledLine => ({ ...one, test_label: `label "${index}", [x` }))

/** An endpoint that takes all events of payouts makes `merchant_event.recorded` events beside those of the batch. */
async function writtenByBoth({ hasEndpoint = false } = {}): Promise<Written> {
  const fixture = await EngineFixture.open()
  const { test: merchant } = openMerchant(fixture, 'baobab', 100_000)
  openWallet(fixture, 'awa')
  if (hasEndpoint) {
    const url = 'https://boutique.example/hook'
    const events = ['payout.paid', 'payout.failed', 'batch.completed'] as const
    fixture.do({ type: 'CreateEndpoint', merchant, url, events, description: '', sealedSecret: 'sealed:v1:a' })
  }
  const bodies = [bodyOfBatch(fixture, merchant, OLD_LINES, 'old')]
  await fixture.upgrade(LABELLED_REGISTRY)
  bodies.push(bodyOfBatch(fixture, merchant, NEW_LINES, 'new'), bodyOfBatch(fixture, merchant, OLD_LINES, 'unlabelled'))
  return { fixture, merchant, bodies }
}

function bodyOfBatch(fixture: EngineFixture, merchant: AccountNumber, lines: typeof OLD_LINES, key: string): string {
  const { kind, body } = fixture.do(batch(merchant, lines, 'PAIE'), { mailbox: merchant, key })
  assert.equal(kind, 'created')
  return body
}

/** What a reader must find, at once as well as after each way to start again. */
async function atEachStart({ fixture }: Written, check: () => void): Promise<void> {
  check()
  await fixture.start()
  check()
  await fixture.startWithoutArchive()
  check()
  await fixture.close()
  await fixture.start()
  check()
}

function payouts({ fixture, merchant }: Written, query: ListPayoutsQuery = {}): LabelledPayout[] {
  const page = fixture.engine.query('payouts.list', { account: merchant, query })
  return (page?.rows ?? []).map((text) => JSON.parse(text) as LabelledPayout)
}

const labelOf = (index: number): string => `label "${index}", [x`
const labels = (found: readonly LabelledPayout[]): [number, string][] => found.map(({ amount, test_label }) => [amount, test_label])

describe('payout batches of two versions in one log', () => {
  it('payout batches of two versions list their payouts together, under each filter and after each kind of restart', async () => {
    const written = await writtenByBoth()
    const [old = '', newer = ''] = written.bodies.map((body) => (JSON.parse(body) as BatchReport).id as string)
    const plain: [number, string][] = [
      [130, ''],
      [110, ''],
      [100, ''],
    ]
    const labelled: [number, string][] = [
      [130, labelOf(3)],
      [110, labelOf(1)],
      [100, labelOf(0)],
    ]
    await atEachStart(written, () => {
      assert.deepEqual(labels(payouts(written)), [...plain, ...labelled, ...plain])
      assert.deepEqual(
        labels(payouts(written, { state: 'failed' })),
        [plain, labelled, plain].map(([, failed]) => failed),
      )
      assert.deepEqual(
        labels(payouts(written, { reference: 'r-1', recipient: '@awa' })),
        [plain, labelled, plain].map(([, , referenced]) => referenced),
      )
      assert.deepEqual(labels(payouts(written, { batch_id: old })), plain)
      assert.deepEqual(labels(payouts(written, { batch_id: newer })), labelled)
    })
  })

  it('payout batches of two versions have every payout found by its id, and their reports read in the newest shape', async () => {
    const written = await writtenByBoth()
    const { fixture, merchant, bodies } = written
    await atEachStart(written, () => {
      for (const payout of payouts(written)) {
        const text = fixture.engine.query('payouts.get', { account: merchant, id: payout.id })
        assert.deepEqual(JSON.parse(text ?? ''), payout)
      }
      for (const [index, body] of bodies.entries()) {
        const report = JSON.parse(body) as BatchReport
        const text = fixture.engine.query('batches.get', { account: merchant, id: report.id as string })
        const items = report.items.map((item, at) => ({ ...item, test_label: index === 1 ? labelOf(at) : '' }))
        assert.deepEqual(JSON.parse(text ?? ''), { ...report, items })
      }
      const page = fixture.engine.query('batches.list', { account: merchant, query: {} })
      assert.deepEqual(
        page?.rows.map((row) => (JSON.parse(row) as BatchReport).id),
        bodies.map((body) => (JSON.parse(body) as BatchReport).id).reverse(),
      )
    })
  })

  it('payout batches of two versions stand in the statement and in the CSV, each payment with its payout', async () => {
    const written = await writtenByBoth()
    const { fixture, merchant } = written
    await atEachStart(written, () => {
      const all = payouts(written)
      const page = fixture.engine.query('transactions.list', { account: merchant, query: { type: 'payout' } })
      const statement = (page?.rows ?? []).map((row) => JSON.parse(row) as Transaction)
      assert.deepEqual(
        statement.map(({ id, amount }) => [id, amount]),
        all.filter(({ state }) => state === 'paid').map(({ transaction_id, amount }) => [transaction_id, -amount]),
      )
      for (const payout of all) assert.ok(payoutCsvLine(payout).startsWith(`${payout.id},${payout.recipient},${payout.amount},`))
    })
  })

  for (const hasEndpoint of [false, true]) {
    it(`payout batches of two versions are in the list of webhook events with their labels, ${hasEndpoint ? 'with' : 'without'} an endpoint`, async () => {
      const written = await writtenByBoth({ hasEndpoint })
      const { fixture, merchant } = written
      await atEachStart(written, () => {
        const query = { type: 'payout.paid' } as const
        const slice = fixture.engine.query('webhookEvents.list', { account: merchant, query, slice: 'first' })
        assert.ok(slice !== null)
        const data = slice.rows.map((row) => (JSON.parse(row) as { readonly data: LabelledPayout }).data)
        assert.deepEqual(data, payouts(written, { state: 'paid' }))
      })
    })
  }

  it('payout batches of two versions answer their keys byte for byte as each was answered', async () => {
    const written = await writtenByBoth()
    const { fixture, merchant, bodies } = written
    await atEachStart(written, () => {
      for (const [index, key] of ['old', 'new', 'unlabelled'].entries()) {
        const lines = key === 'new' ? NEW_LINES : OLD_LINES
        const again = fixture.do(batch(merchant, lines, 'PAIE'), { mailbox: merchant, key })
        assert.deepEqual([again.replayed, again.body], [true, bodies[index]])
      }
    })
  })

  it('a batch that is decided in an old version reads in the newest shape before it has been read from the log', async () => {
    const { fixture } = await writtenByBoth()
    const record = fixture.records.at(-1)
    const [payoutVersion, batchVersion] = [NEXT_PAYOUT_VERSION - 1, NEXT_BATCH_VERSION - 1]
    assert.deepEqual(
      record?.events.map(({ type, version }) => `${type}@${version}`),
      [...['payout.paid', 'payout.failed', 'payout.paid'].map((type) => `${type}@${payoutVersion}`), `batch.completed@${batchVersion}`],
    )
    for (const event of record?.events.slice(0, 3) ?? []) assert.equal(payloadOf<LabelledPayout>(event).test_label, '')
  })

  it('a version of a batch without its packed form is found when the registry is made', () => {
    const forgotten = NOUNS.map((noun) => (noun === PAYOUT ? { ...LABELLED_PAYOUT, packed: PAYOUT.packed } : noun))
    assert.throws(() => new NounRegistry(forgotten), /batch.completed has a packed form in every version/)
  })
})
