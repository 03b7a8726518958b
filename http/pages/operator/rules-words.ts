// Words of the pages of rules: limits by tier, fees by plan, and what a rule costs in one line.
import type { FeeBearer, FeeKind, FeeRule } from '../../../engine/contract/fees.ts'
import type { LimitName } from '../../../engine/contract/limits.ts'
import { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'

export const RULES_WORDS = texts({
  fr: {
    currency: 'Devise',
    tier: 'Niveau',
    tiersOfWallets: 'Niveaux des portefeuilles',
    limitsOfMerchants: 'Limites des marchands',
    feePlans: 'Grilles de frais',
    plan: 'Grille',
    noTiers: 'Aucun niveau : les portefeuilles n’ont aucune limite.',
    noPlans: 'Aucune grille : rien ne coûte de frais.',
    addTier: 'Ajouter un niveau',
    addPlan: 'Ajouter une grille',
    change: 'Modifier',
    changeLimits: 'Changer les limites de montant',
    changePlan: 'Changer la grille de frais',
    changeTier: 'Changer le niveau',
    reason: 'Motif',
    byDefault: 'par défaut',
    isDefaultTier: 'Niveau des portefeuilles qui n’en ont pas d’autre',
    isDefaultPlan: 'Grille des marchands qui n’en ont pas d’autre, et des transferts',
    refundFees: 'Un remboursement rend les frais',
    remove: 'Supprimer',
    save: 'Enregistrer',
    saved: 'Les règles sont enregistrées. Elles valent pour les mouvements à partir de maintenant.',
    waits: 'La demande est enregistrée. Un autre administrateur doit l’approuver : rien n’a changé.',
    changedMeanwhile: 'Ces règles ont changé entre-temps. Rien n’a été enregistré : vérifiez et recommencez.',
    typeAmount: 'Saisissez un montant, ou laissez vide.',
    typePercent: 'Saisissez un pourcentage de 0 à 100, avec deux décimales au plus.',
    typeName: 'Saisissez un nom.',
    emptyNoLimit: 'Vide : aucune limite.',
    emptyUsualRule: 'Vide : la règle de tous les marchands.',
    emptyKindIsFree: 'Un mouvement dont tous les champs sont vides ne coûte rien.',
    yes: 'oui',
    no: 'non',
    charge: 'Demande de paiement',
    noLimit: 'aucune',
    free: 'gratuit',
    balanceMax: 'Solde maximum',
    receivedMonthMax: 'Reçu par mois',
    sentDayMax: 'Payé par jour',
    sentMonthMax: 'Payé par mois',
    payoutMax: 'Un versement',
    payoutDayMax: 'Versements par jour',
    chargeMax: 'Une demande de paiement',
    bill: 'Facture',
    transfer: 'Transfert',
    percent: 'Pourcentage',
    fixed: 'Montant fixe',
    min: 'Au moins',
    max: 'Au plus',
    bornBy: 'À la charge',
    borne: 'à la charge',
    merchant: 'du marchand',
    payer: 'du payeur',
    atLeast: (amount: Fragment) => html`au moins ${amount}`,
    atMost: (amount: Fragment) => html`au plus ${amount}`,
    defaultTier: 'le niveau par défaut',
    defaultPlan: 'la grille par défaut',
    from: 'Du',
    until: 'Au',
    show: 'Afficher',
    day: 'Jour',
    byDay: 'Par jour',
    merchantName: 'Marchand',
    count: 'Nombre',
    noFees: 'Aucun frais dans cette période.',
    wrongPeriod: 'Saisissez deux jours, le premier avant le second.',
    feesOfPeriod:
      'Le total est la variation du compte de frais dans la période. Les frais rendus par un remboursement y sont déduits. Jours en UTC.',
  },
  en: {
    currency: 'Currency',
    tier: 'Tier',
    tiersOfWallets: 'Tiers of wallets',
    limitsOfMerchants: 'Limits of merchants',
    feePlans: 'Fee plans',
    plan: 'Plan',
    noTiers: 'No tiers: wallets have no limits.',
    noPlans: 'No plans: nothing costs a fee.',
    addTier: 'Add a tier',
    addPlan: 'Add a plan',
    change: 'Change',
    changeLimits: 'Change the limits of amounts',
    changePlan: 'Change the fee plan',
    changeTier: 'Change the tier',
    reason: 'Reason',
    byDefault: 'by default',
    isDefaultTier: 'Tier of wallets that have no other',
    isDefaultPlan: 'Plan of merchants that have no other, and of transfers',
    refundFees: 'A refund gives the fee back',
    remove: 'Remove',
    save: 'Save',
    saved: 'The rules are saved. They apply to movements from now on.',
    waits: 'The request is saved. Another administrator must approve it: nothing has changed.',
    changedMeanwhile: 'These rules have changed meanwhile. Nothing was saved: check and start again.',
    typeAmount: 'Type an amount, or leave it empty.',
    typePercent: 'Type a percentage from 0 to 100, with two decimals at most.',
    typeName: 'Type a name.',
    emptyNoLimit: 'Empty: no limit.',
    emptyUsualRule: 'Empty: the rule of all merchants.',
    emptyKindIsFree: 'A movement with empty fields alone costs nothing.',
    yes: 'yes',
    no: 'no',
    charge: 'Payment request',
    noLimit: 'none',
    free: 'free',
    balanceMax: 'Maximum balance',
    receivedMonthMax: 'Received in a month',
    sentDayMax: 'Paid in a day',
    sentMonthMax: 'Paid in a month',
    payoutMax: 'One payout',
    payoutDayMax: 'Payouts of a day',
    chargeMax: 'One payment request',
    bill: 'Bill',
    transfer: 'Transfer',
    percent: 'Percentage',
    fixed: 'Fixed amount',
    min: 'At least',
    max: 'At most',
    bornBy: 'Borne',
    borne: 'borne',
    merchant: 'by the merchant',
    payer: 'by the payer',
    atLeast: (amount) => html`at least ${amount}`,
    atMost: (amount) => html`at most ${amount}`,
    defaultTier: 'the default tier',
    defaultPlan: 'the default plan',
    from: 'From',
    until: 'Until',
    show: 'Show',
    day: 'Day',
    byDay: 'By day',
    merchantName: 'Merchant',
    count: 'Number',
    noFees: 'No fees in this period.',
    wrongPeriod: 'Type two days, the first one before the second.',
    feesOfPeriod: 'The total is the change of the fee account in the period. Fees that refunds gave back are subtracted. Days are in UTC.',
  },
})

export const LIMIT_LABELS: Readonly<Record<LimitName, Text>> = {
  balance_max: RULES_WORDS.balanceMax,
  received_month_max: RULES_WORDS.receivedMonthMax,
  sent_day_max: RULES_WORDS.sentDayMax,
  sent_month_max: RULES_WORDS.sentMonthMax,
  payout_max: RULES_WORDS.payoutMax,
  payout_day_max: RULES_WORDS.payoutDayMax,
  charge_max: RULES_WORDS.chargeMax,
}

export const FEE_KIND_NAMES: Readonly<Record<FeeKind, Text>> = {
  payout: WORDS.payout,
  charge: RULES_WORDS.charge,
  bill: RULES_WORDS.bill,
  transfer: RULES_WORDS.transfer,
  withdrawal: WORDS.withdrawal,
}

export const BEARER_NAMES: Readonly<Record<FeeBearer, Text>> = { merchant: RULES_WORDS.merchant, payer: RULES_WORDS.payer }

/** Returns the limit in words: an amount of the currency, or none. */
export function limitText(limit: number | null, currency: string): Text {
  return limit === null ? RULES_WORDS.noLimit : amountText(limit, currency)
}

/** Renders what a kind of movement costs: `1,5 % + 25 F CFA, au moins 50 F CFA`. */
export function feeRuleText(rule: FeeRule | undefined, currency: string): Fragment {
  if (rule === undefined) return RULES_WORDS.free
  const { on, percent_bp, fixed, min, max, borne_by } = rule
  const price = [percent_bp > 0 && percentText(percent_bp), (fixed > 0 || percent_bp === 0) && amountText(fixed, currency)]
  const bounds: readonly (Html | false)[] = [
    min !== undefined && RULES_WORDS.atLeast(amountText(min, currency)),
    max !== undefined && RULES_WORDS.atMost(amountText(max, currency)),
    (on === 'charge' || on === 'bill') && html`${RULES_WORDS.borne} ${BEARER_NAMES[borne_by]}`,
  ]
  return [between(price, ' + '), ...bounds.map((bound) => bound !== false && html`, ${bound}`)]
}

/** Returns `1,5 %` for 150 hundredths of a percent. */
export function percentText(percentBp: number): Text {
  return new Text((language) => `${PERCENTS[language].format(percentBp / 100)}${language === 'fr' ? '\u00a0' : ''}%`)
}

const PERCENTS = {
  fr: new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 }),
  en: new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 }),
} as const

function between(parts: readonly (Text | false)[], separator: string): Fragment {
  const said = parts.filter((part) => part !== false)
  return said.map((part, index) => html`${index > 0 && separator}${part}`)
}
