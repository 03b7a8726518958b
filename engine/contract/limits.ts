// Limits of the operator: tiers of wallets, limits of merchants, and what a wallet has used of its tier.
import { AMOUNT_MAX } from '../kernel/amount.ts'
import { environment, uuid } from './common.ts'
import { moneyBody } from './money-body.ts'
import { type Immutable, nameText, nullable, type Static, Type, text } from './schema.ts'

/** Maximum of tiers of one environment. */
export const WALLET_TIERS_MAX = 20

const NAMES_OF_TIER = ['balance_max', 'received_month_max', 'sent_day_max', 'sent_month_max'] as const

/** Limits of a wallet, in the order in which they are checked. */
export const WALLET_LIMITS: readonly WalletLimit[] = NAMES_OF_TIER

export type WalletLimit = (typeof NAMES_OF_TIER)[number]

export const MERCHANT_LIMIT_NAMES = ['payout_max', 'payout_day_max', 'charge_max', 'balance_max'] as const

export type MerchantLimitName = (typeof MERCHANT_LIMIT_NAMES)[number]

/** Name of a limit, the `param` of a rejection. */
export type LimitName = WalletLimit | MerchantLimitName

const WALLET_LIMIT_PROSE: Readonly<Record<WalletLimit, string>> = {
  balance_max: 'What a wallet may hold.',
  received_month_max: 'What it may receive in a calendar month (UTC): payouts, transfers, deposits.',
  sent_day_max: 'What it may pay in a day (UTC): transfers, charges, bills, mandates. Without fees.',
  sent_month_max: 'What it may pay in a calendar month (UTC). Without fees.',
}

const MERCHANT_LIMIT_PROSE: Readonly<Record<MerchantLimitName, string>> = {
  payout_max: 'Maximum of one payout, or of one line.',
  payout_day_max: 'Maximum of all payouts of a day (UTC). Without fees.',
  charge_max: 'Maximum of one charge.',
  balance_max: 'What the merchant may hold.',
}

function limitOf(description: string) {
  return Type.Integer({ minimum: 0, maximum: 1000 * AMOUNT_MAX, description, examples: [2_000_000] })
}

/** An optional limit of a request. */
function sentLimit(description: string) {
  return Type.Optional(nullable(limitOf(description), { description: `${description} Null or absent: no limit.` }))
}

/** A limit of an answer. */
function shownLimit(description: string) {
  return nullable(limitOf(description), { description: `${description} Null: no limit.` })
}

function fieldsOf<Name extends string, Field>(prose: Readonly<Record<Name, string>>, field: (description: string) => Field) {
  return Object.fromEntries(Object.entries<string>(prose).map(([name, description]) => [name, field(description)])) as Record<Name, Field>
}

function tierName() {
  return nameText({ maxLength: 50, description: 'Name of the tier.', examples: ['basic'] })
}

const WalletTierBody = Type.Object(
  { name: tierName(), ...fieldsOf(WALLET_LIMIT_PROSE, sentLimit) },
  { $id: 'WalletTierBody', additionalProperties: false },
)

const MerchantRuleBody = Type.Object(fieldsOf(MERCHANT_LIMIT_PROSE, sentLimit), {
  $id: 'MerchantRuleBody',
  description: 'Limits of merchants that have none of their own. Absent: none.',
  additionalProperties: false,
})

export const SetLimitRulesBody = moneyBody(
  {
    wallet_tiers: Type.Optional(
      Type.Array(WalletTierBody, {
        maxItems: WALLET_TIERS_MAX,
        description: 'Each name once. Absent: no tiers, so wallets have no limits.',
      }),
    ),
    default_tier: Type.Optional(
      nullable(tierName(), { description: 'Tier of wallets without one of their own. Null: they have no limits.' }),
    ),
    merchant: Type.Optional(MerchantRuleBody),
  },
  { $id: 'SetLimitRulesBody' },
)

export type SetLimitRulesBody = Static<typeof SetLimitRulesBody>

const WalletTier = Type.Object(
  { name: tierName(), ...fieldsOf(WALLET_LIMIT_PROSE, shownLimit) },
  { $id: 'WalletTier', description: 'Limits of the wallets of a tier.' },
)

export type WalletTier = Immutable<Static<typeof WalletTier>>

export const MerchantRule = Type.Object(fieldsOf(MERCHANT_LIMIT_PROSE, shownLimit), {
  $id: 'MerchantRule',
  description: 'Limits of merchants that have none of their own.',
})

export type MerchantRule = Immutable<Static<typeof MerchantRule>>

export const LimitRules = Type.Object(
  {
    wallet_tiers: Type.Array(WalletTier, { description: 'Tiers of wallets.' }),
    default_tier: nullable(tierName(), { description: 'Tier of wallets without one of their own; null: they have no limits.' }),
    merchant: MerchantRule,
  },
  { $id: 'LimitRules', description: 'The limits of one environment, as they apply to movements from now on.' },
)

export type LimitRules = Immutable<Static<typeof LimitRules>>

/** Of one merchant: its account has the currency. */
export const RulesQuery = Type.Object({ environment: Type.Optional(environment({ default: 'live' })) })

export type RulesQuery = Static<typeof RulesQuery>

export const SetTierBody = moneyBody(
  {
    tier: nullable(tierName(), { description: 'One of the tiers; null: the default tier.' }),
    environment: Type.Optional(environment({ default: 'live' })),
    reason: text({
      lines: 'one',
      minLength: 1,
      maxLength: 500,
      description: 'For the audit trail.',
      examples: ['Pièce d’identité vérifiée.'],
    }),
  },
  { $id: 'SetTierBody' },
)

export type SetTierBody = Static<typeof SetTierBody>

export const WalletTierSet = Type.Object(
  {
    id: uuid({ description: 'Id of the wallet.' }),
    tag: Type.String({ description: 'Tag of the wallet.', examples: ['awa_diallo'] }),
    environment: environment(),
    tier: nullable(tierName(), { description: 'The tier that applies; null without one.' }),
  },
  { $id: 'WalletTierSet', description: 'The tier of a wallet, as it applies to movements from now on.' },
)

export type WalletTierSet = Static<typeof WalletTierSet>

export const MyLimits = Type.Object(
  {
    tier: nullable(tierName(), { description: 'Tier of the wallet; null without one.' }),
    limits: Type.Object(fieldsOf(WALLET_LIMIT_PROSE, shownLimit), { $id: 'WalletLimits', description: 'The limits of the tier.' }),
    used: Type.Object(fieldsOf(WALLET_LIMIT_PROSE, used), {
      $id: 'WalletLimitsUsed',
      description: 'What counts already against each limit.',
    }),
    left: Type.Object(fieldsOf(WALLET_LIMIT_PROSE, left), { $id: 'WalletLimitsLeft', description: 'What each limit still allows.' }),
  },
  { $id: 'MyLimits', description: 'What the wallet may hold, receive and pay, and what it has used of it.' },
)

export type MyLimits = Static<typeof MyLimits>

function used(description: string) {
  return Type.Integer({ minimum: 0, description: `Counts already: ${description}`, examples: [75_000] })
}

function left(description: string) {
  return nullable(Type.Integer({ minimum: 0, examples: [125_000] }), { description: `Left of it: ${description} Null without a limit.` })
}
