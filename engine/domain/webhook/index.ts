// The noun of webhook endpoints, events and deliveries: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import { decideRecordDeliveries, decideRedeliver } from './delivery-decide.ts'
import {
  decideCreateEndpoint,
  decideDeleteEndpoint,
  decidePingEndpoint,
  decideRotateSecret,
  decideUpdateEndpoint,
} from './endpoint-decide.ts'
import { WEBHOOK_EVENTS } from './webhook-evolve.ts'
import { WEBHOOK_INDEX_KEYS, WEBHOOK_INDEXED } from './webhook-index-keys.ts'
import { Webhooks } from './webhook-state.ts'

export const WEBHOOK = {
  state: { name: 'webhooks', create: () => new Webhooks() },
  commands: {
    CreateEndpoint: { decide: decideCreateEndpoint, overBudget: 'rejected' },
    UpdateEndpoint: { decide: decideUpdateEndpoint, overBudget: 'rejected' },
    DeleteEndpoint: { decide: decideDeleteEndpoint, overBudget: 'rejected_unchanged' },
    RotateSecret: { decide: decideRotateSecret, overBudget: 'rejected' },
    PingEndpoint: { decide: decidePingEndpoint, overBudget: 'rejected' },
    RecordDeliveries: { decide: decideRecordDeliveries, overBudget: 'counted' },
    Redeliver: { decide: decideRedeliver, overBudget: 'rejected' },
  },
  events: WEBHOOK_EVENTS,
  indexKeys: WEBHOOK_INDEX_KEYS,
  indexed: WEBHOOK_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
