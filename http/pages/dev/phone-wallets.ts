// The wallets that the simulated phone proposes.
import { randomInt } from 'node:crypto'
import type { EngineApi } from '../../../engine/api.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { WALLETS_LOOKED_AT_MAX, WALLETS_PROPOSED_MAX } from './dev-limits.ts'
import type { ProposedWallet } from './phone-page.ts'

type Asked = Pick<EngineApi, 'query'>

/** Returns the test wallets among the first wallets of the application. */
export function proposedWallets(engine: Asked): ProposedWallet[] {
  const wallets = engine.query('wallets.firstOfTest', { limit: WALLETS_PROPOSED_MAX, readMax: WALLETS_LOOKED_AT_MAX })
  return wallets.map(({ tag, given_name, family_name }) => ({ tag, name: `${given_name} ${family_name}` }))
}

/** Returns a random phone number of the test environment without a wallet. */
export function freeTestPhone(engine: Asked): string {
  for (;;) {
    const phone = `+225009${String(randomInt(10_000_000)).padStart(7, '0')}`
    if (engine.query('wallets.byPhone', { phone }) === null) return phone
  }
}

/** Returns the phone of a tag or a number. Test wallets come first, because this phone is simulated. */
export function phoneOf(engine: Asked, typed: string): string | 'unknown' | 'malformed' {
  const phone = phoneIn(typed)
  if (phone !== null) return phone
  const tag = normalizeTag(typed.trim())
  if (tag === null) return 'malformed'
  return (
    (engine.query('wallets.byTag', { environment: 'test', tag }) ?? engine.query('wallets.byTag', { environment: 'live', tag }))?.phone ??
    'unknown'
  )
}

/** Returns the tag of a number with a wallet, null for a number without one. Any other text is returned as it was typed. */
export function tagOfPhone(engine: Asked, environment: 'test' | 'live', typed: string): string | null {
  const phone = phoneIn(typed)
  if (phone === null) return typed
  const wallet = engine.query('wallets.byPhone', { phone })
  return wallet === null || environmentOfPhone(phone) !== environment ? null : wallet.tag
}

/** Returns the number in E.164; null for a text that is no number. */
function phoneIn(typed: string): string | null {
  const phone = typed
    .trim()
    .replaceAll(/[\s.()\u00a0\u202f-]/g, '')
    .replace(/^00/, '+')
  return /^\+[1-9][0-9]{7,14}$/.test(phone) ? phone : null
}
