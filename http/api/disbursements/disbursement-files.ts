// Where the lines of a new disbursement come from: items, a payment file by the one reader of them, NDJSON, a group of contacts.
import { isUtf8 } from 'node:buffer'
import { type BatchLine, readBatchLines } from '../../../engine/contract/batch-line.ts'
import type { Contact } from '../../../engine/contract/contact.ts'
import { DISBURSEMENT_LINES_MAX } from '../../../engine/contract/disbursement.ts'
import { because } from '../../../engine/contract/reasons.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { isUnreadable, type PaymentLine, readPaymentFile } from '../../client/src/payment-file/payment-file.ts'
import { fileProblemText } from '../../client/src/payment-file/payment-file-text.ts'
import type { BodyFile } from '../../server/body/body-file.ts'
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

/** Returns the body. The first row names the columns. */
function readCsv(bytes: Uint8Array): { readonly items: readonly object[] } | Fault {
  const file = readPaymentFile(bytes, { needsNames: true })
  if (!isUnreadable(file)) return { items: file.lines.map(itemOf) }
  const { problem } = file
  const words = { fr: fileProblemText(problem, 'fr'), en: fileProblemText(problem, 'en') }
  return new Fault('invalid_csv', undefined, because('unreadable_file', words))
}

/** A line with a problem has no amount: it is an invalid line. */
function itemOf({ recipient, amount, reference, note }: PaymentLine): object {
  return { recipient, amount, reference, note }
}

/** Returns the body. Empty lines are left out. */
function readNdjson(sent: Uint8Array): { readonly items: readonly UnreadLine[] } {
  const all = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength)
  const bytes = all.subarray(0, BOM.length).equals(BOM) ? all.subarray(BOM.length) : all
  if (isUtf8(bytes)) return { items: rowsOf(bytes.toString()) }
  // ISO 8859-1 keeps each byte of a file of which some lines are no UTF-8.
  const rows = rowsOf(bytes.toString('latin1')).map(({ text }) => Buffer.from(text, 'latin1'))
  return { items: rows.map((row) => new UnreadLine(isUtf8(row) ? row.toString() : '')) }
}

/** Returns the rows that are not blank, one more than is taken at most. */
function rowsOf(text: string): UnreadLine[] {
  const rows: UnreadLine[] = []
  for (let at = 0; at < text.length && rows.length <= DISBURSEMENT_LINES_MAX; ) {
    const end = text.indexOf('\n', at)
    const row = text.slice(at, end < 0 ? text.length : end)
    if (/[^ \r\t]/.test(row)) rows.push(new UnreadLine(row))
    at = end < 0 ? text.length : end + 1
  }
  return rows
}

/** Returns the lines of a body, a few at a time. */
export function linesOfItems(items: readonly unknown[], own: Currency): LinesSource {
  return linesOf(items, (some) => {
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
