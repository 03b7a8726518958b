// Mandates over HTTP: the one that a path names, and lists of them, each as it stands now, for merchants and for wallets.
import type { Engine } from '../../engine/actor/engine.ts'
import type { Hit } from '../../engine/actor/history.ts'
import type { ListMandatesQuery, ListWalletMandatesQuery } from '../../engine/contract/mandate.ts'
import { seenByCustomer } from '../../engine/domain/mandate/mandate-decide.ts'
import type { MandateVersion } from '../../engine/domain/mandate/mandate-state.ts'
import { type FoundMandate, findMandate } from '../../engine/domain/mandate/mandate-versions.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import { mandateByTokenTerm, mandatesOfWalletTerm, mandatesTerm } from '../../engine/domain/terms.ts'
import { normalizeTag } from '../../engine/kernel/tag.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { Call, MerchantPrincipal, WalletPrincipal } from '../server/route.ts'
import { answerDocuments } from './document-list.ts'

type ListEngine = Pick<Engine, 'state' | 'history'>

/** The mandate that a wallet or a merchant knows by this id; null for everybody else's. */
export function mandateOf({ state, history }: ListEngine, account: AccountNumber, id: string): FoundMandate | null {
  const found = findMandate(state, history, id.toLowerCase())
  return found !== null && (found.account === account || found.customer === account) ? found : null
}

/** Null when nothing goes by that token. */
export function mandateByToken({ state, history }: ListEngine, token: string): FoundMandate | null {
  const created = history.latest(mandateByTokenTerm(token), (event) => isCreation(event.type) && versionOf(event).mandate.token === token)
  return created === null ? null : findMandate(state, history, versionOf(created).mandate.id)
}

export function answerMandates(engine: ListEngine, call: Call<unknown, ListMandatesQuery, MerchantPrincipal>): void {
  const { account } = call.principal
  const { reference, state: wanted } = call.query
  const tag = call.query.customer_tag === undefined ? undefined : (normalizeTag(call.query.customer_tag) ?? '')
  const terms = [
    ...(tag === undefined ? [] : [mandatesTerm(account, 'customer_tag', tag)]),
    ...(reference === undefined ? [] : [mandatesTerm(account, 'reference', reference)]),
  ]
  answerDocuments(call, engine.history, {
    terms: terms.length === 0 ? [mandatesTerm(account)] : terms,
    keep: ({ event }) => {
      if (event.account !== account || !isCreation(event.type)) return false
      const { mandate } = versionOf(event)
      return (tag === undefined || mandate.customer_tag === tag) && (reference === undefined || mandate.reference === reference)
    },
    current: (created) => currentText(engine, created, wanted, ({ mandate }) => mandate),
  })
}

export function answerWalletMandates(engine: ListEngine, call: Call<unknown, ListWalletMandatesQuery, WalletPrincipal>): void {
  const { account } = call.principal
  answerDocuments(call, engine.history, {
    terms: [mandatesOfWalletTerm(account)],
    keep: ({ event }) => isCreation(event.type) && versionOf(event).customer === account,
    current: (created) => currentText(engine, created, call.query.state, (found) => seenByCustomer(engine.state, found)),
  })
}

function currentText(
  { state, history }: ListEngine,
  { event }: Hit,
  wanted: string | undefined,
  seen: (found: FoundMandate) => object,
): string | null {
  const found = findMandate(state, history, versionOf(event).mandate.id)
  return found === null || (wanted !== undefined && found.mandate.state !== wanted) ? null : JSON.stringify(seen(found))
}

function isCreation(type: string): boolean {
  return type === 'mandate.created'
}

function versionOf(event: Hit['event']): MandateVersion {
  return payloadOf<MandateVersion>(event)
}
