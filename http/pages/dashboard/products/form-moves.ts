// Actions of the form editor's buttons. Each returns the next rows, a status message and the element to focus.

import { FIELDS_MAX, STEPS_MAX } from '../../../../engine/api.ts'
import { FIELD_TYPES } from '../../../../engine/contract/biller-product.ts'
import type { Text } from '../../../text/text.ts'
import { TEXTS } from './form-moves-messages.ts'
import type { FieldRow, FormRows, StepRow } from './form-rows.ts'

export interface Moved {
  readonly rows: FormRows
  /** Id of the element that gets the focus. */
  readonly focus: string
  readonly notice: Text | string
}

const MOVE = /^(add|up|down|drop)-(step|field)(?:-(\d{1,2}))?$/

export const NEW_FIELD: FieldRow = {
  id: '',
  label: '',
  type: FIELD_TYPES[0],
  isRequired: true,
  pattern: '',
  placeholder: '',
  help: '',
  options: '',
}

/** Applies a move. `add-field-2` adds to the third step; other numbers name what moves. Returns null for an unknown move. */
export function moved(rows: FormRows, move: string): Moved | null {
  const [, verb, kind, number = '-1'] = MOVE.exec(move) ?? []
  const at = Number(number)
  if (verb === 'add') return kind === 'step' ? addStep(rows) : addField(rows, at)
  if (verb === 'drop') return kind === 'step' ? dropStep(rows, at) : dropField(rows, at)
  if (verb === 'up' || verb === 'down') return kind === 'step' ? shiftStep(rows, at, verb) : shiftField(rows, at, verb)
  return null
}

function addStep(rows: FormRows): Moved | null {
  const isFull = rows.length >= STEPS_MAX || countFields(rows) >= FIELDS_MAX
  if (isFull) return { rows, focus: 'add-step', notice: TEXTS.formFull }
  const step = { id: '', title: '', isResolving: false, fields: [NEW_FIELD] }
  return { rows: [...rows, step], focus: `step-${rows.length}-title`, notice: TEXTS.stepAdded }
}

function addField(rows: FormRows, at: number): Moved | null {
  const step = rows[at]
  if (step === undefined) return null
  if (countFields(rows) >= FIELDS_MAX) return { rows, focus: `step-${at}-add`, notice: TEXTS.formFull }
  const place = countFields(rows.slice(0, at + 1))
  const next = rows.with(at, { ...step, fields: [...step.fields, NEW_FIELD] })
  return { rows: next, focus: `field-${place}-label`, notice: TEXTS.fieldAdded }
}

function dropStep(rows: FormRows, at: number): Moved | null {
  return at in rows ? { rows: rows.toSpliced(at, 1), focus: 'add-step', notice: TEXTS.stepDeleted } : null
}

function dropField(rows: FormRows, at: number): Moved | null {
  const place = placeOf(rows, at)
  if (place === null) return null
  const { step, index } = place
  return { rows: withFields(rows, step, (fields) => fields.toSpliced(index, 1)), focus: `step-${step}-add`, notice: TEXTS.fieldDeleted }
}

function shiftStep(rows: FormRows, at: number, verb: 'up' | 'down'): Moved | null {
  const [here, to] = [rows[at], verb === 'up' ? at - 1 : at + 1]
  const there = rows[to]
  if (here === undefined) return null
  if (there === undefined) return { rows, focus: `step-${at}-${verb}`, notice: TEXTS.stepAlreadyAtEnd }
  return { rows: rows.with(at, there).with(to, here), focus: `step-${to}-${verb}`, notice: TEXTS.stepMoved }
}

/** Moves a field. Beyond the end of its step it moves into the adjacent step. */
function shiftField(rows: FormRows, at: number, verb: 'up' | 'down'): Moved | null {
  const place = placeOf(rows, at)
  if (place === null) return null
  const { step, index } = place
  const field = rows[step]?.fields[index] as FieldRow
  const isWithin = verb === 'up' ? index > 0 : index + 1 < (rows[step] as StepRow).fields.length
  const toStep = isWithin ? step : verb === 'up' ? step - 1 : step + 1
  const target = rows[toStep]
  if (target === undefined) return { rows, focus: `field-${at}-${verb}`, notice: TEXTS.fieldAlreadyAtEnd }
  const without = withFields(rows, step, (fields) => fields.toSpliced(index, 1))
  const toIndex = isWithin ? index + (verb === 'up' ? -1 : 1) : verb === 'up' ? target.fields.length : 0
  const next = withFields(without, toStep, (fields) => fields.toSpliced(toIndex, 0, field))
  const number = countFields(next.slice(0, toStep)) + toIndex
  return { rows: next, focus: `field-${number}-${verb}`, notice: isWithin ? TEXTS.fieldMoved : TEXTS.fieldMovedStep(toStep + 1) }
}

function withFields(rows: FormRows, step: number, change: (fields: readonly FieldRow[]) => readonly FieldRow[]): FormRows {
  const row = rows[step] as StepRow
  return rows.with(step, { ...row, fields: change(row.fields) })
}

function placeOf(rows: FormRows, at: number): { readonly step: number; readonly index: number } | null {
  let left = at
  for (const [step, { fields }] of rows.entries()) {
    if (left >= 0 && left < fields.length) return { step, index: left }
    left -= fields.length
  }
  return null
}

function countFields(rows: FormRows): number {
  return rows.reduce((sum, { fields }) => sum + fields.length, 0)
}
