// Limits of one merchant that an operator may change. Later limits are further fields of the same shapes.
import { uuid } from './common.ts'
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

export const SetMerchantLimitsBody = Type.Object(
  {
    unknown_recipients: changed(BURST, UNKNOWN_RECIPIENTS),
    unknown_recipients_per_minute: changed(REFILL, UNKNOWN_RECIPIENTS_PER_MINUTE),
  },
  { $id: 'SetMerchantLimitsBody' },
)

export type SetMerchantLimitsBody = Static<typeof SetMerchantLimitsBody>

export const MerchantLimits = Type.Object(
  {
    merchant_id: uuid({ description: 'Id of the merchant.' }),
    unknown_recipients: Type.Integer({ minimum: MINIMUM, description: BURST, examples: [UNKNOWN_RECIPIENTS] }),
    unknown_recipients_per_minute: Type.Integer({ minimum: MINIMUM, description: REFILL, examples: [UNKNOWN_RECIPIENTS_PER_MINUTE] }),
  },
  { $id: 'MerchantLimits', description: 'Limits of a merchant as they apply now.' },
)

export type MerchantLimits = Static<typeof MerchantLimits>

/** The limits of a merchant that differ from the defaults. */
export type OwnLimits = Immutable<Partial<Omit<MerchantLimits, 'merchant_id'>>>

const DEFAULTS: Required<OwnLimits> = {
  unknown_recipients: UNKNOWN_RECIPIENTS,
  unknown_recipients_per_minute: UNKNOWN_RECIPIENTS_PER_MINUTE,
}

/** Returns all limits as they apply. */
export function wholeLimits(own: OwnLimits | undefined): Required<OwnLimits> {
  return own === undefined ? DEFAULTS : { ...DEFAULTS, ...own }
}
