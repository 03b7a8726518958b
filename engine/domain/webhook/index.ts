// The noun module of webhook endpoints, events and deliveries.
import type { NounModule } from '../noun-module.ts'
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
import { WEBHOOK_EVENTS } from './webhook-evolve.ts'
import { WEBHOOK_INDEX_KEYS, WEBHOOK_INDEXED } from './webhook-index-keys.ts'
import { OPEN_DELIVERIES, WEBHOOK_ENDPOINTS } from './webhook-limits.ts'
import { Webhooks } from './webhook-state.ts'

export const WEBHOOK = {
  state: { name: 'webhooks', create: (shared) => new Webhooks(shared) },
  quotas: [OPEN_DELIVERIES, WEBHOOK_ENDPOINTS],
  commands: {
    CreateEndpoint: { decide: decideCreateEndpoint, rejections: CREATE_ENDPOINT_REJECTIONS, overBudget: 'rejected' },
    UpdateEndpoint: { decide: decideUpdateEndpoint, rejections: UPDATE_ENDPOINT_REJECTIONS, overBudget: 'rejected' },
    DeleteEndpoint: { decide: decideDeleteEndpoint, rejections: DELETE_ENDPOINT_REJECTIONS, overBudget: 'rejected_unchanged' },
    RotateSecret: { decide: decideRotateSecret, rejections: ROTATE_SECRET_REJECTIONS, overBudget: 'rejected' },
    PingEndpoint: { decide: decidePingEndpoint, rejections: PING_ENDPOINT_REJECTIONS, overBudget: 'rejected' },
    RecordDeliveries: { decide: decideRecordDeliveries, rejections: [], overBudget: 'counted' },
    Redeliver: { decide: decideRedeliver, rejections: REDELIVER_REJECTIONS, overBudget: 'rejected' },
  },
  events: WEBHOOK_EVENTS,
  indexKeys: WEBHOOK_INDEX_KEYS,
  indexed: WEBHOOK_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
