// Which wallets the simulated phone may be, out of what is there.
import { randomInt } from 'node:crypto'
import type { Wallets } from '../../../engine/domain/wallet/wallet-state.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { WALLETS_LOOKED_AT_MAX, WALLETS_PROPOSED_MAX } from './dev-limits.ts'
import type { ProposedWallet } from './phone-page.ts'

/** Test wallets among the first ones of the house. */
export function proposedWallets(wallets: Pick<Wallets, 'rows'>): ProposedWallet[] {
  const found: ProposedWallet[] = []
  let lookedAt = 0
  for (const [, { phone, tag, given_name, family_name }] of wallets.rows()) {
    if (++lookedAt > WALLETS_LOOKED_AT_MAX || found.length >= WALLETS_PROPOSED_MAX) break
    if (environmentOfPhone(phone) === 'test') found.push({ tag, name: `${given_name} ${family_name}` })
  }
  return found
}

/** A number of the test environment, drawn until nobody has it. */
export function freeTestPhone(wallets: Pick<Wallets, 'byPhone'>): string {
  for (;;) {
    const phone = `+225009${String(randomInt(10_000_000)).padStart(7, '0')}`
    if (wallets.byPhone(phone) === undefined) return phone
  }
}

/** The phone that a tag or a number leads to. Test wallets come first: this is a toy phone. */
export function phoneOf(wallets: Pick<Wallets, 'byTag'>, typed: string): string | 'unknown' | 'malformed' {
  const bare = typed.trim()
  const phone = bare.replaceAll(/[\s.()\u00a0\u202f-]/g, '').replace(/^00/, '+')
  if (/^\+[1-9][0-9]{7,14}$/.test(phone)) return phone
  const tag = normalizeTag(bare)
  if (tag === null) return 'malformed'
  return (wallets.byTag('test', tag) ?? wallets.byTag('live', tag))?.phone ?? 'unknown'
}
