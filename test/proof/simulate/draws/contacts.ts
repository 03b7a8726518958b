// Requests about contacts.
import type { CommandType } from '../../../../engine/domain/command.ts'
import type { ContactFields } from '../../../../engine/domain/contact/contact-decide.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { ModelContact } from '../models/contacts.ts'
import type { Models } from '../models.ts'
import { merchantAccount, recipient, text } from './pick.ts'

const GROUPS = ['Paie', 'Dakar', 'Primes'] as const

function fields(models: Models, drawing: Drawing, merchant: number): ContactFields {
  const { prng } = drawing
  const own = prng.chance(0.15) ? recent(prng, models.contacts.of(merchant)) : undefined
  return {
    recipient: own?.recipient ?? recipient(models, drawing, models.accounts.account(merchant).environment),
    name: text(drawing),
    groups: GROUPS.filter(() => prng.chance(0.4)),
    amount: prng.chance(0.5) ? 1 + prng.below(300) : null,
    reference: text(drawing),
  }
}

/** A contact and, mostly, the merchant that has it. */
function ownContact({ contacts, accounts }: Models, { prng }: Drawing): Pick<ModelContact, 'id' | 'account'> {
  const found = recent(prng, [...contacts.contacts.values()])
  const other = recent(prng, accounts.merchants)
  if (found === undefined || prng.chance(0.05)) return { id: 'ghost', account: other?.test ?? 0 }
  return prng.chance(0.05) && other !== undefined ? { id: found.id, account: other.test } : found
}

export const contactDraws = (models: Models) =>
  ({
    AddContact: (drawing) => {
      const merchant = merchantAccount(models, drawing)
      return merchant === undefined ? null : { type: 'AddContact', merchant, ...fields(models, drawing, merchant) }
    },
    ReplaceContact: (drawing) => {
      const { id, account: merchant } = ownContact(models, drawing)
      return merchant === 0 ? null : { type: 'ReplaceContact', merchant, id, ...fields(models, drawing, merchant) }
    },
    DeleteContact: (drawing) => {
      const { id, account: merchant } = ownContact(models, drawing)
      return merchant === 0 ? null : { type: 'DeleteContact', merchant, id }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
