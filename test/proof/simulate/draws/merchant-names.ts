// Requests about the account of a merchant: what its owner says, and what operators decide about a new name.
import type { CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { Models } from '../models.ts'
import { merchant } from './pick.ts'

const OWNER = { kind: 'member', id: '01936f0c-0000-7000-8000-000000000001', name: 'awa@example.com' } as const
const NAMES = ['Chez Awa', 'Chez “Awa”', 'Awa et fils'] as const

export const merchantNameDraws = (models: Models) =>
  ({
    SetMerchantAccount: (drawing) => {
      const { prng } = drawing
      const id = merchant(models, drawing)?.id
      const merchantId = id === undefined || prng.chance(0.03) ? 'ghost' : id
      const name = prng.chance(0.2) ? (models.merchantNames.nameOf(merchantId) ?? 'Awa') : prng.pick(NAMES)
      const timeZone = prng.pick(['Africa/Dakar', 'Africa/Lagos', 'Atlantic/Cape_Verde'] as const)
      const more = { timeZone, address: prng.pick(['Dakar', 'Thiès', null]), emailLanguage: prng.pick(['fr', 'en', null] as const) }
      return {
        ...{ type: 'SetMerchantAccount', merchantId, actedBy: OWNER },
        ...(prng.chance(0.8) ? { name } : {}),
        ...(prng.chance(0.5) ? more : {}),
      }
    },
    ApproveMerchantName: (drawing) => {
      const merchantId = asking(models, drawing)
      const name = models.merchantNames.waiting(merchantId)
      return { type: 'ApproveMerchantName', merchantId, name: name === undefined || drawing.prng.chance(0.1) ? 'Chez Awa' : name }
    },
    RefuseMerchantName: (drawing) => ({ type: 'RefuseMerchantName', merchantId: asking(models, drawing), reason: 'Un autre commerce' }),
  }) satisfies Partial<Record<CommandType, Draw>>

/** Id of a merchant, mostly of one whose new name waits. */
function asking(models: Models, drawing: Drawing): string {
  const { prng } = drawing
  const waiting = models.accounts.merchants.slice(-40).filter(({ id }) => models.merchantNames.waiting(id) !== undefined)
  const found = recent(prng, prng.chance(0.8) ? waiting : []) ?? merchant(models, drawing)
  return found === undefined || prng.chance(0.02) ? 'ghost' : found.id
}
