// Merchant names in text messages, pushes and e-mails. A merchant chooses its name at sign-up. A name with an address, a phone
// number or a code would enable phishing by these messages.
import type { AccountNumber, EngineApi } from '../../../engine/api.ts'
import { oneLine } from '../../text/shown-text.ts'

/** Characters; a text message has 160. */
const NAME_LENGTH_MAX = 40
/** Maximum digits; more could form a phone number, a short number or a code. */
const DIGITS_MAX = 4
/** Harmless signs that messages leave out. Each becomes a blank. */
const LEFT_OUT = /[(),+/]/g
/**
 * Letters of the served countries' scripts, digits, blanks and `.'&-`. A dot ends a word, or is part of `S.A.`.
 */
const PLAIN_NAME =
  /^(?:[\p{Script=Latin}\p{Script=Arabic}\p{Script=Nko}\p{Script=Adlam}\p{M}\p{Nd} '&-]|\.(?= |$|(?<=(?:^|[ .])\p{Lu}\.)\p{Lu}(?:[ .]|$)))+$/u
/** What `PLAIN_NAME` has no place for: other signs, and dots that could be those of an address. */
const NOT_PLAIN =
  /[^\p{Script=Latin}\p{Script=Arabic}\p{Script=Nko}\p{Script=Adlam}\p{M}\p{Nd} .'&-]|\.(?! |$|(?<=(?:^|[ .])\p{Lu}\.)\p{Lu}(?:[ .]|$))/gu

/** Returns the name; null when it is not plain, and the text then says `un marchand`. */
export function nameInMessages(engine: Pick<EngineApi, 'query'>, account: AccountNumber): string | null {
  const reviewed = engine.query('merchants.reviewedName', { account })
  if (reviewed !== null) return reviewedName(reviewed)
  const merchant = engine.query('merchants.byAccount', { account })
  return merchant === null ? null : plainName(merchant.name)
}

/**
 * Returns a name that an operator approved. It is not refused for an address, as `Eau.ci` is one, but no phone may make a link of
 * it: what makes an address becomes a blank. Null where no letter is left.
 */
function reviewedName(name: string): string | null {
  const shown = shortened(written(name.normalize('NFKC')).replaceAll(NOT_PLAIN, ' '))
  return /\p{L}/u.test(shown) && hasFewDigits(shown) ? shown : null
}

/** Returns the name as messages show it; null when it is not plain. */
export function plainName(name: string): string | null {
  return isPlainName(name) ? shortened(name) : null
}

/** Returns whether a name is plain. It is normalized first, because phones make links of full-width dots too. */
export function isPlainName(name: string): boolean {
  const text = written(name.normalize('NFKC'))
  return PLAIN_NAME.test(text) && hasFewDigits(text)
}

function hasFewDigits(text: string): boolean {
  return (text.match(/\p{Nd}/gu)?.length ?? 0) <= DIGITS_MAX
}

function written(name: string): string {
  return name.replaceAll('\u2019', "'").replaceAll(LEFT_OUT, ' ')
}

function shortened(name: string): string {
  const characters = [...written(oneLine(name)).replaceAll(/ {2,}/g, ' ').trim()]
  return characters.slice(0, NAME_LENGTH_MAX).join('').trimEnd()
}
