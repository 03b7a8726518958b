// Requests about the account of a merchant: what its owner says, and what operators decide about a new name or logo.
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
        ...{ type: 'SetMerchantAccount', merchantId, actedBy: OWNER, logosBase: 'logos/' },
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
    SetMerchantLogo: (drawing) => {
      const { prng } = drawing
      const id = merchant(models, drawing)?.id
      const file = prng.pick(['one.png', 'two.jpg', null] as const)
      return {
        ...{ type: 'SetMerchantLogo', merchantId: id === undefined || prng.chance(0.03) ? 'ghost' : id },
        ...{ logo: file === null ? null : { file, base64: 'iVBORw0K' }, actedBy: OWNER, logosBase: 'logos/' },
      }
    },
    ReviewMerchantLogo: (drawing) => {
      const { prng } = drawing
      const waits = (id: string): string | undefined => models.merchantLogos.waiting(id)
      const merchantId = asking(models, drawing, waits)
      const file = prng.chance(0.1) ? 'two.jpg' : (waits(merchantId) ?? 'one.png')
      const decision = prng.chance(0.5) ? ({ approved: true, file } as const) : ({ approved: false, reason: 'Un autre commerce' } as const)
      return { type: 'ReviewMerchantLogo', merchantId, decision }
    },
  }) satisfies Partial<Record<CommandType, Draw>>

/** Id of a merchant, mostly of one whose new name, or what else `waits`, waits. */
function asking(models: Models, drawing: Drawing, waits = (id: string) => models.merchantNames.waiting(id)): string {
  const { prng } = drawing
  const waiting = models.accounts.merchants.slice(-40).filter(({ id }) => waits(id) !== undefined)
  const found = recent(prng, prng.chance(0.8) ? waiting : []) ?? merchant(models, drawing)
  return found === undefined || prng.chance(0.02) ? 'ghost' : found.id
}
