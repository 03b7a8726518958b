// The run log in the engine: the last hundred runs of a product, in their order, over restarts; and how much a merchant's code
// may write down in a day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageQuery } from '../../../../engine/contract/common.ts'
import { encodeCursor } from '../../../../engine/contract/cursor.ts'
import type { CodeRunReport } from '../../../../engine/domain/code-run/code-run-decide.ts'
import { type NumberedCodeRun, RUNS_SHOWN_MAX, RUNS_WRITTEN_PER_DAY_MAX } from '../../../../engine/domain/code-run/code-run-state.ts'
import { pageText } from '../../../../http/lists/list-answers.ts'
import { openMerchant } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'

const REPORT: CodeRunReport = {
  product: 'facture',
  kind: 'lookup',
  test: false,
  ok: true,
  error: null,
  duration_ms: 7,
  fetches: [{ method: 'GET', host: 'api.example', status: null, duration_ms: 3 }],
  logs: ['a line'],
}

interface Page {
  readonly data: readonly NumberedCodeRun[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

function page(fixture: EngineFixture, account: number, product: string, query: PageQuery = {}): Page {
  const found = fixture.engine.query('codeRuns.list', { account, product, query })
  assert.ok(found !== null)
  return JSON.parse(pageText(found)) as Page
}

/** By what their log says, over all pages of this size. */
function logsOf(fixture: EngineFixture, account: number, product: string, limit = 100): string[] {
  const logs: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data, has_more, next_cursor } = page(fixture, account, product, { limit, ...(cursor === undefined ? {} : { cursor }) })
    assert.equal(has_more, next_cursor !== null)
    logs.push(...data.flatMap((run) => run.logs))
    cursor = next_cursor
  }
  return logs
}

function record(fixture: EngineFixture, merchant: number, more: Partial<CodeRunReport> = {}): void {
  fixture.loop.nowMs += 1000
  assert.equal(fixture.do({ type: 'RecordCodeRun', merchant, run: { ...REPORT, ...more } }).kind, 'ok')
}

const newestFirst = (last: number, first: number): string[] => Array.from({ length: last - first + 1 }, (_, at) => `run ${last - at}`)

test('a run is shown as it was reported, with an id and a time', async () => {
  const fixture = await EngineFixture.open()
  const { live } = openMerchant(fixture, 'baobab')
  record(fixture, live)
  const [run] = page(fixture, live, 'facture').data
  const { id, created_at, ...rest } = run as NumberedCodeRun
  assert.deepEqual(rest, { ...REPORT, request_id: null })
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(Date.parse(created_at), fixture.loop.nowMs)
})

for (const count of [1, 99, 100, 101, 199, 200, 201, 250]) {
  test(`of ${count} runs the last hundred are shown, on pages of any size`, async () => {
    const fixture = await EngineFixture.open()
    const { test: account } = openMerchant(fixture, 'baobab')
    for (let number = 1; number <= count; number++) record(fixture, account, { logs: [`run ${number}`] })
    const then = newestFirst(count, Math.max(1, count - RUNS_SHOWN_MAX + 1))
    assert.deepEqual(logsOf(fixture, account, 'facture'), then)
    assert.deepEqual(logsOf(fixture, account, 'facture', 7), then)
  })
}

test('products, environments and merchants have logs of their own', async () => {
  const fixture = await EngineFixture.open()
  const [baobab, fromager] = [openMerchant(fixture, 'baobab'), openMerchant(fixture, 'fromager')]
  record(fixture, baobab.live, { logs: ['live'] })
  record(fixture, baobab.test, { logs: ['test'] })
  record(fixture, baobab.live, { product: 'autre', logs: ['other'] })
  record(fixture, fromager.live, { logs: ['somebody else'] })
  assert.deepEqual(logsOf(fixture, baobab.live, 'facture'), ['live'])
  assert.deepEqual(logsOf(fixture, baobab.test, 'facture'), ['test'])
  assert.deepEqual(logsOf(fixture, baobab.live, 'autre'), ['other'])
  assert.deepEqual(logsOf(fixture, fromager.live, 'facture'), ['somebody else'])
  assert.deepEqual(page(fixture, fromager.test, 'facture'), { data: [], has_more: false, next_cursor: null })
})

