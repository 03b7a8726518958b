// How live disbursements change.
import { assert } from '../../kernel/assert.ts'
import { positionOf } from '../../kernel/position.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { type DisbursementChanged, type DisbursementCreated, hasEnded } from './disbursement-state.ts'

export const DISBURSEMENT_EVENTS = {
  'disbursement.created@1': addDisbursement,
  'disbursement.lines@1': null,
  'disbursement.changed@1': changeDisbursement,
} satisfies EventTable

function addDisbursement({ disbursements }: State, created: DisbursementCreated, event: StoredEvent, record: LogRecord): void {
  const { plan, person, run, progress } = created
  if (hasEnded(progress.status.state)) return
  const createdPosition = positionOf(record.sequence, record.events.indexOf(event))
  const row = { account: event.account, plan, person, ...(run === undefined ? {} : { run }), createdPosition, ...progress }
  disbursements.live.set(plan.id, row)
}

/** One that has ended leaves live state; the log has it. */
function changeDisbursement({ disbursements: { live } }: State, { disbursement_id, progress, turn }: DisbursementChanged): void {
  const row = live.get(disbursement_id)
  // A retry marks one that has ended.
  if (row === undefined) return assert(progress.is_retried, 'only a live disbursement changes')
  if (hasEnded(progress.status.state)) live.delete(disbursement_id)
  else live.set(disbursement_id, { ...row, ...progress, turns: progress.turns ?? (turn === undefined ? row.turns : [...row.turns, turn]) })
}
