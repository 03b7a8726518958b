// The form of a product in the editor: as rows, and as JSON. The changed one of the two counts. When both were changed,
// both are kept and the author chooses.

import { hash } from 'node:crypto'
import { readFormSchema } from '../../../../engine/api.ts'
import { errorText } from '../../../text/error-text.ts'
import type { Text } from '../../../text/text.ts'
import { composed } from '../../../text/text.ts'
import { texts } from '../../shared/texts.ts'
import { parsed } from '../shared/typed-text.ts'
import { type FormRows, jsonOf, rowsOfSchema, rowsSent, type SentRows, schemaOf } from './form-rows.ts'

const TEXTS = texts({
  fr: {
    bothFieldsAndJsonWere: 'Les champs et ce JSON ont été modifiés tous les deux. Dites lequel garder avec un des boutons ci-dessous.',
    textNotJson: 'Ce texte n’est pas du JSON.',
    editorHasNoRowsFor: 'L’éditeur n’a pas de lignes pour ce formulaire.',
  },
  en: {
    bothFieldsAndJsonWere: 'Both the fields and this JSON were changed. Choose which one to keep by a button below.',
    textNotJson: 'This text is not JSON.',
    editorHasNoRowsFor: 'The editor has no rows for this form.',
  },
})

export interface FormDraft {
  readonly rows: FormRows
  /** Content of the JSON area. */
  readonly json: string
  /** Which of the two counts. Null until the author has chosen. */
  readonly source: 'rows' | 'json' | null
  /** Error message about the JSON. */
  readonly fault: Text | string | null
  /** Digest of the form as last rendered. It reveals a change of either. */
  readonly drawn: string
}

export function draftOf(rows: FormRows): FormDraft {
  const json = jsonOf(rows)
  return { rows, json, source: 'rows', fault: null, drawn: markOf(json) }
}

export interface SentDraft {
  /** The JSON area. */
  readonly schema: string
  /** `drawn` of the page that was sent. */
  readonly drawn: string
  /** The pressed button. `json` and `rows` choose which of the two counts. */
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

const BOTH = TEXTS.bothFieldsAndJsonWere

function markOf(json: string): string {
  return hash('sha256', json, 'hex').slice(0, 16)
}

/** Returns the form for the API. Text that is no JSON returns null, for which the API has an error code. */
export function schemaSent({ rows, json, source }: FormDraft): unknown {
  return source === 'json' ? parsed(json) : schemaOf(rows)
}

function faultOf(json: string): Text | string {
  const schema = parsed(json)
  if (schema === null) return TEXTS.textNotJson
  const form = readFormSchema(schema)
  return 'code' in form ? composed`${errorText({ code: form.code })} (${form.param})` : TEXTS.editorHasNoRowsFor
}
