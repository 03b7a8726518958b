// How live mandates change: each version takes the place of the one before, a final one ends the row.
import { positionOf } from '../../kernel/position.ts'
import { parseRfc3339 } from '../../kernel/time.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { MandateChange, MandateVersion } from './mandate-state.ts'

export const MANDATE_EVENTS = {
  'mandate.created@1': setVersion,
  'mandate.approved@1': setVersion,
  'mandate.rejected@1': setVersion,
  'mandate.cancelled@1': setVersion,
  'mandate.charged@1': setVersion,
  'mandate.charge_failed@1': setVersion,
  'mandate.paused@1': setVersion,
  'mandate.expired@1': setVersion,
} satisfies EventTable

function setVersion(
  state: State,
  { mandate, customer, due_at }: MandateVersion | MandateChange,
  event: StoredEvent,
  record: LogRecord,
): void {
  const { id } = mandate
  if (mandate.state === 'cancelled' || mandate.state === 'rejected' || mandate.state === 'expired') {
    state.mandates.live.delete(id)
    return
  }
  const dueMs = due_at === null ? null : parseRfc3339(due_at)
  const position = positionOf(record.sequence, record.events.indexOf(event))
  const row = { id, account: event.account, customer, dueMs, position }
  state.mandates.live.set(id, mandate.state === 'pending' ? { ...row, isPending: true } : row)
}
