// Tables of the dashboard and the operator's desk. Each column names its place on a small screen, where a row becomes a card of two
// lines. The stylesheet data-table.css does the rest. This file must never know a noun.
import type { Text } from '../../text/text.ts'
import { type Fragment, type Html, html, type Title } from './html.ts'

/**
 * Place of a cell below 640 px. First line: `title` left, `amount` right. Second line: `about` left (there may be several),
 * `state` right. Then one line for each `line`, with the column's name, and the buttons of `action`.
 */
export type CardPlace = 'title' | 'amount' | 'about' | 'state' | 'line' | 'action'

export interface Column<Row> {
  readonly name: Text | string
  /** Figures are aligned right. */
  readonly isFigure?: boolean
  /** Prose has a minimum width. */
  readonly isProse?: boolean
  /** The cell is the header of its row. */
  readonly isHeader?: boolean
  /** Default: `title` for the first column, `line` for the others. The link of the first column covers its card. */
  readonly card?: CardPlace
  cell(row: Row): Fragment
}

export interface DataTable<Row> {
  /** Accessible name. */
  readonly name: Title | string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Class of a row, for example of a changed one. */
  readonly look?: (row: Row) => string
  /** Cells of the footer, one for each column. */
  readonly foot?: readonly Fragment[]
}

/**
 * Renders a table that scrolls sideways, also by keyboard, where it is wider than the page. The ARIA roles keep it a table for
 * assistive technology: browsers may drop the roles of table elements with another `display`.
 */
export function dataTable<Row>({ name, columns, rows, look, foot }: DataTable<Row>): Html {
  const classes = columns.map(classesOf)
  const row = (cells: readonly Fragment[], rowLook = ''): Html =>
    html`<tr role="row"${rowLook !== '' && html` class="${rowLook}"`}>${cells.map((cell, index) => cellPart(columns[index], classes[index], cell))}</tr>\n`
  return html`<div class="wide" role="region" aria-label="${name}" tabindex="0"><table class="data" role="table">
<thead role="rowgroup"><tr role="row">${columns.map((column, index) => html`<th role="columnheader" scope="col" class="${classes[index]}">${column.name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((one) =>
    row(
      columns.map((column) => column.cell(one)),
      look?.(one),
    ),
  )}</tbody>
${foot !== undefined && html`<tfoot role="rowgroup">${row(foot)}</tfoot>`}</table></div>`
}

function classesOf<Row>({ isFigure = false, isProse = false, card }: Column<Row>, index: number): string {
  const place = card ?? (index === 0 ? 'title' : 'line')
  return `at-${place}${isFigure ? ' figure' : ''}${isProse ? ' prose' : ''}`
}

/** The data attribute is the label of a `line`: below 640 px the header of the column is not in sight. */
function cellPart<Row>(column: Column<Row> | undefined, classes: string | undefined, cell: Fragment): Html {
  const label = column?.name ?? ''
  return column?.isHeader === true
    ? html`<th role="rowheader" scope="row" class="${classes}" data-label="${label}">${cell}</th>`
    : html`<td role="cell" class="${classes}" data-label="${label}">${cell}</td>`
}
