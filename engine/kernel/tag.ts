// The public name of a wallet, without its @.

/** Matched before the case is lowered: Unicode lowers the Kelvin sign (U+212A) to k, and it is not allowed in a tag. */
const INPUT = /^@?[A-Za-z0-9_]{3,20}$/

/** Drops one leading @ and lowers the case. Returns null when the result does not match `^[a-z0-9_]{3,20}$`. */
export function normalizeTag(input: string): string | null {
  if (!INPUT.test(input)) return null
  return (input.charCodeAt(0) === 64 ? input.slice(1) : input).toLowerCase()
}

/** A phone that was typed without its plus sign. */
const PHONE_WITHOUT_PLUS = /^@?[0-9]{8,}$/

/** Returns whether the text is eight or more digits. A wallet is not named so: the text may be the phone of another one. */
export function isPhoneWithoutPlus(input: string): boolean {
  return PHONE_WITHOUT_PLUS.test(input)
}

const LETTER = /[a-z]/

/** Returns whether a new wallet may take the normalized tag. Wallets that have another one keep it. */
export function isFreeForWallets(tag: string): boolean {
  if (!LETTER.test(tag)) return false
  const words = tag.split('_').filter((word) => word !== '')
  if (words.length === 1 && RESERVED.has(words[0] as string)) return false
  return !isOfficial(tag.replace(NOT_LETTERS, ''))
}

const NOT_LETTERS = /[^a-z]/g

/** Returns whether the letters are words of the service put together, however they are divided: `caurisupport`, `cauri225`. */
function isOfficial(letters: string): boolean {
  const ends = [true]
  for (let end = 1; end <= letters.length; end++) {
    ends[end] = ends.some((isEnd, start) => isEnd && OFFICIAL.has(letters.slice(start, end)))
  }
  return ends[letters.length] === true
}

/** Words that a person may take for the service, for its staff or for another operator; also put together, and with digits. */
const OFFICIAL: ReadonlySet<string> = new Set(
  `admin administrateur administration administrator agent aide assistance bceao cauri compliance contact
  direction emoney equipe expresso finance finances free help helpdesk info kyc moderator momo money moov mtn official officiel operateur
  operator orange root sav securite security service services staff support sysadmin system systeme team uemoa verification wave wizall`.split(
    /\s+/,
  ),
)

/** Words that a table of payments may hold in the place of a recipient, and `test`. */
const CELLS: ReadonlySet<string> = new Set(
  `aucun aucune amount anonymous beneficiaire compte currency date destinataire devise empty error erreur false faux inconnu infinity
  montant name nan nil nom non none note null number numero oui phone recipient reference sum somme tag tel telephone test total true
  undefined unknown vide void vrai yes`.split(/\s+/),
)

const RESERVED: ReadonlySet<string> = new Set([...OFFICIAL, ...CELLS])
