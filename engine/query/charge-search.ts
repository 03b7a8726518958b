// Search of the list of charges: the ways to the first versions of the charges that a text means.
import type { Hit } from '../actor/index-hit.ts'
import { chargeByIdIndexKey, chargeIndexKey, chargesIndexKey } from '../domain/charge/charge-index-keys.ts'
import type { Charge, ChargeChange } from '../domain/charge/charge-state.ts'
import { isChargeVersion } from '../domain/charge/charge-versions.ts'
import { payloadOf } from '../domain/record.ts'
import { isUuid } from '../kernel/ids.ts'
import { isReference } from '../kernel/reference.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { HistoryReads, Reads } from './reads.ts'
import type { Search, Way } from './search.ts'
import { transactionHit, wayWithWallet } from './transaction-search.ts'

/** Maximum of payments by one wallet that a search by its tag reads. Each takes an index look-up. */
const PAYMENTS_MAX = 128

/** By reference, by the tag of the customer or of the payer, by id, token or transaction. */
export function waysToCharges(reads: Reads, account: AccountNumber, { text, reference, tag, id }: Search): Way[] {
  const { history } = reads
  const transaction = id === null ? null : transactionHit(history, account, id)
  const known = [
    id === null ? null : firstVersion(history, account, id),
    history.first(chargeIndexKey(text), (hit) => isCreation(hit, account) && payloadOf<Charge>(hit.event).token === text),
    transaction === null ? null : creationOf(history, account, transaction),
  ]
  return [
    {
      indexKeys: [chargesIndexKey(account, 'reference', reference)],
      keep: ({ event }) => isReference(payloadOf<Charge>(event).reference, reference),
    },
    ...(tag === null ? [] : waysByTag(reads, account, tag)),
    known.flatMap((hit) => hit ?? []),
  ]
}

function waysByTag({ state, history }: Reads, account: AccountNumber, tag: string): Way[] {
  const reserved: Way = {
    indexKeys: [chargesIndexKey(account, 'customer_tag', tag)],
    keep: ({ event }) => payloadOf<Charge>(event).customer_tag === tag,
  }
  const wallet = state.wallets.byTag(state.accounts.environment(account), tag)
  if (wallet === undefined) return [reserved]
  const { hits } = history.page({ ...wayWithWallet(account, wallet.account, 'charge'), limit: PAYMENTS_MAX })
  return [reserved, hits.flatMap((hit) => creationOf(history, account, hit) ?? [])]
}

/** Returns the first version of the charge that the hit is a version of. */
function creationOf(history: HistoryReads, account: AccountNumber, { event }: Hit): Hit | null {
  return isChargeVersion(event) ? firstVersion(history, account, payloadOf<Charge | ChargeChange>(event).id) : null
}

/** Returns the first version of the merchant's charge with this id, null when it has none. */
export function firstVersion(history: HistoryReads, account: AccountNumber, id: string): Hit | null {
  if (!isUuid(id)) return null
  return history.first(chargeByIdIndexKey(id), (hit) => isCreation(hit, account) && payloadOf<Charge>(hit.event).id === id)
}

function isCreation({ event }: Hit, account: AccountNumber): boolean {
  return event.account === account && event.type === 'charge.created'
}
