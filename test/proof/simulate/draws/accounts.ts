// Requests about merchants and wallets: opened, blocked, suspended, activated.
import type { Command, CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, recent } from '../entry.ts'
import type { ModelMerchant } from '../models/accounts.ts'
import type { Models } from '../models.ts'
import { environment, merchant, takenTag, text, wallet } from './pick.ts'

const DETAILS = {
  legal_name: 'Boutique “Awa” SARL',
  registration_number: 'SN-1',
  address: 'Dakar',
  contact_name: 'Awa Diallo',
  contact_phone: '+221770000001',
  activity: 'Tissus',
} as const

/** With a merchant's id, mostly of one that exists. */
function withMerchant(
  models: Models,
  make: (merchantId: string, reason: string) => Command,
  /** Activations that the command is meant for. */
  activations: readonly ModelMerchant['activation'][] = [],
): Draw {
  return (drawing) => {
    const { prng } = drawing
    const fitting = models.accounts.merchants.slice(-40).filter(({ activation }) => activations.includes(activation))
    const found = recent(prng, prng.chance(0.7) ? fitting : []) ?? merchant(models, drawing)
    return make(prng.chance(0.02) ? 'ghost' : (found?.id ?? 'ghost'), prng.pick(['Plaintes', 'Fraude']))
  }
}

const walletControlDraws = (models: Models) =>
  ({
    BlockWallet: (drawing) => {
      const of = environment(drawing)
      return {
        type: 'BlockWallet',
        environment: of,
        tag: drawing.prng.chance(0.1) ? 'ghost' : (wallet(models, drawing, of)?.tag ?? 'ghost'),
        reason: drawing.prng.pick(['Volé', 'Perdu']),
      }
    },
    UnblockWallet: (drawing) => {
      const blocked = models.accounts.wallets.filter(({ block }) => block === 'blocked').at(-1) ?? wallet(models, drawing)
      const tag = drawing.prng.chance(0.05) ? 'ghost' : (blocked?.tag ?? 'ghost')
      return { type: 'UnblockWallet', environment: blocked?.environment ?? 'test', tag }
    },
    ShowPhone: (drawing) => {
      const environment = drawing.prng.pick(['test', 'live'] as const)
      const tag = drawing.prng.chance(0.1) ? 'ghost' : (wallet(models, drawing, environment)?.tag ?? 'ghost')
      return { type: 'ShowPhone', environment, tag, reason: 'Rappel' }
    },
    AddNote: (drawing) => {
      const environment = drawing.prng.pick(['test', 'live'] as const)
      const isKnown = drawing.prng.chance(0.95)
      const tag = (isKnown ? wallet(models, drawing, environment)?.tag : undefined) ?? 'ghost'
      const merchantId = (isKnown ? merchant(models, drawing)?.id : undefined) ?? 'ghost'
      return { type: 'AddNote', target: drawing.prng.chance(0.4) ? { tag } : { merchantId }, environment, text: 'Appelé.' }
    },
  }) satisfies Partial<Record<CommandType, Draw>>

export const accountDraws = (models: Models) =>
  ({
    CreateMerchant: (drawing) => {
      const currency = drawing.prng.chance(0.03) ? 'EUR' : 'XOF'
      return { type: 'CreateMerchant', name: drawing.name('Boutique '), email: 'm@example.com', currency }
    },
    CreateTestWallet: (drawing) => {
      const tag = drawing.name(drawing.prng.chance(0.1) ? 'test_blocked' : 'awa')
      const taken = drawing.prng.chance(0.1) ? takenTag(models, drawing, 'test') : undefined
      return { type: 'CreateTestWallet', tag: taken ?? tag }
    },
    CreateWallet: (drawing) => {
      const { prng } = drawing
      const phone = `+22507000${String(prng.below(100_000)).padStart(5, '0')}`
      const old = wallet(models, drawing, 'live')
      const taken = old === undefined ? 0 : prng.next()
      const tag = taken > 0.9 ? (takenTag(models, drawing, 'live') ?? '') : drawing.name('kofi')
      return {
        type: 'CreateWallet',
        phone: taken > 0 && taken < 0.1 ? (old?.phone ?? phone) : phone,
        tag,
        familyName: 'Diallo',
        givenName: text(drawing),
      }
    },
    ...walletControlDraws(models),
    SuspendMerchant: withMerchant(models, (merchantId, reason) => ({ type: 'SuspendMerchant', merchantId, reason })),
    ReinstateMerchant: (drawing) => {
      const suspended = models.accounts.merchants.find(({ suspension }) => suspension === 'suspended')
      return {
        type: 'ReinstateMerchant',
        merchantId: (drawing.prng.chance(0.05) ? null : (suspended ?? merchant(models, drawing)))?.id ?? 'ghost',
      }
    },
    RequestActivation: withMerchant(models, (merchantId) => ({ type: 'RequestActivation', merchantId, details: DETAILS }), [
      'required',
      'refused',
    ]),
    AddActivationFile: withMerchant(models, (merchantId) => ({
      ...{ type: 'AddActivationFile', merchantId, contentType: 'application/pdf', sizeBytes: 8, sealed: 'sealed:v1:AAAA' },
    })),
    DeleteActivationFile: (drawing) => deletedFile(models, drawing),
    ActivateMerchant: withMerchant(models, (merchantId) => ({ type: 'ActivateMerchant', merchantId })),
    RefuseActivation: withMerchant(models, (merchantId, reason) => ({ type: 'RefuseActivation', merchantId, reason }), ['requested']),
    KeepAnswer: (drawing) => {
      const account = wallet(models, drawing)?.account
      return account === undefined ? null : { type: 'KeepAnswer', account, kind: drawing.prng.pick(['ok', 'created']) }
    },
  }) satisfies Partial<Record<CommandType, Draw>>

function deletedFile(models: Models, drawing: Parameters<Draw>[0]): Command {
  const merchantId = merchant(models, drawing)?.id ?? 'ghost'
  const ids = models.activationFiles.idsOf(merchantId)
  return { type: 'DeleteActivationFile', merchantId, id: ids.length === 0 ? 'ghost' : drawing.prng.pick(ids) }
}
