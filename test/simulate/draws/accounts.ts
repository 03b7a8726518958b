// Requests about merchants and wallets: opened, blocked, suspended, activated.
import type { Command, CommandType } from '../../../engine/domain/command.ts'
import type { Draw } from '../entry.ts'
import type { Models } from '../models.ts'
import { environment, merchant, text, wallet } from './pick.ts'

const DETAILS = {
  legal_name: 'Boutique “Awa” SARL',
  registration_number: 'SN-1',
  address: 'Dakar',
  contact_name: 'Awa Diallo',
  contact_phone: '+221770000001',
  activity: 'Tissus',
} as const

/** With a merchant's id, mostly of one that exists. */
function withMerchant(models: Models, make: (merchantId: string, reason: string) => Command): Draw {
  return (drawing) =>
    make(drawing.prng.chance(0.02) ? 'ghost' : (merchant(models, drawing)?.id ?? 'ghost'), drawing.prng.pick(['Plaintes', 'Fraude']))
}

export const accountDraws = (models: Models) =>
  ({
    CreateMerchant: (drawing) => {
      const currency = drawing.prng.chance(0.03) ? 'EUR' : 'XOF'
      return { type: 'CreateMerchant', name: drawing.name('Boutique '), email: 'm@example.com', currency }
    },
    CreateTestWallet: (drawing) => {
      const old = wallet(models, drawing, 'test')
      const tag = drawing.name(drawing.prng.chance(0.1) ? 'test_blocked' : 'awa')
      return { type: 'CreateTestWallet', tag: old !== undefined && drawing.prng.chance(0.1) ? old.tag : tag }
    },
    CreateWallet: (drawing) => {
      const { prng } = drawing
      const phone = `+22507000${String(prng.below(100_000)).padStart(5, '0')}`
      const old = wallet(models, drawing, 'live')
      const taken = old === undefined ? 0 : prng.next()
      const tag = taken > 0.9 ? (old?.tag ?? '') : drawing.name('kofi')
      return {
        type: 'CreateWallet',
        phone: taken > 0 && taken < 0.1 ? (old?.phone ?? phone) : phone,
        tag,
        familyName: 'Diallo',
        givenName: text(drawing),
      }
    },
    BlockWallet: (drawing) => {
      const of = environment(drawing)
      return {
        type: 'BlockWallet',
        environment: of,
        tag: wallet(models, drawing, of)?.tag ?? 'ghost',
        reason: drawing.prng.pick(['Volé', 'Perdu']),
      }
    },
    UnblockWallet: (drawing) => {
      const blocked = models.accounts.wallets.filter(({ block }) => block === 'blocked').at(-1) ?? wallet(models, drawing)
      return { type: 'UnblockWallet', environment: blocked?.environment ?? 'test', tag: blocked?.tag ?? 'ghost' }
    },
    SuspendMerchant: withMerchant(models, (merchantId, reason) => ({ type: 'SuspendMerchant', merchantId, reason })),
    ReinstateMerchant: (drawing) => {
      const suspended = models.accounts.merchants.find(({ suspension }) => suspension === 'suspended')
      return { type: 'ReinstateMerchant', merchantId: suspended?.id ?? merchant(models, drawing)?.id ?? 'ghost' }
    },
    RequestActivation: withMerchant(models, (merchantId) => ({ type: 'RequestActivation', merchantId, details: DETAILS })),
    ActivateMerchant: withMerchant(models, (merchantId) => ({ type: 'ActivateMerchant', merchantId })),
    RefuseActivation: withMerchant(models, (merchantId, reason) => ({ type: 'RefuseActivation', merchantId, reason })),
    KeepAnswer: (drawing) => {
      const account = wallet(models, drawing)?.account
      return account === undefined ? null : { type: 'KeepAnswer', account, kind: drawing.prng.pick(['ok', 'created']) }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
