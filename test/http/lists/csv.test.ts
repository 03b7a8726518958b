// Lists as CSV: who is answered with it, every line once and in order, no faster than the reader, and what ends an export.
import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import type { ListPage } from '../../../engine/api.ts'
import type { PageQuery } from '../../../engine/contract/common.ts'
import { decodeCursor, encodeCursor } from '../../../engine/contract/cursor.ts'
import type { Transaction } from '../../../engine/contract/transaction.ts'
import type { Quotas } from '../../../engine/kernel/quota.ts'
import { STATEMENT_LINE } from '../../../http/api/shared-examples.ts'
import { answerCsv, type CsvCall, type CsvExports, prefersCsv } from '../../../http/lists/csv.ts'
import { CSV_EXPORTS, CSV_LINES_PER_SLICE, CSV_STALLED_MAX_MS } from '../../../http/lists/list-limits.ts'
import { CSV_HEADER, csvLine } from '../../../http/lists/statement-list.ts'
import type { Header, StreamListener } from '../../../http/server/route.ts'
import { accountQuota, heldQuotasWith } from '../../support/held-quotas.ts'

/** Asks for an export of a history of so many hits, at the positions below that number. */
class Exporting {
  readonly exports: CsvExports
  readonly #quotas: Quotas
  /** What the reader got, the header included. */
  text = ''
  headers: readonly Header[] = []
  end: 'whole' | 'cut' | 'answered' | 'refused' | null = null
  failed: unknown = null
  /** Pages that were read. */
  pages = 0
  /** What the reader's `write` answers. */
  takes = true
  /** What reading throws from the third page on. */
  breaks = false
  listener: StreamListener | null = null
  #release: () => void = () => {}

  constructor(
    count: number,
    query: PageQuery = {},
    { quotas = heldQuotasWith(), exports = accountQuota(CSV_EXPORTS, quotas), isDurable = true, hasClient = true } = {},
  ) {
    this.#quotas = quotas
    this.exports = exports
    const page = ({ limit = CSV_LINES_PER_SLICE, cursor }: PageQuery): ListPage => {
      this.pages++
      if (this.breaks && this.pages > 2) throw new Error('the disk is gone')
      const place = cursor === undefined ? { position: count } : decodeCursor(cursor)
      const from = Math.min(place !== null && 'position' in place ? place.position : 0, count)
      const rows = Array.from({ length: Math.min(limit, from) }, (_, index) => String(from - 1 - index))
      const last = from - rows.length
      return { rows, nextCursor: last > 0 ? encodeCursor({ position: last }) : null }
    }
    const whenDurable = (run: () => void): void => {
      if (isDurable) run()
      else this.#release = run
    }
    const list = { path: '/v1/biz/transactions', fileName: 'transactions.csv', header: 'position\n', page }
    answerCsv(this.#call(query, hasClient), { whenDurable }, this.exports, { ...list, line: (row) => `${row}\n` })
  }

  get running(): number {
    return this.#quotas.use(CSV_EXPORTS).total
  }

  get lines(): string[] {
    return this.text.split('\n').slice(1, -1)
  }

  header(wanted: string): string | undefined {
    return this.headers.find(([name]) => name === wanted)?.[1]
  }

  /** What was seen is on disk now. */
  release(): void {
    this.#release()
  }

  async over(): Promise<this> {
    while (this.end === null) await new Promise(setImmediate)
    return this
  }

  #call(query: PageQuery, hasClient: boolean): CsvCall {
    const queryText = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()
    return {
      query,
      queryText,
      principal: { account: 7 },
      sealCursor: (place: string) => place,
      refuse: () => {
        this.end = 'refused'
      },
      fail: (error: unknown) => {
        this.failed = error
      },
      answerAs: (_status: number, body: string, headers: readonly Header[]) => {
        this.text = body
        this.headers = headers
        this.end = 'answered'
      },
      stream: (headers: readonly Header[], first: string, listener: StreamListener) => {
        if (!hasClient) return null
        this.headers = headers
        this.text = first
        this.listener = listener
        const write = (text: string): boolean => {
          this.text += text
          return this.takes
        }
        const ends = (how: 'whole' | 'cut') => () => {
          this.end = how
        }
        return { write, end: ends('whole'), cut: ends('cut') }
      },
    } as unknown as CsvCall
  }
}

const numbersBelow = (count: number): string[] => Array.from({ length: count }, (_, index) => String(count - 1 - index))
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

/** The slice that left at once, and the one that did not. Long work pauses between slices, by a timer, so turns are not counted. */
const stalled = async (exporting: Exporting, tick = (): void => {}): Promise<void> => {
  while (exporting.pages < 2) {
    tick()
    await turns()
  }
  await turns()
}

