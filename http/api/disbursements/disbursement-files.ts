// Where the lines of a new disbursement come from: items, a payment file by the one reader of them, NDJSON, a group of contacts.
import { type BatchLine, readBatchLine } from '../../../engine/contract/batch-line.ts'
import type { Contact } from '../../../engine/contract/contact.ts'
import { DISBURSEMENT_LINES_MAX } from '../../../engine/contract/disbursement.ts'
import { because } from '../../../engine/contract/reasons.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { isUnreadable, type PaymentLine, readPaymentFile } from '../../client/src/payment-file/payment-file.ts'
import { fileProblemText } from '../../client/src/payment-file/payment-file-text.ts'
import type { BodyFile } from '../../server/body/body-file.ts'
import { JsonFault, parseJson } from '../../server/body/json-body.ts'
import { Fault } from '../../server/body/validation.ts'
import type { LinesSource } from './disbursement-intake.ts'

/** Values of one line: more than its fields and a few unknown ones. */
const LINE_VALUES_MAX = 64
const LINE_FEED = 0x0a
const BOM = Buffer.from('\uFEFF')

/** A line of NDJSON that is parsed in its turn. */
class UnreadLine {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Null where the line is broken: an invalid line. */
  get item(): unknown {
    const value = parseJson(this.#bytes, LINE_VALUES_MAX)
    return value instanceof JsonFault ? null : value
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
  // Copied: the lines are parsed later, and the native layer frees the memory of the body.
  const all = Buffer.from(sent)
  const bytes = all.subarray(0, BOM.length).equals(BOM) ? all.subarray(BOM.length) : all
  const items: UnreadLine[] = []
  for (let at = 0; at < bytes.length && items.length <= DISBURSEMENT_LINES_MAX; ) {
    const end = bytes.indexOf(LINE_FEED, at)
    const line = bytes.subarray(at, end < 0 ? bytes.length : end)
    if (!isBlank(line)) items.push(new UnreadLine(line))
    at = end < 0 ? bytes.length : end + 1
  }
  return { items }
}

function isBlank(line: Uint8Array): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false
  return true
}

/** Returns the lines of a body, a few at a time. */
export function linesOfItems(items: readonly unknown[], own: Currency): LinesSource {
  return linesOf(items, (item) => readBatchLine(item instanceof UnreadLine ? item.item : item, own))
}

type GroupMember = Pick<Contact, 'recipient' | 'amount' | 'reference'>

/** Returns the lines of the contacts of a group, a few at a time. `amount` is that of a contact without one. */
export function linesOfGroup(contacts: readonly GroupMember[], amount: number | null): LinesSource {
  return linesOf(contacts, ({ recipient, amount: own, reference }) => {
    const paid = own ?? amount
    return { recipient, amount: paid, reference, note: '', fault: paid === null ? 'invalid_amount' : null }
  })
}

function linesOf<Item>(items: readonly Item[], lineOf: (item: Item) => BatchLine): LinesSource {
  let at = 0
  return (count) => {
    const some = items.slice(at, at + count)
    at += some.length
    return some.map(lineOf)
  }
}
