// The scenario behind the golden file of operators with a name and of dual control.

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
