// Requests about charges and payment links.
import type { CommandType } from '../../../../engine/domain/command.ts'
import { CALLER } from '../../../support/commands.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { ModelCharge } from '../models/charges.ts'
import type { Models } from '../models.ts'
import { affordable, amount, merchantAccount, minutes, payer, text } from './pick.ts'

function chargeOf({ charges }: Models, { prng }: Drawing, state: ModelCharge['state']): ModelCharge | undefined {
  const all = [...charges.charges.values()].slice(-60)
  return recent(prng, prng.chance(0.85) ? all.filter((charge) => charge.state === state) : all)
}

/** A charge that waits although its link takes no payment any more. */
function lateOf({ charges }: Models, { prng, nowMs }: Drawing): ModelCharge | undefined {
  const late = [...charges.charges.values()].slice(-60).filter(({ state, linkId }) => {
    return state === 'pending' && linkId !== null && !charges.isOpen(linkId, nowMs)
  })
  return recent(prng, late)
}

/** The merchant's own charge, mostly. */
function ofMerchant(models: Models, drawing: Drawing, charge: ModelCharge): { readonly merchant: number; readonly token: string } {
  const other = merchantAccount(models, drawing) ?? charge.account
  return { merchant: drawing.prng.chance(0.95) ? charge.account : other, token: charge.token }
}

const ownChargeDraws = (models: Models) =>
  ({
    CreateCharge: (drawing) => {
      const { prng } = drawing
      const links = [...models.charges.links.values()].slice(-40)
      const limited = links.filter(({ maxPayments, state }) => maxPayments !== null && state === 'active')
      const link = prng.chance(0.5) ? recent(prng, limited.length > 0 && prng.chance(0.7) ? limited : links) : undefined
      const account = link?.account ?? merchantAccount(models, drawing)
      if (account === undefined) return null
      const { environment } = models.accounts.account(account)
      const customer = payer(models, drawing, environment)
      const customerTag = link === undefined && prng.chance(0.3) ? (customer?.tag ?? '') : ''
      const webhookUrl = prng.chance(0.3) ? 'https://shop.example/own' : ''
      const addresses = { checkoutUrl: 'https://pay.example/pay/x', redirectUrl: '', webhookUrl }
      const texts = { reference: text(drawing), description: text(drawing), customerTag, ...addresses, metadata: {} }
      const madeBy = link === undefined ? CALLER : { linkId: link.id }
      const sum = affordable(models, drawing, customer?.account)
      return { type: 'CreateCharge', merchant: account, token: drawing.name('charge-'), amount: sum, ...texts, madeBy }
    },
    PayCharge: (drawing) => {
      const { prng } = drawing
      const charge = (prng.chance(0.1) ? lateOf(models, drawing) : undefined) ?? chargeOf(models, drawing, 'pending')
      if (charge === undefined) return null
      const { environment } = models.accounts.account(charge.account)
      const own = charge.customer === '' ? undefined : models.accounts.wallet(environment, charge.customer)
      const by = prng.chance(0.9) && own !== undefined ? own : payer(models, drawing, prng.chance(0.97) ? environment : undefined)
      if (by === undefined) return null
      const codes = [...models.signIn.challenges.values()].filter(
        ({ account, subject }) => account === by.account && subject === charge.token,
      )
      const challengeId = codes.at(-1)?.id ?? (prng.chance(0.03) ? 'ghost' : null)
      const merchant = prng.chance(0.2) ? charge.account : null
      return {
        type: 'PayCharge',
        token: charge.token,
        merchant,
        payer: by.account,
        challengeId,
        answer: prng.pick(['app', 'checkout', 'record']),
      }
    },
    CancelCharge: (drawing) => {
      const charge = chargeOf(models, drawing, 'pending')
      return charge === undefined ? null : { type: 'CancelCharge', ...ofMerchant(models, drawing, charge) }
    },
    ExpireCharge: (drawing) => {
      const charge = chargeOf(models, drawing, 'pending')
      return charge === undefined ? null : { type: 'ExpireCharge', ...ofMerchant(models, drawing, charge) }
    },
    RefundCharge: (drawing) => {
      const charge = chargeOf(models, drawing, 'paid')
      return charge === undefined ? null : { type: 'RefundCharge', ...ofMerchant(models, drawing, charge), reason: 'paid_twice' }
    },
  }) satisfies Partial<Record<CommandType, Draw>>

export const chargeDraws = (models: Models) =>
  ({
    ...ownChargeDraws(models),
    CreatePaymentLink: (drawing) => {
      const { prng } = drawing
      const merchant = merchantAccount(models, drawing)
      if (merchant === undefined) return null
      const code = drawing.name('link-')
      const [maxPayments, expiresMs] = [prng.chance(0.5) ? 1 + prng.below(3) : null, prng.chance(0.3) ? minutes(drawing, 120) : null]
      const texts = { url: `https://pay.example/l/${code}`, description: text(drawing), reference: text(drawing) }
      return {
        type: 'CreatePaymentLink',
        merchant,
        code,
        ...texts,
        amount: prng.chance(0.5) ? amount(drawing) : null,
        maxPayments,
        expiresMs,
        createdBy: CALLER,
      }
    },
    ClosePaymentLink: (drawing) => {
      const link = recent(drawing.prng, [...models.charges.links.values()])
      return link === undefined
        ? null
        : { type: 'ClosePaymentLink', merchant: link.account, id: drawing.prng.chance(0.03) ? 'ghost' : link.id }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
