// Bugs that only the simulation of every noun must catch: lost rows, timers, moves and money, over crashes and starts.
import type { PlantedBug } from '../bug.ts'

const tests = ['test/proof/simulate/simulate.test.ts'] as const

const bug =
  (file: string) =>
  (name: string, from: string, to: string): PlantedBug => ({ name, file, from, to, tests })

const schedules = bug('engine/domain/schedule/schedule-state.ts')
const webhooks = bug('engine/domain/webhook/webhook-evolve.ts')

export const SIMULATED_BUGS: readonly PlantedBug[] = [
  bug('engine/domain/auth/auth-state.ts')(
    'the networks of a wallet stand in no snapshot',
    'new Table<KnownNetworks>(this,',
    'new Table<KnownNetworks>(new SnapshotTables(),',
  ),
  bug('engine/actor/snapshot.ts')(
    'the counts of transactions stand in no snapshot',
    '  yield { key: COUNTS_ROW, value: JSON.stringify(counts) }\n',
    '',
  ),
  bug('engine/domain/charge/charge-versions.ts')(
    'a charge that is over is found by the hash of its token alone',
    '(one) => isChargeVersion(one, token))',
    '(one) => isChargeVersion(one))',
  ),
  schedules(
    'a schedule that was paused keeps its timer',
    'if (next === null) timers.cancel(SCHEDULE_TIMER, id)',
    'if (row === undefined) timers.cancel(SCHEDULE_TIMER, id)\n      else if (next === null) return',
  ),
  schedules(
    'a schedule that was resumed has no timer',
    'else timers.set(SCHEDULE_TIMER, id, parseRfc3339(next))',
    "else if (before?.status.state !== 'paused') timers.set(SCHEDULE_TIMER, id, parseRfc3339(next))",
  ),
  bug('engine/domain/charge/charge-state.ts')(
    'a charge of a payment link has no timer after a start from a snapshot',
    'else timers.set(CHARGE_TIMER, token, row.expires_at_ms)',
    'else if (row.link_id === undefined) timers.set(CHARGE_TIMER, token, row.expires_at_ms)',
  ),
  bug('engine/domain/mandate/mandate-state.ts')(
    'a mandate that its customer has not answered has no timer',
    'else timers.set(MANDATE_TIMER, id, dueMs)',
    'else if (row?.isPending !== true) timers.set(MANDATE_TIMER, id, dueMs)',
  ),
  bug('engine/domain/funding/approval-decide.ts')(
    'an approved movement credits twice',
    "return { ...decision, events: [...decision.events, approved], kind: 'ok'",
    "return { ...decision, transactions: [...decision.transactions, ...decision.transactions], events: [...decision.events, approved], kind: 'ok'",
  ),
  bug('engine/actor/replay.ts')(
    'the key of a record in the snapshot is not indexed again',
    'if (!isIndexed) this.#history.add(record, true)',
    'if (!isIndexed) this.#history.add(isApplied ? { ...record, idempotency: null } : record, true)',
  ),
  webhooks(
    'of several endpoints only the first gets a delivery',
    'for (const { id, endpoint_id, url, dropped, displaces } of deliveries) {',
    'for (const { id, endpoint_id, url, dropped, displaces } of deliveries.slice(0, 1)) {',
  ),
  webhooks(
    'a delivery that failed keeps the time of its last attempt',
    '{ ...delivery, attempts: attempt, nextAttemptMs: parseRfc3339(next_attempt_at) }',
    '{ ...delivery, attempts: attempt }',
  ),
  bug('engine/domain/webhook/merchant-event.ts')(
    'the webhook events of one record have the same id',
    '    const id = context.newId()\n    const document_position',
    '    const id = `${context.timeMs}-${context.sequence}`\n    const document_position',
  ),
  bug('engine/domain/payment-link/payment-link-decide.ts')(
    'a payment link that is closed is closed again',
    "  if (link.state === 'closed') return accept(link, [], 'ok')\n",
    '',
  ),
  bug('engine/domain/auth/pin-decide.ts')(
    'the lock of a PIN does not expire',
    'if (counts.locked_until_ms > context.timeMs) return',
    'if (counts.locked_until_ms > 0) return',
  ),
  bug('engine/domain/dashboard/dashboard-state.ts')(
    'a count of wrong passwords outlives its time',
    'if (count !== undefined && count.expires_at_ms > nowMs) return count',
    'if (count !== undefined) return count',
  ),
  bug('engine/domain/bill/bill-refund-decide.ts')(
    'a refund returns more than was paid',
    "const movement = rules.judgeRefund({ debit: merchant, credit: payer.account, amount }, payment, 'bill')",
    "const movement = rules.judgeRefund({ debit: merchant, credit: payer.account, amount: amount + 1 }, payment, 'bill')",
  ),
  bug('engine/domain/cash-request/cash-request-evolve.ts')(
    'the hold of a refused withdrawal stays',
    "'withdrawal.refused@1': release",
    "'withdrawal.refused@1': close",
  ),
  bug('engine/domain/webhook/delivery-decide.ts')(
    'the Retry-After of a receiver is ignored',
    'return Math.max(drawnMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS))',
    'return drawnMs',
  ),
  bug('engine/domain/webhook/delivery-decide.ts')(
    'an endpoint that answered 410 stays enabled',
    "savedEndpoint({ ...endpoint, status: 'disabled', disabled_reason: 'gone' })",
    "savedEndpoint({ ...endpoint, disabled_reason: 'gone' })",
  ),
  bug('engine/domain/message/message-decide.ts')(
    'the waits of a message do not grow',
    'waits[Math.min(attempts, waits.length - 1)]',
    'waits[0]',
  ),
  bug('engine/domain/message/message-decide.ts')(
    'the Retry-After of a gateway is ignored',
    'const chosenMs = Math.max(drawnMs, retryAfterMs ?? 0)',
    'const chosenMs = drawnMs',
  ),
  bug('engine/domain/auth/device-events.ts')(
    'the newest device gives way to a new one',
    'const [first] = devices\n',
    'const first = devices.at(-1)\n',
  ),
  bug('engine/domain/dashboard/dashboard-events.ts')(
    'the newest session of a dashboard gives way to a new one',
    'open.slice(0, Math.max(0, open.length + 1 - most))',
    'open.reverse().slice(0, Math.max(0, open.length + 1 - most))',
  ),
  bug('engine/domain/funding/approval-decide.ts')(
    'an approval answers the movement in place of itself',
    "kind: 'ok', body: decision.events.length }",
    "kind: 'ok', body: 0 }",
  ),
  bug('engine/domain/charge/charge-payment-decide.ts')(
    "a charge's refund transaction has no reference",
    '{ id: refund_transaction_id, reference: charge.reference, eventIndex: 0 }',
    "{ id: refund_transaction_id, reference: '', eventIndex: 0 }",
  ),
  bug('engine/domain/log-budget/log-budget-state.ts')(
    'the daily log budget does not begin again',
    'return row?.day === dayOf(timeMs) ? row.bytes : 0',
    'return row?.bytes ?? 0',
  ),
]