test('the range of creation is kept, and a cursor of another list is none', async () => {
  const fixture = await EngineFixture.open()
  const { live } = openMerchant(fixture, 'baobab')
  for (let number = 1; number <= 5; number++) record(fixture, live, { logs: [`run ${number}`] })
  const at = (index: number): string => (page(fixture, live, 'facture').data[index] as NumberedCodeRun).created_at
  const between = page(fixture, live, 'facture', { created_from: at(3), created_to: at(1) })
  assert.deepEqual(
    between.data.flatMap(({ logs }) => logs),
    ['run 3', 'run 2'],
  )
  assert.equal(
    fixture.engine.query('codeRuns.list', { account: live, product: 'facture', query: { cursor: encodeCursor({ position: 1 }) } }),
    null,
  )
})

test('the log is there after a crash, after a snapshot, and without the archive; it goes on where it was', async () => {
  const fixture = await EngineFixture.open()
  const { live } = openMerchant(fixture, 'baobab')
  for (let number = 1; number <= 150; number++) record(fixture, live, { logs: [`run ${number}`] })
  const again = async (start: () => Promise<void>, number: number): Promise<void> => {
    await start()
    assert.deepEqual(logsOf(fixture, live, 'facture'), newestFirst(number - 1, number - 100))
    record(fixture, live, { logs: [`run ${number}`] })
    assert.deepEqual(logsOf(fixture, live, 'facture'), newestFirst(number, number - 99))
  }
  await again(() => fixture.start(), 151)
  await again(() => fixture.startWithoutArchive(), 152)
  await fixture.close()
  await again(() => fixture.start(), 153)
})

test('code that logs too much in a day is not logged until the next day, and its runs are still counted', async () => {
  const fixture = await EngineFixture.open()
  const merchant = openMerchant(fixture, 'baobab')
  const line = 'x'.repeat(16 * 1024)
  const logs = Array.from({ length: 64 }, () => line)
  const runsPerDay = Math.floor(RUNS_WRITTEN_PER_DAY_MAX / (64 * 16 * 1024 + 1000))
  for (let number = 0; number < runsPerDay; number++) record(fixture, merchant.live, { logs })
  record(fixture, merchant.live, { logs, ok: false, error: 'too much' })
  record(fixture, merchant.live, { logs: [] })
  const [silent, cut, whole] = page(fixture, merchant.live, 'facture').data
  assert.deepEqual([whole?.logs.length, whole?.fetches.length], [64, 1])
  assert.deepEqual([cut?.error, cut?.fetches, cut?.logs], ['too much', [], ['(this log was not kept: the logs of today are too long)']])
  assert.deepEqual(silent?.logs, [])
  // The other environment has a measure of its own.
  record(fixture, merchant.test)
  assert.deepEqual(logsOf(fixture, merchant.test, 'facture'), ['a line'])
  fixture.loop.nowMs += 86_400_000
  // So long that what is left of the day before has no room for it.
  record(fixture, merchant.live, { logs })
  assert.equal(page(fixture, merchant.live, 'facture', { limit: 1 }).data[0]?.logs.length, 64)
})

test('a trial answers its result, the same for its key, and is recorded once', async () => {
  const fixture = await EngineFixture.open()
  const { live } = openMerchant(fixture, 'baobab')
  const trial = {
    type: 'EndTrial',
    merchant: live,
    run: { ...REPORT, test: true },
    requestId: 'req_1',
    answer: '{"ok":true,"amount":5}',
  } as const
  const first = fixture.do(trial, { key: 'k' })
  const again = fixture.do({ ...trial, answer: '{"ok":true,"amount":6}' }, { key: 'k', fingerprint: JSON.stringify(trial) })
  assert.deepEqual([outcomeStatus(first), first.body, first.replayed], [200, trial.answer, false])
  assert.deepEqual([outcomeStatus(again), again.body, again.replayed], [200, trial.answer, true])
  assert.deepEqual(
    page(fixture, live, 'facture').data.map(({ request_id }) => request_id),
    ['req_1'],
  )
  assert.equal(fixture.do({ ...trial, run: null }).kind, 'ok')
  assert.equal(page(fixture, live, 'facture').data.length, 1)
})
