// What may be a mistake in a file of lines, before anything is paid: duplicate lines and columns without a known name, with the
// row numbers of the spreadsheet and the text as typed.
import { readBatchLines } from '../../../engine/contract/batch-line.ts'
import { duplicateLines } from '../../../engine/contract/duplicate-lines.ts'
import { type Fragment, type Html, html } from '../html.ts'
import type { BatchFile } from './batch-parts.ts'
import type { SourceRow } from './csv-lines.ts'
import { theirs } from './dashboard-parts.ts'

const DUPLICATES_SHOWN_MAX = 20

/** Remarks on the lines from the index `from` on; those before are paid. */
export function fileRemarks(file: BatchFile, from: number): Fragment {
  const duplicates = duplicateLines(readBatchLines(file.lines)).filter((index) => index >= from)
  return html`${file.unknownColumns.length > 0 && unknownColumns(file.unknownColumns)}${duplicates.length > 0 && duplicateRows(file, duplicates)}`
}

function unknownColumns(columns: BatchFile['unknownColumns']): Html {
  const names = columns.map(({ name, letter }) => html`<li>${theirs(name)} (colonne ${letter})</li>`)
  return html`<div class="notice" role="status"><p>Ces colonnes ne sont pas lues, car leur nom n’est pas connu. Les noms connus sont : destinataire, montant, référence, note.</p><ul>${names}</ul></div>`
}

function duplicateRows({ lines, source }: BatchFile, duplicates: readonly number[]): Html {
  const read = readBatchLines(lines)
  const textOf = (index: number): string => {
    const { recipient = '', amount = null, reference = '' } = read[index] ?? {}
    return `${recipient} ${amount} ${reference}`
  }
  const firstOf = new Map<string, number>()
  for (let index = 0; index < read.length; index++) if (!firstOf.has(textOf(index))) firstOf.set(textOf(index), index)
  const numberOf = (index: number): number => source[index]?.number ?? index + 1
  const row = (index: number): Html =>
    html`<li>Ligne ${numberOf(index)} : ${theirs((source[index]?.text ?? '').replace(/[\s;]+$/, ''))}, comme la ligne ${numberOf(firstOf.get(textOf(index)) ?? index)}</li>`
  const more = duplicates.length - DUPLICATES_SHOWN_MAX
  return html`<div class="notice" role="status"><p>${duplicates.length > 1 ? `${duplicates.length} lignes sont en double et seront versées` : 'Une ligne est en double et sera versée'} aussi : même destinataire, même montant, même référence.</p>
<ul>${duplicates.slice(0, DUPLICATES_SHOWN_MAX).map(row)}${more > 0 && html`<li>et ${more} de plus</li>`}</ul></div>`
}

/** Returns the row of the spreadsheet for a line of the file. */
export function sourceRow({ source }: BatchFile, index: number): SourceRow {
  return source[index] ?? { number: index + 1, text: '', amount: '' }
}
