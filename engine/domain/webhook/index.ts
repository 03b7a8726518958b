// The noun module of webhook endpoints, events and deliveries.
import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { NounModule, TimedCommand } from '../noun-module.ts'
import type { State } from '../state.ts'
import { decideRecordDeliveries, decideRedeliver, REDELIVER_REJECTIONS } from './delivery-decide.ts'
import {
  CREATE_ENDPOINT_REJECTIONS,
  DELETE_ENDPOINT_REJECTIONS,
  decideCreateEndpoint,
  decideDeleteEndpoint,
  decidePingEndpoint,
  decideRotateSecret,
  decideUpdateEndpoint,
  PING_ENDPOINT_REJECTIONS,
  ROTATE_SECRET_REJECTIONS,
  UPDATE_ENDPOINT_REJECTIONS,
} from './endpoint-decide.ts'
import { decideOpenDeliveries, type OpenDeliveries } from './fan-out.ts'
import { WEBHOOK_EVENTS } from './webhook-evolve.ts'
import { WEBHOOK_INDEX_KEYS, WEBHOOK_INDEXED } from './webhook-index-keys.ts'
import { FAN_OUT_LINES, FAN_OUTS, OPEN_DELIVERIES, WEBHOOK_ENDPOINTS } from './webhook-limits.ts'
import { FAN_OUT_TIMER, Webhooks } from './webhook-state.ts'

export const WEBHOOK = {
  state: { name: 'webhooks', create: (shared) => new Webhooks(shared) },
  quotas: [OPEN_DELIVERIES, WEBHOOK_ENDPOINTS, FAN_OUTS],
  commands: {
    CreateEndpoint: { decide: decideCreateEndpoint, rejections: CREATE_ENDPOINT_REJECTIONS, overBudget: 'rejected' },
    UpdateEndpoint: { decide: decideUpdateEndpoint, rejections: UPDATE_ENDPOINT_REJECTIONS, overBudget: 'rejected' },
    DeleteEndpoint: { decide: decideDeleteEndpoint, rejections: DELETE_ENDPOINT_REJECTIONS, overBudget: 'rejected_unchanged' },
    RotateSecret: { decide: decideRotateSecret, rejections: ROTATE_SECRET_REJECTIONS, overBudget: 'rejected' },
    PingEndpoint: { decide: decidePingEndpoint, rejections: PING_ENDPOINT_REJECTIONS, overBudget: 'rejected' },
    RecordDeliveries: { decide: decideRecordDeliveries, rejections: [], overBudget: 'counted' },
    Redeliver: { decide: decideRedeliver, rejections: REDELIVER_REJECTIONS, overBudget: 'rejected' },
    OpenDeliveries: { decide: decideOpenDeliveries, rejections: [], overBudget: 'counted', lines: () => FAN_OUT_LINES },
  },
  events: WEBHOOK_EVENTS,
  indexKeys: WEBHOOK_INDEX_KEYS,
  indexed: WEBHOOK_INDEXED,
  timers: { [FAN_OUT_TIMER]: openDeliveries },
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule

function openDeliveries({ webhooks }: State, { key, dueMs }: DueTimer): TimedCommand<OpenDeliveries> {
  const row = webhooks.fanOuts.get(key)
  assert(row !== undefined, 'a fan-out that has ended has no timer')
  return { command: { type: 'OpenDeliveries', merchant: row.account, id: key, dueMs }, mailbox: row.account, linesCount: FAN_OUT_LINES }
}
