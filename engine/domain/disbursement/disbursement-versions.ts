// A disbursement as it stands, and its lines: what the log keeps of its creation, of its turns, and of its newest change.
import { assert } from '../../kernel/assert.ts'
import { eventIndexOf, type Position, positionOf, sequenceOf } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { event, type Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { disbursementIndexKey } from './disbursement-index-keys.ts'
import { BLOCKS_PER_RECORD } from './disbursement-limits.ts'
import {
  type DisbursementAct,
  type DisbursementChanged,
  type DisbursementCreated,
  type DisbursementLines,
  type DisbursementProgress,
  type DisbursementRow,
  hasEnded,
  type PackedDisbursementLine,
} from './disbursement-state.ts'

/** Null when there is none with this id. */
export function findDisbursement({ disbursements }: State, past: Past, id: string): DisbursementRow | null {
  const live = disbursements.live.get(id)
  if (live !== undefined) return live
  const last = past.newest(disbursementIndexKey(id), (found) => isOf(found, id))
  if (last === null) return null
  if (last.event.type === 'disbursement.created')
    return rowOf(last.event, last.position, payloadOf<DisbursementCreated>(last.event).progress)
  const { created_position, progress } = payloadOf<DisbursementChanged>(last.event)
  const { turns } = progress
  assert(turns !== undefined, 'a disbursement that is not live has ended')
  return rowOf(past.eventAt(created_position), created_position, { ...progress, turns })
}

function isOf(found: StoredEvent, id: string): boolean {
  if (found.type === 'disbursement.created') return payloadOf<DisbursementCreated>(found).plan.id === id
  return found.type === 'disbursement.changed' && payloadOf<DisbursementChanged>(found).disbursement_id === id
}

function rowOf(created: StoredEvent, createdPosition: Position, progress: DisbursementProgress): DisbursementRow {
  assert(created.type === 'disbursement.created', 'a disbursement knows where it was created')
  const { plan, person, run } = payloadOf<DisbursementCreated>(created)
  return { account: created.account, plan, person, ...(run === undefined ? {} : { run }), createdPosition, ...progress }
}

/** The lines of one stored event: `block` counts from 0. */
export function blockOf(past: Pick<Past, 'eventAt'>, createdPosition: Position, block: number): readonly PackedDisbursementLine[] {
  const { chunks } = payloadOf<DisbursementCreated>(past.eventAt(createdPosition))
  const first = chunks[Math.floor(block / BLOCKS_PER_RECORD)]
  assert(first !== undefined, 'a disbursement has no more blocks than it says')
  const found = past.eventAt(positionOf(sequenceOf(first), eventIndexOf(first) + (block % BLOCKS_PER_RECORD)))
  assert(found.type === 'disbursement.lines', 'a disbursement knows where its lines are stored')
  return payloadOf<DisbursementLines>(found).lines
}

export function disbursementChanged(
  account: AccountNumber,
  row: DisbursementRow,
  progress: DisbursementProgress,
  act?: DisbursementAct,
): StoredEvent {
  const about = { disbursement_id: row.plan.id, created_position: row.createdPosition, ...(act === undefined ? {} : { act }) }
  const { turns, ...rest } = progress
  const [turn] = turns.slice(row.turns.length)
  const payload: DisbursementChanged = hasEnded(progress.status.state)
    ? { ...about, progress }
    : { ...about, progress: rest, ...(turn === undefined ? {} : { turn }) }
  return event('disbursement.changed', 1, account, payload)
}

export function progressOf({ status, cursor, due_ms, turns, is_retried }: DisbursementProgress): DisbursementProgress {
  return { status, cursor, due_ms, turns, is_retried }
}
