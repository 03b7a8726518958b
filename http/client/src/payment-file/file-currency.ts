// The currencies of payment files: how many decimals their amounts have, and their names beside an amount and in the name of a column.

interface FileMoney {
  readonly decimals: 0 | 2
  /** May stand before or behind an amount, beside the code. */
  readonly symbols: readonly string[]
  /** May stand behind it alone. */
  readonly endings?: readonly string[]
}

export const FILE_CURRENCIES = {
  XOF: { decimals: 0, symbols: ['F CFA'], endings: ['CFA', 'F'] },
  XAF: { decimals: 0, symbols: ['F CFA'], endings: ['CFA', 'F'] },
  GNF: { decimals: 0, symbols: ['FG'], endings: ['F'] },
  GHS: { decimals: 2, symbols: ['GH₵', '₵'] },
  NGN: { decimals: 2, symbols: ['₦'] },
  MRU: { decimals: 2, symbols: ['UM'] },
  CVE: { decimals: 2, symbols: ['CVE'] },
  SLE: { decimals: 2, symbols: ['Le'] },
  GMD: { decimals: 2, symbols: ['D'] },
  LRD: { decimals: 2, symbols: ['L$'] },
  USD: { decimals: 2, symbols: ['US$'] },
  EUR: { decimals: 2, symbols: ['€'] },
} as const satisfies Readonly<Record<string, FileMoney>>

export type FileCurrency = keyof typeof FILE_CURRENCIES

/** Blanks that programs write between thousands: space, no-break space, figure, thin and narrow no-break space. */
export const BLANK = '[ \\u00a0\\u2007\\u2009\\u202f]'

/** How a currency is read. */
export interface CurrencyNames {
  readonly decimals: 0 | 2
  /** The name before or behind an amount, with the blanks between. */
  readonly around: RegExp
  /** The name in parentheses, as in `Montant (F CFA)`. */
  readonly inColumn: RegExp
}

const READ = new Map<FileCurrency, CurrencyNames>()

export function isFileCurrency(code: string): code is FileCurrency {
  return Object.hasOwn(FILE_CURRENCIES, code)
}

/** Throws a TypeError for a currency that is not known: its decimals would be guessed. */
export function fileCurrency(code: string): FileCurrency {
  if (isFileCurrency(code)) return code
  throw new TypeError(`currency is that of the account, one of ${Object.keys(FILE_CURRENCIES).join(', ')}`)
}

export function namesOf(currency: FileCurrency): CurrencyNames {
  const known = READ.get(currency)
  if (known !== undefined) return known
  const { decimals, symbols, endings = [] }: FileMoney = FILE_CURRENCIES[currency]
  const before = [currency, ...symbols].map(pattern).join('|')
  const behind = [currency, ...symbols, ...endings].map(pattern).join('|')
  const made = {
    decimals,
    around: new RegExp(`^(?:${before})${BLANK}*|${BLANK}*(?:${behind})\\.?$`, 'giu'),
    inColumn: new RegExp(`\\(${BLANK}*(?:${behind})${BLANK}*\\)`, 'iu'),
  }
  READ.set(currency, made)
  return made
}

/** `F CFA` is written `F. CFA` and `FCFA` too. */
function pattern(name: string): string {
  return name.replaceAll(/[$.]/g, '\\$&').replaceAll(' ', `\\.?${BLANK}*`)
}