describe('an export', () => {
  for (const count of [0, 1, CSV_LINES_PER_SLICE, CSV_LINES_PER_SLICE + 1, 12 * CSV_LINES_PER_SLICE + 34]) {
    test(`an export of ${count} lines has every line once, in order`, async () => {
      const exporting = await new Exporting(count).over()
      assert.deepEqual(exporting.lines, numbersBelow(count))
      assert.equal(exporting.end, count > CSV_LINES_PER_SLICE ? 'whole' : 'answered')
      assert.equal(exporting.header('content-disposition'), 'attachment; filename="transactions.csv"')
      assert.equal(exporting.running, 0)
    })
  }

  test('an export with a limit is a page that leads to the next', async () => {
    const first = await new Exporting(150, { limit: 100 }).over()
    assert.deepEqual([first.lines.length, first.end], [100, 'answered'])
    const next = /^<\/v1\/biz\/transactions\?limit=100&cursor=([^&>]+)>; rel="next"$/.exec(first.header('link') ?? '')?.[1]
    const second = await new Exporting(150, { limit: 100, cursor: decodeURIComponent(next ?? '') }).over()
    assert.deepEqual([second.lines.length, second.header('link')], [50, undefined])
  })

  test('an export waits for the disk with its first line', async () => {
    const exporting = new Exporting(500, {}, { isDurable: false })
    await turns()
    assert.equal(exporting.text, '')
    exporting.release()
    assert.equal((await exporting.over()).lines.length, 500)
  })

  test('an export reads on only when its reader has taken what was written', async () => {
    const exporting = new Exporting(10_000)
    exporting.takes = false
    await stalled(exporting)
    const { pages } = exporting
    assert.equal(pages, 2)
    await turns()
    assert.equal(exporting.pages, pages)
    exporting.takes = true
    exporting.listener?.onWritable()
    assert.deepEqual((await exporting.over()).lines, numbersBelow(10_000))
  })

  test('an export of a reader that takes nothing any more is cut, and its place is free again', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const exporting = new Exporting(10_000)
      exporting.takes = false
      await stalled(exporting, () => mock.timers.tick(1))
      mock.timers.tick(CSV_STALLED_MAX_MS - 1)
      assert.deepEqual([exporting.end, exporting.running], [null, 1])
      mock.timers.tick(1)
      assert.deepEqual([exporting.end, exporting.running], ['cut', 0])
      const { pages } = exporting
      await turns()
      assert.equal(exporting.pages, pages)
    } finally {
      mock.timers.reset()
    }
  })

  test('an export ends with its client, before it begins or in the middle', async () => {
    assert.equal(new Exporting(10_000, {}, { hasClient: false }).running, 0)
    // More than one turn of long work reads.
    const exporting = new Exporting(300_000)
    await new Promise(setImmediate)
    exporting.listener?.onClosed()
    const { pages } = exporting
    await turns()
    assert.deepEqual([exporting.pages, exporting.running, exporting.end], [pages, 0, null])
  })

  test('an export that cannot be read on breaks off, so that it is not taken for complete', async () => {
    const exporting = new Exporting(10_000)
    exporting.breaks = true
    await exporting.over()
    assert.deepEqual([exporting.end, exporting.running], ['cut', 0])
    assert.match(String(exporting.failed), /the disk is gone/)
  })

  test('too many of one account are refused, and taken again when one is over', async () => {
    const exports = accountQuota(CSV_EXPORTS)
    const stuck: Exporting[] = []
    for (let count = 0; count < CSV_EXPORTS.share; count++) {
      const exporting = new Exporting(1000, {}, { exports })
      exporting.takes = false
      stuck.push(exporting)
    }
    assert.equal(new Exporting(1000, {}, { exports }).end, 'refused')
    assert.equal(new Exporting(10, {}, { exports }).end, 'answered', 'a small one takes no place')
    stuck[0]?.listener?.onClosed()
    assert.equal((await new Exporting(1000, {}, { exports }).over()).end, 'whole')
  })
})

const ACCEPTS: readonly (readonly [accept: string, csv: boolean])[] = [
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/csv', true],
  ['TEXT/CSV', true],
  ['text/csv;q=0', false],
  ['text/csv; q=0.5, application/json', false],
  ['application/json;q=0.5, text/csv;q=0.9', true],
  ['text/csv, */*;q=0.1', true],
  ['text/csv;q=nonsense', false],
  ['text/*', false],
  ['application/json, text/csv', false],
  ['application/xml', false],
]

for (const [accept, csv] of ACCEPTS) {
  test(`Accept: ${accept} is answered with ${csv ? 'CSV' : 'JSON'}`, () => assert.equal(prefersCsv(accept), csv))
}

const FIELDS: readonly (readonly [name: string, line: Partial<Transaction>, then: string])[] = [
  ['a plain reference', { reference: 'PAIE-11' }, 'PAIE-11'],
  ['nothing', { reference: '' }, ''],
  ['a comma', { reference: 'a,b' }, '"a,b"'],
  ['quotes', { reference: 'a "b"' }, '"a ""b"""'],
  ['a space in front', { reference: ' a' }, '" a"'],
  ['a formula', { reference: '=1+1' }, "'=1+1"],
  ['a formula with quotes', { reference: '=HYPERLINK("x","y")' }, `"'=HYPERLINK(""x"",""y"")"`],
  ['a plus', { reference: '+225' }, "'+225"],
  ['an at sign', { reference: '@awa' }, "'@awa"],
]

for (const [name, line, then] of FIELDS) {
  test(`a route answers CSV: ${name}`, () => {
    const text = csvLine({ ...STATEMENT_LINE, ...line })
    assert.ok(text.includes(`,XOF,${then},awa_diallo,`), text)
    assert.ok(text.endsWith('\r\n'))
  })
}

test('CSV: numbers keep their sign, null is empty, the columns are the fields in their order', () => {
  const columns = Object.keys({ ...STATEMENT_LINE, created_at: undefined, fee_of: '' }).filter((name) => name !== 'created_at')
  assert.equal(CSV_HEADER, `${[...columns, 'created_at'].join(',')}\r\n`)
  assert.equal(
    csvLine(STATEMENT_LINE),
    `${STATEMENT_LINE.id},payout,-5000,245000,XOF,PAIE-2026-11,awa_diallo,,${STATEMENT_LINE.payout_id},,,2026-11-20T10:00:00.000Z\r\n`,
  )
})
