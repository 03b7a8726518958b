// Where the lines of a new disbursement come from: items, a payment file by the one reader of them, NDJSON, a group of contacts.
import { isUtf8 } from 'node:buffer'
import { type BatchLine, echo, readBatchLine, readBatchLines } from '../../../engine/contract/batch-line.ts'
import type { Contact } from '../../../engine/contract/contact.ts'
import { DISBURSEMENT_LINES_MAX } from '../../../engine/contract/disbursement.ts'
import { because } from '../../../engine/contract/reasons.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { isUnreadable, type PaymentLine, paymentFileSteps } from '../../client/src/payment-file/payment-file.ts'
import { fileProblemText } from '../../client/src/payment-file/payment-file-text.ts'
import type { BodyFile, BodySteps } from '../../server/body/body-file.ts'
import { parseJsonLines } from '../../server/body/json-body.ts'
import { Fault } from '../../server/body/validation.ts'
import type { LinesSource } from './disbursement-intake.ts'
import { linesOfBlocks } from './lines/packed-lines.ts'

/** Values of one line: more than its fields and a few unknown ones. */
const LINE_VALUES_MAX = 64
const BOM = Buffer.from('\uFEFF')

/** A line of NDJSON that is parsed in its turn. */
class UnreadLine {
  readonly text: string
  readonly row: number

  constructor(text: string, row: number) {
    this.text = text
    this.row = row
  }
}

export const DISBURSEMENT_FILES: Readonly<Record<string, BodyFile>> = {
  'text/csv': { read: readCsv, example: 'destinataire;montant;référence\n@awa_diallo;25000;PAIE-11\n+221771234567;30000;PAIE-12\n' },
  'application/x-ndjson': {
    read: readNdjson,
    example: '{"recipient":"@awa_diallo","amount":25000}\n{"recipient":"+221771234567","amount":30000}\n',
  },
}

/** A line of a payment file. A line with a problem has no amount: it is an invalid line. */
class FileLine {
  readonly #line: PaymentLine

  constructor(line: PaymentLine) {
    this.#line = line
  }

  get row(): number {
    return this.#line.row
  }

