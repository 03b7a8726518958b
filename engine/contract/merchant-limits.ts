// Limits of one merchant that an operator may change. Later limits are further fields of the same shapes.
import { environment, uuid } from './common.ts'
import { type MerchantLimitName, MerchantRule } from './limits.ts'
import { moneyBody } from './money-body.ts'
import { type Immutable, nullable, type Static, Type } from './schema.ts'

/** Unknown recipients that a merchant may name in live in a burst. */
export const UNKNOWN_RECIPIENTS = 1000
/** How many of them come back in a minute, continuously. */
export const UNKNOWN_RECIPIENTS_PER_MINUTE = 100
/** At least 1, so that a merchant that named none has room; at most what enumerates no country. */
const MINIMUM = 1
const MAXIMUM = 1_000_000

const BURST = 'Unknown recipients that the merchant may name in live in a burst, over all routes that name recipients.'
const REFILL = 'How many of them come back in a minute, continuously.'

function changed(description: string, standard: number) {
  const number = Type.Integer({ minimum: MINIMUM, maximum: MAXIMUM, examples: [10 * standard] })
  return Type.Optional(nullable(number, { description: `${description} Absent: stays as it is; null: the default, ${standard}.` }))
}

/** A limit of money in place of the one of the rules. */
function money(name: MerchantLimitName) {
  const { description = '', ...limit } = MerchantRule.properties[name]
  return Type.Optional({
    ...limit,
    description: `${description.replace(' Null: no limit.', '')} Absent: stays as it is; null: as the rules say.`,
  })
}

export const SetMerchantLimitsBody = moneyBody(
  {
    unknown_recipients: changed(BURST, UNKNOWN_RECIPIENTS),
    unknown_recipients_per_minute: changed(REFILL, UNKNOWN_RECIPIENTS_PER_MINUTE),
    environment: Type.Optional(
      environment({ default: 'live', description: 'Of the limits of money. Those of unknown recipients are of live alone.' }),
    ),
    payout_max: money('payout_max'),
    payout_day_max: money('payout_day_max'),
    charge_max: money('charge_max'),
    balance_max: money('balance_max'),
  },
  { $id: 'SetMerchantLimitsBody' },
)

export type SetMerchantLimitsBody = Static<typeof SetMerchantLimitsBody>

export const MerchantLimits = Type.Object(
  {
    merchant_id: uuid({ description: 'Id of the merchant.' }),
    unknown_recipients: Type.Integer({ minimum: MINIMUM, description: BURST, examples: [UNKNOWN_RECIPIENTS] }),
    unknown_recipients_per_minute: Type.Integer({ minimum: MINIMUM, description: REFILL, examples: [UNKNOWN_RECIPIENTS_PER_MINUTE] }),
    environment: environment({ description: 'Of the limits of money.' }),
    ...MerchantRule.properties,
  },
  { $id: 'MerchantLimits', description: 'Limits of a merchant as they apply now.' },
)

export type MerchantLimits = Static<typeof MerchantLimits>

/** The limits of look-ups that differ from the defaults. */
export type OwnLimits = Immutable<Partial<Pick<MerchantLimits, 'unknown_recipients' | 'unknown_recipients_per_minute'>>>

const DEFAULTS: Required<OwnLimits> = {
  unknown_recipients: UNKNOWN_RECIPIENTS,
  unknown_recipients_per_minute: UNKNOWN_RECIPIENTS_PER_MINUTE,
}

/** Returns all limits of look-ups as they apply. */
export function wholeLimits(own: OwnLimits | undefined): Required<OwnLimits> {
  return own === undefined ? DEFAULTS : { ...DEFAULTS, ...own }
}
