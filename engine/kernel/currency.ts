// The currencies that the program knows. Which of them a deployment keeps accounts in is its setting CURRENCIES.

interface KnownCurrency {
  /** Digits behind the decimal point of the major unit. */
  readonly decimals: 0 | 2
  /** Stands behind the amount. */
  readonly symbol: string
  readonly names: { readonly fr: string; readonly en: string }
  /** Calling codes of the countries whose currency it is. */
  readonly callingCodes: readonly string[]
}

/** ISO 4217. Their order is in snapshots: add at the end, never change. Every code has three letters. */
export const KNOWN_CURRENCIES = {
  XOF: {
    decimals: 0,
    symbol: 'F CFA',
    names: { fr: 'franc CFA (BCEAO)', en: 'West African CFA franc' },
    // Benin, Burkina Faso, Côte d’Ivoire, Guinea-Bissau, Mali, Niger, Senegal, Togo.
    callingCodes: ['+229', '+226', '+225', '+245', '+223', '+227', '+221', '+228'],
  },
  XAF: {
    decimals: 0,
    symbol: 'FCFA',
    names: { fr: 'franc CFA (BEAC)', en: 'Central African CFA franc' },
    // Cameroon, Central African Republic, Chad, Congo, Equatorial Guinea, Gabon.
    callingCodes: ['+237', '+236', '+235', '+242', '+240', '+241'],
  },
  GNF: { decimals: 0, symbol: 'FG', names: { fr: 'franc guinéen', en: 'Guinean franc' }, callingCodes: ['+224'] },
  GHS: { decimals: 2, symbol: 'GH₵', names: { fr: 'cedi ghanéen', en: 'Ghanaian cedi' }, callingCodes: ['+233'] },
  NGN: { decimals: 2, symbol: '₦', names: { fr: 'naira nigérian', en: 'Nigerian naira' }, callingCodes: ['+234'] },
  MRU: { decimals: 2, symbol: 'UM', names: { fr: 'ouguiya mauritanien', en: 'Mauritanian ouguiya' }, callingCodes: ['+222'] },
  CVE: { decimals: 2, symbol: 'CVE', names: { fr: 'escudo capverdien', en: 'Cape Verdean escudo' }, callingCodes: ['+238'] },
  SLE: { decimals: 2, symbol: 'Le', names: { fr: 'leone sierra-léonais', en: 'Sierra Leonean leone' }, callingCodes: ['+232'] },
  GMD: { decimals: 2, symbol: 'D', names: { fr: 'dalasi gambien', en: 'Gambian dalasi' }, callingCodes: ['+220'] },
  LRD: { decimals: 2, symbol: 'L$', names: { fr: 'dollar libérien', en: 'Liberian dollar' }, callingCodes: ['+231'] },
  USD: { decimals: 2, symbol: 'US$', names: { fr: 'dollar des États-Unis', en: 'US dollar' }, callingCodes: ['+1'] },
  EUR: {
    decimals: 2,
    symbol: '€',
    names: { fr: 'euro', en: 'euro' },
    // The countries of the euro area.
    callingCodes: [
      ...['+43', '+32', '+359', '+385', '+357', '+372', '+358', '+33', '+49', '+30', '+353'],
      ...['+39', '+371', '+370', '+352', '+356', '+31', '+351', '+421', '+386', '+34'],
    ],
  },
} as const satisfies Readonly<Record<string, KnownCurrency>>

export type Currency = keyof typeof KNOWN_CURRENCIES

/** Codes of the known currencies. Accounts store the index of theirs. */
export const CURRENCY_CODES = Object.keys(KNOWN_CURRENCIES) as readonly Currency[]

/** The currencies that a deployment keeps accounts in. The first is its default. */
export type KeptCurrencies = readonly [Currency, ...Currency[]]

/** What a deployment keeps that sets nothing. */
export const DEFAULT_CURRENCIES: KeptCurrencies = ['XOF']

export function isCurrency(value: unknown): value is Currency {
  return typeof value === 'string' && Object.hasOwn(KNOWN_CURRENCIES, value)
}

/** Returns the currency of the phone's calling code where it is kept, otherwise the default. No calling code begins another. */
export function currencyOfPhone(phone: string, kept: KeptCurrencies): Currency {
  return kept.find((currency) => callingCodesOf(currency).some((code) => phone.startsWith(code))) ?? kept[0]
}

export function callingCodesOf(currency: Currency): readonly string[] {
  return KNOWN_CURRENCIES[currency].callingCodes
}

/** Returns how many digits a typed amount may have behind its decimal point. */
export function decimalsOf(currency: Currency): number {
  return KNOWN_CURRENCIES[currency].decimals
}
