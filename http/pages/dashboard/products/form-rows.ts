// Converts the form of a product between the editor's rows, the fields of the browser's form and the API's schema. It
// validates nothing: the API does.
import { FIELDS_MAX, ID_LENGTH_MAX, STEPS_MAX, UNUSABLE_IDS } from '../../../../engine/api.ts'
import type { Product } from '../../../../engine/contract/biller-product.ts'

export interface FieldRow {
  /** An empty id is derived from the label when the form is sent to the API. */
  readonly id: string
  readonly label: string
  readonly type: string
  readonly isRequired: boolean
  readonly pattern: string
  readonly placeholder: string
  readonly help: string
  /** Choices of a `select`, one per line: `label;value`. */
  readonly options: string
}

export interface StepRow {
  readonly id: string
  readonly title: string
  /** True for `action: resolve`. */
  readonly isResolving: boolean
  readonly fields: readonly FieldRow[]
}

export type FormRows = readonly StepRow[]

/** Matches names of inputs: of a step by its index, of a field by its index in the whole form. */
export const ROW_NAMES =
  /^(?:step-1?\d-(?:title|id|resolve)|field-\d{1,2}-(?:step|label|type|required|id|pattern|placeholder|help|options))$/

export type SentRows = Readonly<Record<string, string>>

export function rowsSent(sent: SentRows): FormRows {
  const of = (kind: 'step' | 'field', at: number, name: string): string => (sent[`${kind}-${at}-${name}`] ?? '').replaceAll('\r\n', '\n')
  const fields = places(FIELDS_MAX)
    .filter((at) => sent[`field-${at}-step`] !== undefined)
    .map((at) => ({
      step: of('field', at, 'step'),
      row: {
        id: of('field', at, 'id').trim(),
        label: of('field', at, 'label').trim(),
        type: of('field', at, 'type'),
        isRequired: of('field', at, 'required') !== '',
        pattern: of('field', at, 'pattern'),
        placeholder: of('field', at, 'placeholder'),
        help: of('field', at, 'help'),
        options: of('field', at, 'options'),
      },
    }))
  return places(STEPS_MAX)
    .filter((at) => sent[`step-${at}-title`] !== undefined)
    .map((at) => ({
      id: of('step', at, 'id').trim(),
      title: of('step', at, 'title').trim(),
      isResolving: of('step', at, 'resolve') !== '',
      fields: fields.filter(({ step }) => step === String(at)).map(({ row }) => row),
    }))
}

function places(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}

/** Returns the schema for the API, without empty values. */
export function schemaOf(rows: FormRows): object {
  const taken = new Set(rows.flatMap(({ fields }) => fields.map(({ id }) => id)))
  return {
    steps: rows.map(({ id, title, isResolving, fields }) => ({
      ...named({ id, title }),
      ...(isResolving ? { action: 'resolve' } : {}),
      fields: fields.map((field) => fieldOf(field, taken)),
    })),
  }
}

export function jsonOf(rows: FormRows): string {
  return JSON.stringify(schemaOf(rows), null, 2)
}

function fieldOf({ id, label, type, isRequired, pattern, placeholder, help, options }: FieldRow, taken: Set<string>): object {
  return {
    id: id === '' ? idFrom(label, taken) : id,
    label,
    type,
    ...(isRequired ? { required: true } : {}),
    ...named({ pattern, placeholder, help }),
    ...(type === 'select' ? { options: optionsOf(options) } : {}),
  }
}

function named(texts: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
}

/** Returns `numero_de_compteur` for `Numéro de compteur`, with a number when it is taken. An empty label returns ''. */
export function idFrom(label: string, taken: Set<string>, fallback = 'champ'): string {
  if (label === '') return ''
  const plain = label
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
  const bare = plain.slice(0, ID_LENGTH_MAX - 4).replaceAll(/^_+|_+$/g, '') || fallback
  let id = bare
  for (let count = 2; taken.has(id) || UNUSABLE_IDS.has(id); count++) id = `${bare}_${count}`
  taken.add(id)
  return id
}

export interface TypedOption {
  readonly label: string
  readonly value: string
}

/** Parses choices. A line without a value is its own value. */
export function optionsOf(lines: string): TypedOption[] {
  return linesOf(lines).map((line) => {
    const [label = '', value = label] = cellsOf(line)
    return { label, value }
  })
}

type Unknown = Readonly<Record<string, unknown>>

/** Returns null for a schema that the editor cannot show as rows. It stays JSON, and the API validates it. */
export function rowsOfSchema(schema: unknown): FormRows | null {
  const { steps } = recordOf(schema)
  if (!Array.isArray(steps) || steps.length > STEPS_MAX) return null
  const rows = steps.map(stepRow)
  if (!rows.every((row) => row !== null)) return null
  return rows.reduce((sum, { fields }) => sum + fields.length, 0) > FIELDS_MAX ? null : rows
}

/** Returns the rows of a stored schema. Every stored schema has them. */
export function rowsOfStored({ schema }: Pick<Product, 'schema'>): FormRows {
  return rowsOfSchema(schema) ?? []
}

function stepRow(step: unknown): StepRow | null {
  const { action, fields = [], ...texts } = recordOf(step)
  const [id, title] = [textOf(texts.id), textOf(texts.title)]
  const rows = Array.isArray(fields) ? fields.map(fieldRow) : null
  const isKnown = action === undefined || action === null || action === '' || action === 'resolve'
  if (!isKnown || id === null || title === null || rows === null || !rows.every((row) => row !== null)) return null
  return { id, title, isResolving: action === 'resolve', fields: rows }
}

function fieldRow(field: unknown): FieldRow | null {
  const sent = recordOf(field)
  const [id, label, type] = [textOf(sent.id), textOf(sent.label), textOf(sent.type)]
  const [pattern, placeholder, help] = [textOf(sent.pattern), textOf(sent.placeholder), textOf(sent.help)]
  const options = optionLines(sent.options)
  if (id === null || label === null || type === null || options === null) return null
  if (pattern === null || placeholder === null || help === null) return null
  return { id, label, type, isRequired: sent.required === true, pattern, placeholder, help, options }
}

function optionLines(options: unknown): string | null {
  if (options === undefined || options === null) return ''
  if (!Array.isArray(options)) return null
  const lines = options.map((option) => {
    const [label, value] = [textOf(recordOf(option).label), textOf(recordOf(option).value)]
    return label === null || value === null ? null : `${cellText(label)};${cellText(value)}`
  })
  return lines.includes(null) ? null : lines.join('\n')
}

function recordOf(value: unknown): Unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Unknown) : {}
}

/** Returns '' for an absent value and null for one that is no text. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : null
}

export function cellText(value: string): string {
  return /[;"\r\n]/.test(value) || value !== value.trim() ? `"${value.replaceAll('"', '""')}"` : value
}

/** Matches one cell after its semicolon, quoted or not. */
const CELL = /;(?:\s*"((?:[^"]|"")*)"\s*(?=;|$)|([^;]*))/g

export function cellsOf(line: string): string[] {
  return [...`;${line}`.matchAll(CELL)].map(([, quoted, bare = '']) => (quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"')))
}

/** Returns the lines that are not empty. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}
