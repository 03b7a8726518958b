// What the service understood of a file of lines, and what may be a mistake in it, before anything is paid: with the row numbers of
// the spreadsheet and the text as typed.

import { readBatchLines } from '../../../../engine/contract/batch-line.ts'
import { duplicateLines } from '../../../../engine/contract/duplicate-lines.ts'
import type { Currency } from '../../../../engine/kernel/currency.ts'
import { COLUMN_NAMES, COLUMNS } from '../../../client/src/payment-file/file-columns.ts'
import type { PaymentFile, PaymentLine } from '../../../client/src/payment-file/payment-file.ts'
import { lineProblemText } from '../../../client/src/payment-file/payment-file-text.ts'
import { Text } from '../../../text/text.ts'
import { countText } from '../../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { money, theirs } from '../shared/dashboard-parts.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './file-remarks-messages.ts'
import { batchItem, type PayableLine } from './payment-lines.ts'

/** Maximum number of lines that are compared for duplicates. */
const COMPARED_LINES_MAX = 5000
/** Maximum of lines of one kind that a page lists. */
const SHOWN_MAX = 100

type Fact = readonly [name: Text | string, value: Fragment]

/** The columns as they were read, how many lines, and the largest amount. */
export function understood({ columns, lines }: PaymentFile, payable: readonly PayableLine[], currency: Currency): readonly Fact[] {
  const largest = payable.reduce<PayableLine | null>((most, line) => (most === null || line.amount > most.amount ? line : most), null)
  return [
    [TEXTS.columnsRead, columns.length === 0 ? html`${TEXTS.withoutNamesRecipientAmountReference}` : columnsRead(columns)],
    [
      TEXTS.linesRead,
      lines.length === payable.length ? countText(lines.length) : html`${WORDS.of(countText(payable.length), countText(lines.length))}`,
    ],
    [TEXTS.largestAmount, largest !== null && html`${TEXTS.line(money(largest.amount, currency), largest.row)}`],
  ]
}

function columnsRead(columns: PaymentFile['columns']): Fragment {
  return COLUMNS.flatMap((column) => columns.filter((one) => one.column === column)).map(({ letter, name, column }, at) => {
    const words = new Text((language) => (column === null ? '' : COLUMN_NAMES[language][column]))
    return html`${at > 0 && ', '}${words}${WORDS.colon} ${letter} ${theirs(name)}`
  })
}

/** The lines that cannot be read, all of them with their reasons. */
export function unreadableLines(lines: readonly PaymentLine[], words: Fragment): Fragment {
  const wrong = lines.filter(({ problem }) => problem !== null)
  if (wrong.length === 0) return null
  const row = ({ row: number, problem }: PaymentLine): Fragment =>
    problem !== null && lineWords(number, new Text((language) => lineProblemText(problem, language)))
  return html`<section class="reasons" role="status"><p>${words}</p><ul>${shortList(wrong, row)}</ul></section>`
}

/** `Ligne 8 : …` */
export function lineWords(row: number, words: Fragment): Html {
  return html`<li>${DASHBOARD_WORDS.line2(row, words)}</li>`
}

export function shortList<Row>(rows: readonly Row[], item: (row: Row) => Fragment): Fragment {
  const more = rows.length - SHOWN_MAX
  return html`${rows.slice(0, SHOWN_MAX).map(item)}${more > 0 && html`<li>${DASHBOARD_WORDS.andMore(more)}</li>`}`
}

/** Remarks on lines that will be paid: titles that were left out, completed phones, duplicates. */
export function fileRemarks({ lines, titles }: PaymentFile, payable: readonly PayableLine[], currency: Currency): Fragment {
  const completed = lines.filter(({ isCompleted }) => isCompleted)
  return html`${titles.length > 0 && html`<div class="notice" role="status"><p>${TEXTS.aboveNamesColumnsTheseLines}</p><ul>${shortList(titles, ({ row, cells }) => lineWords(row, theirs(cells.filter((cell) => cell.trim() !== '').join(' ; '))))}</ul></div>`}${completed.length > 0 && completedPhones(completed)}${duplicateRows(lines, payable, currency)}`
}

function completedPhones(completed: readonly PaymentLine[]): Html {
  const row = ({ row: number, typed, recipient }: PaymentLine): Html =>
    lineWords(number, html`${theirs(typed.recipient)} → ${theirs(recipient)}`)
  return html`<div class="notice" role="status"><p>${TEXTS.thesePhonesHadNoWe}</p><ul>${shortList(completed, row)}</ul></div>`
}

/** Of a longer file the lines of the disbursement say it: a comparison of all of them would hold other requests up. */
function duplicateRows(source: readonly PaymentLine[], payable: readonly PayableLine[], currency: Currency): Fragment {
  if (payable.length > COMPARED_LINES_MAX) return null
  const read = readBatchLines(payable.map(batchItem), currency)
  const duplicates = duplicateLines(read)
  if (duplicates.length === 0) return null
  const textOf = (index: number): string => {
    const { recipient = '', amount = null, reference = '' } = read[index] ?? {}
    return `${recipient} ${amount} ${reference}`
  }
  const firstOf = new Map<string, number>()
  for (let index = 0; index < read.length; index++) if (!firstOf.has(textOf(index))) firstOf.set(textOf(index), index)
  const rowOf = (index: number): number => payable[index]?.row ?? index + 1
  const typedOf = (index: number): string => {
    const line = source.find(({ row }) => row === rowOf(index))
    return line === undefined
      ? ''
      : [line.typed.recipient, line.typed.amount, line.reference, line.note].filter((text) => text !== '').join(' ; ')
  }
  const item = (index: number): Html =>
    html`<li>${TEXTS.lineLikeLine(rowOf(index), theirs(typedOf(index)), rowOf(firstOf.get(textOf(index)) ?? index))}</li>`
  return html`<div class="notice" role="status"><p>${TEXTS.asWellSameRecipientSame(duplicates.length > 1 ? TEXTS.linesDuplicatesAndWillBe(duplicates.length) : TEXTS.oneLineDuplicateAndWill)}</p>
<ul>${shortList(duplicates, item)}</ul></div>`
}
