// The noun module of charges.

import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { NounModule, TimedCommand } from '../noun-module.ts'
import { LIMIT_KINDS } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import {
  CANCEL_CHARGE_REJECTIONS,
  CREATE_CHARGE_REJECTIONS,
  decideCancelCharge,
  decideCreateCharge,
  decideExpireCharge,
  EXPIRE_CHARGE_REJECTIONS,
  type ExpireCharge,
} from './charge-decide.ts'
import { CHARGE_EVENTS } from './charge-evolve.ts'
import { CHARGE_INDEX_KEYS, CHARGE_INDEXED } from './charge-index-keys.ts'
import { PENDING_CHARGES } from './charge-limits.ts'
import { decidePayCharge, decideRefundCharge, PAY_CHARGE_REJECTIONS, REFUND_CHARGE_REJECTIONS } from './charge-payment-decide.ts'
import { CHARGE_TIMER, Charges } from './charge-state.ts'
import { CHARGE_DOCUMENTS } from './charge-versions.ts'

export const CHARGE = {
  state: { name: 'charges', create: (shared) => new Charges(shared) },
  quotas: [PENDING_CHARGES],
  commands: {
    CreateCharge: { decide: decideCreateCharge, rejections: CREATE_CHARGE_REJECTIONS, overBudget: 'rejected' },
    CancelCharge: { decide: decideCancelCharge, rejections: CANCEL_CHARGE_REJECTIONS, overBudget: 'rejected_unchanged' },
    ExpireCharge: { decide: decideExpireCharge, rejections: EXPIRE_CHARGE_REJECTIONS, overBudget: 'rejected_unchanged' },
    PayCharge: { decide: decidePayCharge, rejections: PAY_CHARGE_REJECTIONS, kinds: LIMIT_KINDS, overBudget: 'rejected' },
    RefundCharge: { decide: decideRefundCharge, rejections: REFUND_CHARGE_REJECTIONS, overBudget: 'rejected' },
  },
  events: CHARGE_EVENTS,
  indexKeys: CHARGE_INDEX_KEYS,
  indexed: CHARGE_INDEXED,
  timers: { [CHARGE_TIMER]: expireCharge },
  frames: ['charge.updated'],
  transactionTypes: ['charge', 'refund'],
  documents: CHARGE_DOCUMENTS,
} as const satisfies NounModule

function expireCharge(state: State, { key }: DueTimer): TimedCommand<ExpireCharge> {
  const pending = state.charges.pending.get(key)
  assert(pending !== undefined, 'a charge that is no longer pending has no timer')
  return { command: { type: 'ExpireCharge', merchant: pending.account, token: key }, mailbox: pending.account }
}
