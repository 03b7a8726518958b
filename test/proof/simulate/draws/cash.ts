// Requests about top-ups and withdrawals of merchants.
import type { Command, CommandType } from '../../../../engine/domain/command.ts'
import { CALLER } from '../../../support/commands.ts'
import { type Draw, recent } from '../entry.ts'
import type { ModelCash } from '../models/cash.ts'
import type { Models } from '../models.ts'
import { amount, merchantAccount, text } from './pick.ts'

const DESTINATION = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' } as const
/** Above, two operators move money: in one movement, and in the sum of a day. */
const TWO = { secondPersonAbove: 500, secondPersonAboveDay: 2000 } as const

function ofRequest(models: Models, kind: ModelCash['kind'], make: (request: ModelCash, isTwo: boolean) => Command): Draw {
  return (drawing) => {
    const { prng } = drawing
    const all = [...models.cash.requests.values()].filter((request) => request.kind === kind)
    const open = all.filter(({ state }) => state === 'requested')
    const asked = prng.chance(0.15) ? all.filter(({ id }) => models.money.waitingFor(id)) : []
    const request = recent(prng, asked) ?? recent(prng, open.length > 0 && prng.chance(0.85) ? open : all)
    if (request === undefined) return null
    const stranger = prng.chance(0.03) ? (merchantAccount(models, drawing) ?? request.account) : request.account
    return make({ ...request, account: stranger, ...(prng.chance(0.02) ? { id: 'ghost' } : {}) }, prng.chance(0.4))
  }
}

export const cashDraws = (models: Models) =>
  ({
    RequestTopUp: (drawing) => {
      const merchant = merchantAccount(models, drawing)
      if (merchant === undefined) return null
      return { type: 'RequestTopUp', merchant, amount: amount(drawing), reference: text(drawing), instructions: 'Virement' }
    },
    CancelTopUp: ofRequest(models, 'top_up', ({ account, id }) => ({ type: 'CancelTopUp', merchant: account, id })),
    ConfirmTopUp: ofRequest(models, 'top_up', ({ id, amount: sum, account }, isTwo) => {
      const more = isTwo ? TWO : {}
      return {
        type: 'ConfirmTopUp',
        id,
        amount: isTwo ? null : sum + 1,
        reference: 'VIR-1',
        merchant: sum % 5 === 0 ? account : null,
        ...more,
      }
    }),
    RefuseTopUp: ofRequest(models, 'top_up', ({ id }) => ({ type: 'RefuseTopUp', id, reason: 'Non.' })),
    RequestWithdrawal: (drawing) => {
      const merchant = merchantAccount(models, drawing)
      if (merchant === undefined) return null
      const own = recent(drawing.prng, models.cash.accountsOf(merchant))
      const accountId = drawing.prng.chance(0.3) ? (own ?? 'ghost') : null
      const destination = accountId === null ? DESTINATION : null
      return { type: 'RequestWithdrawal', merchant, amount: amount(drawing), destination, accountId, reference: text(drawing) }
    },
    AddWithdrawalAccount: (drawing) => {
      // Mostly one account, or none would come to its quota.
      const gathering = drawing.prng.chance(0.8) ? models.accounts.merchants[0]?.test : undefined
      const merchant = gathering ?? merchantAccount(models, drawing)
      const destination = { ...DESTINATION, provider: null }
      return merchant === undefined ? null : { type: 'AddWithdrawalAccount', merchant, destination, createdBy: CALLER }
    },
    DeleteWithdrawalAccount: (drawing) => {
      const merchant = merchantAccount(models, drawing)
      if (merchant === undefined) return null
      return { type: 'DeleteWithdrawalAccount', merchant, id: recent(drawing.prng, models.cash.accountsOf(merchant)) ?? 'ghost' }
    },
    ConfirmWithdrawalAccount: ({ prng }) => {
      const all = [...models.cash.saved.keys()]
      return { type: 'ConfirmWithdrawalAccount', id: prng.chance(0.05) ? 'ghost' : (recent(prng, all) ?? 'ghost') }
    },
    CancelWithdrawal: ofRequest(models, 'withdrawal', ({ account, id }) => ({ type: 'CancelWithdrawal', merchant: account, id })),
    PayWithdrawal: ofRequest(models, 'withdrawal', ({ id, amount: sum, account }, isTwo) => {
      const more = isTwo ? TWO : {}
      return { type: 'PayWithdrawal', id, reference: 'VIR-2', merchant: sum % 5 === 0 ? account : null, ...more }
    }),
    RefuseWithdrawal: ofRequest(models, 'withdrawal', ({ id }) => ({ type: 'RefuseWithdrawal', id, reason: 'Non.' })),
  }) satisfies Partial<Record<CommandType, Draw>>
