// Merchant names in text messages and pushes. A merchant chooses its name at sign-up. A name with an address, a phone
// number or a code would enable phishing by these messages.
import type { AccountNumber, EngineApi } from '../../../engine/api.ts'
import { cutLine } from '../../text/shown-text.ts'

/** Characters; a text message has 160. */
const NAME_LENGTH_MAX = 40
/** Maximum digits; more could form a phone number, a short number or a code. */
const DIGITS_MAX = 4
/**
 * Letters of the served countries' scripts, without characters of addresses. A dot ends a word, or is part of `S.A.`.
 */
const PLAIN_NAME =
  /^(?:[\p{Script=Latin}\p{Script=Arabic}\p{Script=Nko}\p{Script=Adlam}\p{M}\p{Nd} '’&(),+/-]|\.(?=[ ,)]|$|(?<=(?:^|[ .])\p{Lu}\.)\p{Lu}(?:[ .,)]|$)))+$/u

/** Returns the name; null when it is not plain, and the text then says `un marchand`. */
export function nameInMessages(engine: Pick<EngineApi, 'query'>, account: AccountNumber): string | null {
  const reviewed = engine.query('merchants.reviewedName', { account })
  if (reviewed !== null) return cutLine(reviewed, NAME_LENGTH_MAX)
  const merchant = engine.query('merchants.byAccount', { account })
  if (merchant === null) return null
  const name = cutLine(merchant.name, NAME_LENGTH_MAX)
  return isPlainName(name) ? name : null
}

/** Returns whether a name is plain. It is normalized first, because phones make links of full-width dots too. */
export function isPlainName(name: string): boolean {
  const text = name.normalize('NFKC')
  return PLAIN_NAME.test(text) && (text.match(/\p{Nd}/gu)?.length ?? 0) <= DIGITS_MAX
}
