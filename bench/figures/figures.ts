// Figures of documents. `bench/figures.json` keeps the newest result of each row of the bench and of each proof. A block of a document is
// rendered from a template that names its figures, so that no figure is typed.
import { formatNumber } from '../statistics.ts'

/** One figure: a count, or the median and range of the rounds of a run. */
export type Figure = number | { readonly median: number; readonly min: number; readonly max: number; readonly text?: string }

/** Result of one row of the bench or of one proof. */
export interface KeptResult {
  /** ISO date of the run. */
  readonly date: string
  /** Commit that was measured; null where it is not known. */
  readonly commit: string | null
  readonly machine: string
  readonly node: string
  /** Rounds of each measurement. */
  readonly runs: number
  readonly figures: Readonly<Record<string, Figure>>
}

export type KeptResults = Readonly<Record<string, KeptResult>>

/** A block of a document: the name of its template, then the rendered text up to the end mark. */
const BLOCK = /(<!-- figures ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g
const REFERENCE = /\{([^{}@]+?)(?: @(\w+))?\}/g
const ATTRIBUTES = ['date', 'commit', 'machine', 'node', 'runs'] as const

/** Returns the document with the text of each block rendered from its template. Throws for a figure that no result has. */
export function renderDocument(document: string, templateOf: (name: string) => string, results: KeptResults): string {
  return document.replaceAll(BLOCK, (_block, head: string, name: string, end: string) => head + render(templateOf(name), results) + end)
}

/** Returns the document without its blocks. */
export function withoutBlocks(document: string): string {
  return document.replaceAll(BLOCK, '')
}

function render(template: string, results: KeptResults): string {
  return template.replaceAll(REFERENCE, (reference, name: string, form: string | undefined) => {
    const colon = name.indexOf(': ')
    const result = results[colon < 0 ? name : name.slice(0, colon)]
    if (result === undefined) throw new Error(`no result for ${reference}`)
    if (colon < 0) return attributeOf(result, form, reference)
    const figure = result.figures[name.slice(colon + 2)]
    if (figure === undefined) throw new Error(`no figure for ${reference}`)
    return textOf(figure, form, reference)
  })
}

function attributeOf(result: KeptResult, form: string | undefined, reference: string): string {
  const attribute = ATTRIBUTES.find((known) => known === form)
  if (attribute === undefined) throw new Error(`${reference} names none of ${ATTRIBUTES.join(', ')}`)
  const value = result[attribute]
  if (value === null) throw new Error(`no result for ${reference}`)
  return attribute === 'date' ? String(value).slice(0, 10) : String(value)
}

/** Without a form the median, `@range` with the range of the rounds, `@text` what of Cauri it comes from, as the bench prints it before the rival's. */
function textOf(figure: Figure, form: string | undefined, reference: string): string {
  if (typeof figure === 'number') {
    if (form !== undefined) throw new Error(`${reference}: a count has no ${form}`)
    return wholeOrShort(figure)
  }
  const [median, min, max] = [figure.median, figure.min, figure.max].map(measured)
  if (form === undefined) return `${median}`
  if (form === 'range') return figure.min === figure.max ? `${median}` : `${median} (${min}–${max})`
  if (form !== 'text' || figure.text === undefined) throw new Error(`no text for ${reference}`)
  return figure.text.split(' : ')[0] ?? ''
}

/** Three significant digits. */
function measured(value: number): string {
  return wholeOrShort(Number(value.toPrecision(3)))
}

/** Counts as they are. */
function wholeOrShort(value: number): string {
  return Number.isInteger(value) ? formatWhole(value) : formatNumber(value)
}

function formatWhole(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ' ')
}
