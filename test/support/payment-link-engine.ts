// Payment links in the engine: short ways to their commands.
import type { CreateCharge } from '../../engine/domain/charge/charge-decide.ts'
import type { CreatePaymentLink } from '../../engine/domain/payment-link/payment-link-decide.ts'
import { CALLER } from './commands.ts'

export function newLink(merchant: number, code: string, more: Partial<CreatePaymentLink> = {}): CreatePaymentLink {
  const url = `https://pay.example/l/${code}`
  return {
    type: 'CreatePaymentLink',
    ...{ merchant, code, url, amount: null, description: 'Caisse', reference: '', maxPayments: null, expiresMs: null, createdBy: CALLER },
    ...more,
  }
}

export function linkCharge(merchant: number, paymentLinkId: string, token: string, amount: number): CreateCharge {
  const texts = { reference: '', description: 'Caisse', customerTag: '', redirectUrl: '', webhookUrl: '' }
  return {
    type: 'CreateCharge',
    merchant,
    token,
    amount,
    ...texts,
    checkoutUrl: `https://pay.example/pay/${token}`,
    metadata: {},
    madeBy: { linkId: paymentLinkId },
  }
}
