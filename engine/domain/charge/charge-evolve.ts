// Appliers of pending charges. Later changes of a charge do not touch live state.
import { positionOf } from '../../kernel/position.ts'
import { parseRfc3339 } from '../../kernel/time.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { Charge, ChargeChange } from './charge-state.ts'

export const CHARGE_EVENTS = {
  'charge.created@1': addPending,
  'charge.paid@1': endPending,
  'charge.expired@1': endPending,
  'charge.cancelled@1': endPending,
  'charge.refunded@1': giveBack,
} satisfies EventTable

function addPending(state: State, charge: Charge, event: StoredEvent, record: LogRecord): void {
  const { token, amount, customer_tag, expires_at, payment_link_id } = charge
  const expires_at_ms = parseRfc3339(expires_at)
  const position = positionOf(record.sequence, record.events.indexOf(event))
  const row = { token, account: event.account, amount, customer_tag, expires_at_ms, position }
  state.charges.pending.set(token, payment_link_id === undefined ? row : { ...row, link_id: payment_link_id })
}

/** A paid charge is no longer pending. What it took of its payer's limits comes back. */
function giveBack({ rules }: State, { paid_at }: ChargeChange, _event: StoredEvent, record: LogRecord): void {
  rules.giveBack(record, parseRfc3339(paid_at ?? ''))
}

function endPending(state: State, { token }: ChargeChange): void {
  state.charges.pending.delete(token)
}
