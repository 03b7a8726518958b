// Where the lines of a new disbursement come from: items, a payment file by the one reader of them, NDJSON, a group of contacts.
import { isUtf8 } from 'node:buffer'
import { type BatchLine, readBatchLine, readBatchLines } from '../../../engine/contract/batch-line.ts'
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

/** Values of one line: more than its fields and a few unknown ones. */
const LINE_VALUES_MAX = 64
const BOM = Buffer.from('\uFEFF')

/** A line of NDJSON that is parsed in its turn. Empty where it is no UTF-8: an invalid line. */
class UnreadLine {
  readonly text: string

  constructor(text: string) {
    this.text = text
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

  read(own: Currency): BatchLine {
    const { recipient, amount, reference, note, problem } = this.#line
    const line = readBatchLine({ recipient, amount, reference, note }, own)
    return problem?.code === 'amount_two_readings' ? { ...line, readings: problem.readings } : line
  }
}

/** Returns the body. The first row names the columns. */
function* readCsv(bytes: Buffer): BodySteps<{ readonly items: readonly FileLine[] } | Fault> {
  const file = yield* paymentFileSteps(bytes, { needsNames: true })
  if (!isUnreadable(file)) {
    const items: FileLine[] = []
    for (const line of file.lines) if (items.push(new FileLine(line)) % ROWS_PER_STEP === 0) yield
    return { items }
  }
  const { problem } = file
  const words = { fr: fileProblemText(problem, 'fr'), en: fileProblemText(problem, 'en') }
  return new Fault('invalid_csv', undefined, because('unreadable_file', words))
}

/** Returns the body. Empty lines are left out. */
function* readNdjson(all: Buffer): BodySteps<{ readonly items: readonly UnreadLine[] }> {
  const bytes = all.subarray(0, BOM.length).equals(BOM) ? all.subarray(BOM.length) : all
  if (isUtf8(bytes)) return { items: yield* rowsOf(bytes.toString(), (row) => row) }
  // ISO 8859-1 keeps each byte of a file of which some lines are no UTF-8.
  const textOf = (row: string): string => {
    const sent = Buffer.from(row, 'latin1')
    return isUtf8(sent) ? sent.toString() : ''
  }
  return { items: yield* rowsOf(bytes.toString('latin1'), textOf) }
}

/** Rows that one step finds: each is parsed later. */
const ROWS_PER_STEP = 2000

/** Returns the rows that are not blank, one more than is taken at most. */
function* rowsOf(text: string, textOf: (row: string) => string): BodySteps<UnreadLine[]> {
  const rows: UnreadLine[] = []
  for (let at = 0, read = 1; at < text.length && rows.length <= DISBURSEMENT_LINES_MAX; read++) {
    const end = text.indexOf('\n', at)
    const row = text.slice(at, end < 0 ? text.length : end)
    if (/[^ \r\t]/.test(row)) rows.push(new UnreadLine(textOf(row)))
    at = end < 0 ? text.length : end + 1
    if (read % ROWS_PER_STEP === 0) yield
  }
  return rows
}

/** Returns the lines of a body, a few at a time. */
export function linesOfItems(items: readonly unknown[], own: Currency): LinesSource {
  return linesOf(items, (some) => {
    const [first] = some
    if (first instanceof FileLine) return (some as readonly FileLine[]).map((line) => line.read(own))
    const texts = some.flatMap((item) => (item instanceof UnreadLine ? [item.text] : []))
    return readBatchLines(texts.length === 0 ? some : parseJsonLines(texts, LINE_VALUES_MAX), own)
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

function linesOf<Item>(items: readonly Item[], read: (some: readonly Item[]) => readonly BatchLine[]): LinesSource {
  let at = 0
  return (count) => {
    const some = items.slice(at, at + count)
    at += some.length
    return read(some)
  }
}
