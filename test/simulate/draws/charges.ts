// Requests about charges and payment links.
import type { CommandType } from '../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { ModelCharge } from '../models/charges.ts'
import type { Models } from '../models.ts'
import { amount, merchantAccount, minutes, text, wallet } from './pick.ts'

function chargeOf({ charges }: Models, { prng }: Drawing, state: ModelCharge['state']): ModelCharge | undefined {
  const all = [...charges.charges.values()].slice(-60)
  return recent(prng, prng.chance(0.85) ? all.filter((charge) => charge.state === state) : all)
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
      const link = prng.chance(0.5) ? recent(prng, [...models.charges.links.values()]) : undefined
      const account = link?.account ?? merchantAccount(models, drawing)
      if (account === undefined) return null
      const { environment } = models.accounts.account(account)
      const customerTag = link === undefined && prng.chance(0.3) ? (wallet(models, drawing, environment)?.tag ?? '') : ''
      const webhookUrl = prng.chance(0.3) ? 'https://shop.example/own' : ''
      const addresses = { checkoutUrl: 'https://pay.example/pay/x', redirectUrl: '', webhookUrl }
      const texts = { reference: text(drawing), description: text(drawing), customerTag, ...addresses, metadata: {} }
      const linked = link === undefined ? {} : { paymentLinkId: link.id }
      return { type: 'CreateCharge', merchant: account, token: drawing.name('charge-'), amount: amount(drawing), ...texts, ...linked }
    },
    PayCharge: (drawing) => {
      const { prng } = drawing
      const charge = chargeOf(models, drawing, 'pending')
      if (charge === undefined) return null
      const { environment } = models.accounts.account(charge.account)
      const own = charge.customer === '' ? undefined : models.accounts.wallet(environment, charge.customer)
      const payer = prng.chance(0.9) && own !== undefined ? own : wallet(models, drawing, prng.chance(0.97) ? environment : undefined)
      if (payer === undefined) return null
      const codes = [...models.signIn.challenges.values()].filter(
        ({ account, subject }) => account === payer.account && subject === charge.token,
      )
      const challengeId = codes.at(-1)?.id ?? (prng.chance(0.03) ? 'ghost' : null)
      const merchant = prng.chance(0.2) ? charge.account : null
      return {
        type: 'PayCharge',
        token: charge.token,
        merchant,
        payer: payer.account,
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
      return charge === undefined ? null : { type: 'RefundCharge', ...ofMerchant(models, drawing, charge) }
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
      }
    },
    ClosePaymentLink: (drawing) => {
      const link = recent(drawing.prng, [...models.charges.links.values()])
      return link === undefined
        ? null
        : { type: 'ClosePaymentLink', merchant: link.account, id: drawing.prng.chance(0.03) ? 'ghost' : link.id }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