  read(own: Currency): BatchLine {
    const { recipient, amount, reference, note, problem } = this.#line
    const line = withSent(readBatchLine({ recipient, amount, reference, note }, own), this.#line.typed.amount)
    return problem !== null && 'readings' in problem && problem.code !== 'recipient_two_readings'
      ? { ...line, readings: problem.readings }
      : line
  }
}

/** Rows of which one step makes lines. */
const ROWS_PER_STEP = 2000

/** Returns the body. The first row names the columns. Amounts are in the smallest unit, as in JSON. */
function* readCsv(bytes: Buffer, currency: Currency): BodySteps<{ readonly items: readonly FileLine[] } | Fault> {
  const file = yield* paymentFileSteps(bytes, { currency, unit: 'smallest', needsNames: true })
  if (!isUnreadable(file)) {
    const items: FileLine[] = []
    for (const line of file.lines) if (items.push(new FileLine(line)) % ROWS_PER_STEP === 0) yield
    return { items }
  }
  const { problem } = file
  const words = { fr: fileProblemText(problem, 'fr'), en: fileProblemText(problem, 'en') }
  return new Fault('invalid_csv', undefined, because('unreadable_file', words))
}

/** Returns the body. Empty lines are left out but counted, and one line more than is taken at most. */
function* readNdjson(all: Buffer): BodySteps<{ readonly items: readonly UnreadLine[] }> {
  const items: UnreadLine[] = []
  let at = all.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0
  let row = 0
  while (at < all.byteLength && items.length <= DISBURSEMENT_LINES_MAX) {
    const end = endOfBlock(all, at)
    const rows = rowsOf(all.subarray(at, end))
    for (const [index, text] of rows.entries()) if (/[^ \r\t]/.test(text)) items.push(new UnreadLine(text, row + index + 1))
    // Behind the last line feed of a block stands no line.
    row += rows.length - 1
    at = end
    yield
  }
  items.length = Math.min(items.length, DISBURSEMENT_LINES_MAX + 1)
  return { items }
}

/** Bytes that one step decodes and splits. */
const BLOCK_BYTES = 64 * 1024
const LINE_END = 0x0a

/** Returns where a block of whole lines ends: behind the last line that fits, or behind the only one, where it is longer. */
function endOfBlock(all: Buffer, at: number): number {
  if (all.byteLength - at <= BLOCK_BYTES) return all.byteLength
  const last = all.subarray(at, at + BLOCK_BYTES).lastIndexOf(LINE_END)
  if (last >= 0) return at + last + 1
  const next = all.indexOf(LINE_END, at + BLOCK_BYTES)
  return next < 0 ? all.byteLength : next + 1
}

const NO_JSON = 'not UTF-8'

/** Returns the lines of a block. One that is no UTF-8 becomes an invalid line. */
function rowsOf(block: Buffer): string[] {
  if (isUtf8(block)) return block.toString().split('\n')
  // ISO 8859-1 keeps each byte.
  const rows = block.toString('latin1').split('\n')
  return rows.map((row) => {
    const sent = Buffer.from(row, 'latin1')
    return isUtf8(sent) ? sent.toString() : NO_JSON
  })
}

/** Returns the lines of a body, a few at a time. */
export function linesOfItems(items: readonly unknown[], own: Currency): LinesSource {
  return (
    linesOfBlocks(items) ??
    linesOf(items, (some, at) => {
      const [first] = some
      if (first instanceof FileLine) {
        const lines = some as readonly FileLine[]
        return inRows(
          lines.map((line) => line.read(own)),
          lines,
          at,
        )
      }
      const unread = some.filter((item) => item instanceof UnreadLine)
      if (unread.length === 0) return readItems(some, own)
      const texts = unread.map(({ text }) => text)
      const values = parseJsonLines(texts, LINE_VALUES_MAX)
      const lines = readItems(values, own).map((line, index) =>
        isObject(values[index]) ? line : { ...line, fault: 'invalid_json' as const },
      )
      return inRows(lines, unread, at)
    })
  )
}

function readItems(items: readonly unknown[], own: Currency): readonly BatchLine[] {
  return readBatchLines(items, own).map((line, index) => withSent(line, (items[index] as { readonly amount?: unknown } | null)?.amount))
}

/** Keeps the start of an amount that is no number, as it was sent: the line can be found and corrected. The parser does not keep decimals. */
function withSent(line: BatchLine, sent: unknown): BatchLine {
  if (line.amount !== null || sent === undefined || sent === '' || typeof sent === 'number') return line
  return { ...line, sentAmount: echo(typeof sent === 'string' ? sent : JSON.stringify(sent)) }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Names the row of each line whose place among the lines is another one, and of each that is no JSON. `at` is the place of the first. */
function inRows(lines: readonly BatchLine[], rows: readonly { readonly row: number }[], at: number): readonly BatchLine[] {
  return lines.map((line, index) => {
    const place = at + index + 1
    const { row } = rows[index] ?? { row: place }
    return row === place && line.fault !== 'invalid_json' ? line : { ...line, row }
  })
}

type GroupMember = Pick<Contact, 'recipient' | 'amount' | 'reference'>

/** Returns the lines of the contacts of a group, a few at a time. `amount` is that of a contact without one. */
export function linesOfGroup(contacts: readonly GroupMember[], amount: number | null): LinesSource {
  return linesOf(contacts, (some) =>
    some.map(({ recipient, amount: own, reference }) => {
      const paid = own ?? amount
      return { recipient, amount: paid, reference, note: '', fault: paid === null ? 'invalid_amount' : null }
    }),
  )
}

function linesOf<Item>(items: readonly Item[], read: (some: readonly Item[], at: number) => readonly BatchLine[]): LinesSource {
  let at = 0
  return (count) => {
    const first = at
    const some = items.slice(first, first + count)
    at += some.length
    return read(some, first)
  }
}
