// Charges of payment links. The checkout page and the simulated phone make them.

import { randomBytes } from 'node:crypto'
import type { EngineApi, QueryAnswer } from '../../../engine/api.ts'
import type { ErrorValue } from '../../../engine/contract/errors.ts'
import { AMOUNT_MAX } from '../../../engine/kernel/amount.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { siteOf } from '../../outbound/networks.ts'
import { CallLimit } from '../../server/call-limit.ts'
import type { Call } from '../../server/route.ts'
import { LINK_CHARGES_COUNTED_MAX, LINK_CHARGES_PER_MINUTE } from '../../server/server-limits.ts'
import { errorText } from '../../text/error-text.ts'
import { typedMoney } from '../../text/money.ts'
import type { Text } from '../../text/text.ts'
import { amountWanted } from './amount-text.ts'
import { texts } from './texts.ts'

const TEXTS = texts({
  fr: {
    tooManyRequestsInShort: 'Trop de demandes en peu de temps. Réessayez dans une minute.',
  },
  en: {
    tooManyRequestsInShort: 'Too many requests in a short time. Try again in a minute.',
  },
})

const TOKEN_BYTES = 24

export interface LinkChargeParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly checkoutBase: string
}

export type FoundLink = NonNullable<QueryAnswer<'paymentLinks.byCode'>>

export interface LinkChargeAnswers {
  /** Receives the token of the charge. */
  made(token: string): void
  rejected(message: Text): void
}

export class LinkCharges {
  readonly #parts: LinkChargeParts
  // Charges cost their merchant room in the log, and the page asks for no credentials.
  readonly #limit = new CallLimit<string>(LINK_CHARGES_PER_MINUTE, { keysMax: LINK_CHARGES_COUNTED_MAX })

  constructor(parts: LinkChargeParts) {
    this.#parts = parts
  }

  /** Makes a charge of an active link. `typed` is read where the link has no amount. */
  make(
    call: Pick<Call, 'remoteAddress' | 'ask'>,
    { account, link }: FoundLink,
    typed: string,
    { made, rejected }: LinkChargeAnswers,
  ): void {
    const { engine, checkoutBase } = this.#parts
    const amount = link.amount ?? typedMoney(typed, link.currency as Currency)
    if (amount === null || amount < 1 || amount > AMOUNT_MAX) {
      return rejected(amountWanted(link.currency))
    }
    if (this.#limit.take(`${link.id} ${siteOf(call.remoteAddress)}`, engine.query('engine.time', null)) > 0)
      return rejected(TEXTS.tooManyRequestsInShort)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const { description, reference, id: linkId } = link
    const command = {
      type: 'CreateCharge',
      ...{ merchant: account, token, amount, reference, description, madeBy: { linkId } },
      ...{ customerTag: '', redirectUrl: '', webhookUrl: '', metadata: {} },
      checkoutUrl: `${checkoutBase}/pay/${token}`,
    } as const
    call.ask(command, account, ({ kind, body }) => {
      if (kind === 'created') return made(token)
      rejected(body === '' ? TEXTS.tooManyRequestsInShort : errorText(JSON.parse(body) as ErrorValue))
    })
  }
}
