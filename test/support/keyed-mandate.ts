// A mandate of a merchant and a wallet of its own.

import type { KeyedWorld } from './keyed-request.ts'
import { approvedMandate, createMandate, openPair, type Pair } from './mandate-callers.ts'

export async function mandateOf(
  world: KeyedWorld,
  isApproved: boolean,
  more: object = {},
): Promise<{ readonly pair: Pair; readonly id: string }> {
  const pair = await openPair(world.server, 10_000)
  const mandate = await (isApproved ? approvedMandate(pair, more) : createMandate(pair, more))
  return { pair, id: mandate.id }
}
