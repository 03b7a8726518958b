// The scenarios behind the golden files of operators with a name and of dual control.

import type { Command } from '../../engine/domain/command.ts'
import { confirmTopUp, payWithdrawal, requestTopUp, requestWithdrawal } from '../support/cash-request-commands.ts'
import { deposit, openMerchant, withdraw } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must, newestId } from './golden-steps.ts'

const ABOVE = 1_000

export function playOperators(fixture: EngineFixture): void {
  const { id: merchantId } = openMerchant(fixture, 'Boutique "Baobab"')
  const make = (name: string) =>
    ({
      type: 'CreateOperator',
      name,
      email: `${name}@service.example`,
      role: 'finance',
      tokenHash: `hash ${name}`,
      sealedToken: 'sealed',
    }) as const
  const operator = (name: string) => ({ id: fixture.state.operators.byEmail(`${name}@service.example`)?.id ?? '', name })
  must(fixture, make('fatou'), 201, 'fatou')
  must(fixture, make('fatou'), 409)
  must(fixture, make('moussa'), 201)
  const [fatou, moussa] = [operator('fatou'), operator('moussa')]
  const large = { ...deposit({ merchantId }, 5_000, 'live', 'virement'), secondPersonAbove: ABOVE } as const
  must(fixture, { ...large, amount: ABOVE }, 201, 'small', fatou)
  must(fixture, large, 202, 'large', fatou)
  const waiting = newestId(fixture)
  must(fixture, { type: 'ApproveMovement', id: waiting }, 403, undefined, fatou)
  must(fixture, { type: 'ApproveMovement', id: waiting }, 200, 'approve', moussa)
  must(fixture, { type: 'RefuseMovement', id: waiting, reason: 'Trop tard.' }, 409, 'late', fatou)
  must(fixture, { ...withdraw({ merchantId }, 2_000, 'live'), secondPersonAbove: ABOVE } as const, 202, 'out', moussa)
  must(fixture, { type: 'RefuseMovement', id: newestId(fixture), reason: 'Non.' }, 200, 'refuse', fatou)
  must(fixture, { type: 'RevokeOperator', id: moussa.id }, 200)
  must(fixture, { ...large, reference: 'attend' }, 202, 'waits', fatou)
}

/** Version 2 of the events: also of top-ups and withdrawals of merchants. */
export function playDualControl(fixture: EngineFixture): void {
  const { id: merchantId, live } = openMerchant(fixture, 'Boutique "Baobab"')
  const fatou = { id: '01a0c450-0000-7000-8000-000000000001', name: 'Fatou' }
  const moussa = { id: '01a0c450-0000-7000-8000-000000000002', name: 'Moussa' }
  const decide = (id: string, verb: 'approve' | 'refuse'): void =>
    verb === 'approve'
      ? must(fixture, { type: 'ApproveMovement', id }, 200, undefined, moussa)
      : must(fixture, { type: 'RefuseMovement', id, reason: 'Non.' }, 200, undefined, fatou)
  const made = (command: Parameters<typeof must>[1], status: number): string => {
    must(fixture, command, status, undefined, fatou)
    return newestId(fixture)
  }
  must(fixture, deposit({ merchantId }, 9_000, 'live'), 201)
  decide(made({ ...deposit({ merchantId }, 5_000, 'live'), secondPersonAbove: ABOVE }, 202), 'approve')
  const topUp = made(requestTopUp(live, 2_000, 'Appro “é”'), 201)
  decide(made(confirmTopUp(topUp, { secondPersonAbove: ABOVE }), 202), 'refuse')
  decide(made(confirmTopUp(topUp, { amount: 1_900, secondPersonAbove: ABOVE }), 202), 'approve')
  decide(made({ ...payWithdrawal(made(requestWithdrawal(live, 3_000), 201)), secondPersonAbove: ABOVE }, 202), 'approve')
  const waiting = { ...payWithdrawal(made(requestWithdrawal(live, 4_000), 201)), secondPersonAbove: ABOVE }
  made(waiting, 202)
  must(fixture, waiting, 409, 'again', moussa)
}

/** The sum of a day that needs a second operator, and operators who wait for a second administrator. */
export function playSecondPersons(fixture: EngineFixture): void {
  const { id: merchantId } = openMerchant(fixture, 'Boutique "Baobab"')
  const make = (name: string, role: 'admin' | 'finance'): Command => ({
    type: 'CreateOperator',
    ...{ name, email: `${name}@service.example`, role, tokenHash: `hash ${name}`, sealedToken: 'sealed', isDualControlled: true },
  })
  const asked = (name: string): string => {
    must(fixture, make(name, 'finance'), 202, name)
    return newestId(fixture)
  }
  must(fixture, make('awa', 'admin'), 201)
  const awa = { id: fixture.state.operators.byEmail('awa@service.example')?.id ?? '', name: 'awa' }
  const fatou = asked('fatou')
  const credential = { tokenHash: 'mailed fatou', email: { to: 'fatou@service.example', sealed: 'sealed' } }
  const approveFatou = { type: 'ApproveOperator', id: fatou, credential } as const
  must(fixture, approveFatou, 403)
  must(fixture, approveFatou, 200, 'approve', awa)
  must(fixture, { type: 'RefuseOperator', id: fatou, reason: 'Trop tard.' }, 409)
  must(fixture, { type: 'RefuseOperator', id: asked('moussa'), reason: 'Inconnu “é”.' }, 200)
  asked('binta')
  const part = { ...deposit({ merchantId }, 600, 'live', 'part'), secondPersonAboveDay: ABOVE } as const
  const by = { id: fatou, name: 'fatou' }
  must(fixture, part, 201, 'first', by)
  must(fixture, part, 202, 'second', by)
  must(fixture, { ...part, amount: 400 }, 201, 'rest', by)
  must(fixture, part, 201, 'root')
  fixture.loop.nowMs += 86_400_000
  must(fixture, part, 201, 'next day', by)
}
