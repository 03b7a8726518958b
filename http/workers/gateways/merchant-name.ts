// The name of a merchant in text messages and pushes. A merchant that signed up by itself chose its name: a name with an
// address, a phone number or a code would let it send phishing in our messages.
import type { AccountNumber, EngineApi } from '../../../engine/api.ts'
import { cutLine } from '../../text/shown-text.ts'

/** Characters; a text message has 160. */
const NAME_LENGTH_MAX = 40
/** More would make a phone number, a short number or a code. */
const DIGITS_MAX = 4
/** Scripts of the countries that we serve, and no signs that addresses are made of: a dot ends a word, or stands in `S.A.`. */
const PLAIN_NAME =
  /^(?:[\p{Script=Latin}\p{Script=Arabic}\p{Script=Nko}\p{Script=Adlam}\p{M}\p{Nd} '’&(),+/-]|\.(?=[ ,)]|$|(?<=(?:^|[ .])\p{Lu}\.)\p{Lu}(?:[ .,)]|$)))+$/u

/** Null when the name must not stand in a message: the text says `un marchand` then. */
export function nameInMessages(engine: Pick<EngineApi, 'query'>, account: AccountNumber): string | null {
  const reviewed = engine.query('merchants.reviewedName', { account })
  if (reviewed !== null) return cutLine(reviewed, NAME_LENGTH_MAX)
  const merchant = engine.query('merchants.byAccount', { account })
  if (merchant === null) return null
  const name = cutLine(merchant.name, NAME_LENGTH_MAX)
  return isPlainName(name) ? name : null
}

/** Compatibility forms first: a full-width dot is a dot to the phone that makes a link of it. */
export function isPlainName(name: string): boolean {
  const text = name.normalize('NFKC')
  return PLAIN_NAME.test(text) && (text.match(/\p{Nd}/gu)?.length ?? 0) <= DIGITS_MAX
}
