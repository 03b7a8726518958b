// Deliveries of a large batch: 500 lines and 16 endpoints are 8 000, far too many for one turn. The batch's record has the merchant events
// and plans a fan-out; each turn of it opens a bounded number, at the cost of as many lines of its merchant.

import type { Position } from '../../kernel/position.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { DeliveryRoom } from './delivery-room.ts'
import { wants } from './merchant-event.ts'
import type { AdvancedFanOut, MerchantEventHead, ReopenedDelivery } from './webhook-events.ts'
import { FAN_OUT_DELIVERIES } from './webhook-limits.ts'
import type { Delivery, FanOut } from './webhook-state.ts'

/** By the timer of the row. */
export interface OpenDeliveries {
  readonly type: 'OpenDeliveries'
  readonly merchant: AccountNumber
  /** Of the fan-out. */
  readonly id: string
  readonly dueMs: TimeMs
}

/** Returns `ok`. Ignores a fan-out that has ended. Endpoints are those of today. */
export function decideOpenDeliveries(state: State, { merchant, id, dueMs }: OpenDeliveries, context: Context): Decision<never> {
  const row = state.webhooks.fanOuts.get(id)
  const isDue = row !== undefined && row.account === merchant && row.dueMs === dueMs
  const events = isDue ? openedBy(state, row, context) : []
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], kind: 'ok', body: '{}' }
}

function openedBy(state: State, { id, account, next, end }: FanOut, context: Context): StoredEvent[] {
  const endpoints = state.webhooks.endpointsOf(account)
  const room = new DeliveryRoom(state, account)
  const events: StoredEvent[] = []
  let position = next
  for (; position < end && events.length + endpoints.length <= FAN_OUT_DELIVERIES; position++) {
    const { id: event_id, type } = payloadOf<MerchantEventHead>(context.past.eventAt(position))
    for (const endpoint of endpoints) {
      if (!wants(endpoint, type)) continue
      const { dropped, displaces } = room.take()
      if (dropped === true) continue
      const delivery = newDelivery(context, account, endpoint.id, position)
      const payload: ReopenedDelivery = displaces === undefined ? { event_id, delivery } : { event_id, delivery, displaces }
      events.push(event('delivery.reopened', 1, account, payload))
    }
  }
  return [...events, event('fan_out.advanced', 1, account, { id, next: position } satisfies AdvancedFanOut)]
}

/** Written out: V8 gives an object of spreads that has further fields a hidden class of its own, which took 1.5 KB a delivery. */
function newDelivery(context: Context, account: AccountNumber, endpointId: string, position: Position): Delivery {
  return {
    id: context.newId(),
    account,
    endpoint_id: endpointId,
    url: null,
    position,
    attempts: 0,
    nextAttemptMs: context.timeMs,
  }
}
