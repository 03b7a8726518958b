// The form of a product while it is being edited: rows, and the same as JSON for those who prefer it. Whichever of the two
// was changed counts; where both were, neither is thrown away and the author is asked.
import { hash } from 'node:crypto'
import { readFormSchema } from '../../../engine/api.ts'
import { ERRORS } from '../../../engine/contract/errors.ts'
import { type FormRows, jsonOf, rowsOfSchema, rowsSent, type SentRows, schemaOf } from './form-rows.ts'
import { parsed } from './typed.ts'

export interface FormDraft {
  readonly rows: FormRows
  /** What the JSON area shows. */
  readonly json: string
  /** Which of the two is the form; null while the author has to say. */
  readonly source: 'rows' | 'json' | null
  /** What is wrong with the JSON. */
  readonly fault: string | null
  /** Stands for the form as both last showed it, so that a change of either can be told. */
  readonly drawn: string
}

export function draftOf(rows: FormRows): FormDraft {
  const json = jsonOf(rows)
  return { rows, json, source: 'rows', fault: null, drawn: markOf(json) }
}

export interface SentDraft {
  /** The JSON area. */
  readonly schema: string
  /** Of the page that was filled in. */
  readonly drawn: string
  /** The button: `json` and `rows` say which of the two counts. */
  readonly do: string
}

export function draftSent(sent: SentDraft, sentRows: SentRows): FormDraft {
  const rows = rowsSent(sentRows)
  const typed = sent.schema.replaceAll('\r\n', '\n')
  const typedRows = rowsOfSchema(parsed(typed))
  const [rowsJson, typedJson] = [jsonOf(rows), typedRows === null ? typed : jsonOf(typedRows)]
  if (typedJson === rowsJson || sent.do === 'rows') return draftOf(rows)
  const apart = { rows, json: typed, drawn: sent.drawn }
  const fromJson: FormDraft = typedRows === null ? { ...apart, source: 'json', fault: faultOf(typed) } : draftOf(typedRows)
  if (sent.do === 'json' || Object.keys(sentRows).length === 0) return fromJson
  const [rowsChanged, jsonChanged] = [markOf(rowsJson) !== sent.drawn, markOf(typedJson) !== sent.drawn]
  if (!jsonChanged) return draftOf(rows)
  return rowsChanged ? { ...apart, source: null, fault: BOTH } : fromJson
}

const BOTH = 'Les champs et ce JSON ont été modifiés tous les deux. Dites lequel garder avec un des boutons ci-dessous.'

function markOf(json: string): string {
  return hash('sha256', json, 'hex').slice(0, 16)
}

/** As the API takes it; null for what is no JSON, which the API has a code for. */
export function schemaSent({ rows, json, source }: FormDraft): unknown {
  return source === 'json' ? parsed(json) : schemaOf(rows)
}

function faultOf(json: string): string {
  const schema = parsed(json)
  if (schema === null) return 'Ce texte n’est pas du JSON.'
  const form = readFormSchema(schema)
  return 'code' in form ? `${ERRORS[form.code].message} (${form.param})` : 'L’éditeur n’a pas de lignes pour ce formulaire.'
}
