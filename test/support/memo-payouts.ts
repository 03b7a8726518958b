// Payouts as a later release may write them: version 2 of `payout.paid` and `payout.failed` has a `memo`. Version 1 reads as
// a payout with an empty one.
import { type Context, type Decision, isRefused } from '../../engine/domain/decision.ts'
import type { NounModule } from '../../engine/domain/noun-module.ts'
import { NounRegistry } from '../../engine/domain/noun-registry.ts'
import { PAYOUT } from '../../engine/domain/payout/index.ts'
import { type CreatePayout, decideCreatePayout } from '../../engine/domain/payout/payout-decide.ts'
import type { Payout } from '../../engine/domain/payout/payout-state.ts'
import { payloadOf, type StoredEvent } from '../../engine/domain/record.ts'
import { NOUNS } from '../../engine/domain/registry.ts'
import type { State } from '../../engine/domain/state.ts'

export interface MemoPayout extends Payout {
  readonly memo: string
}

export interface CreateMemoPayout extends CreatePayout {
  readonly memo: string
}

function decide(state: State, command: CreateMemoPayout, context: Context): Decision {
  const decision = decideCreatePayout(state, command, context)
  if (isRefused(decision)) return decision
  return { ...decision, events: decision.events.map((event) => withMemo(event, command.memo)) }
}

function withMemo(event: StoredEvent, memo: string): StoredEvent {
  const payout: MemoPayout = { ...payloadOf<Payout>(event), memo }
  return { ...event, version: 2, text: JSON.stringify(payout), payload: payout }
}

const upcast = (payout: Payout): MemoPayout => ({ ...payout, memo: '' })

const WITH_MEMO = {
  ...PAYOUT,
  commands: { ...PAYOUT.commands, CreatePayout: { decide, rejections: [], overBudget: 'rejected' } },
  events: { ...PAYOUT.events, 'payout.paid@2': null, 'payout.failed@2': null },
  upcasters: { 'payout.paid@1': upcast, 'payout.failed@1': upcast },
} as const satisfies NounModule

export const MEMO_REGISTRY = new NounRegistry(NOUNS.map((noun): NounModule => (noun === PAYOUT ? WITH_MEMO : noun)))
