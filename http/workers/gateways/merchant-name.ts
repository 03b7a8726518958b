// The name of a merchant in messages that leave in our name. A merchant that signed up by itself chose its name itself: one
// that holds an address, a phone number or a code would lend our text messages to a fraud.
import type { Merchant } from '../../../engine/domain/merchant/merchant-state.ts'
import type { State } from '../../../engine/domain/state.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'
import { cutLine } from '../../text/shown-text.ts'

/** Characters; a text message has 160. */
const NAME_LENGTH_MAX = 40
/** More would make a phone number, a short number or a code. */
const DIGITS_MAX = 4
/** Scripts of the countries that we serve, and no signs that addresses are made of: a dot ends a word, or stands in `S.A.`. */
const PLAIN_NAME =
  /^(?:[\p{Script=Latin}\p{Script=Arabic}\p{Script=Nko}\p{Script=Adlam}\p{M}\p{Nd} '’&(),+/-]|\.(?=[ ,)]|$|(?<=(?:^|[ .])\p{Lu}\.)\p{Lu}(?:[ .,)]|$)))+$/u

/** Null when the name must not stand in a message: the text says `un marchand` then. */
export function nameInMessages(state: State, account: AccountNumber): string | null {
  const merchant = state.merchants.byAccount(account)
  if (merchant === undefined) return null
  const reviewed = reviewedName(state, merchant)
  if (reviewed !== null) return cutLine(reviewed, NAME_LENGTH_MAX)
  const name = cutLine(merchant.name, NAME_LENGTH_MAX)
  return isPlainName(name) ? name : null
}

/** The name that an operator gave or has approved; null where no operator has seen one. */
function reviewedName({ billers, dashboard }: State, merchant: Merchant): string | null {
  const biller = billers.ofMerchant(merchant.id)
  if (biller?.live === true && biller.directory_state === 'published') return biller.display_name
  // A merchant that an operator made has no user of its own.
  return dashboard.userByEmail(merchant.email)?.merchant_id === merchant.id ? null : merchant.name
}

/** Compatibility forms first: a full-width dot is a dot to the phone that makes a link of it. */
export function isPlainName(name: string): boolean {
  const text = name.normalize('NFKC')
  return PLAIN_NAME.test(text) && (text.match(/\p{Nd}/gu)?.length ?? 0) <= DIGITS_MAX
}
