// How pages name and link records of others: never by an id alone.
import type { ChargeMaker } from '../../../../engine/contract/created-by.ts'
import { type Fragment, html } from '../../shared/html.ts'
import { theirs } from './dashboard-parts.ts'
import type { Visit } from './dashboard-visit.ts'
import { DASHBOARD_WORDS } from './dashboard-words.ts'

/** Leads to the page of a record, whose id says nothing to a reader; nothing for null. */
export function recordLink(visit: Pick<Visit, 'to'>, place: string, id: string | null): Fragment {
  return id !== null && html`<a href="${visit.to(`${place}/${id}`)}">${DASHBOARD_WORDS.seeDetails}</a>`
}

/** Leads to the page of a transaction. A cashier reads none, and sees the id. */
export function transactionLink(visit: Visit, id: string | null): Fragment {
  return visit.may('getTransaction') ? recordLink(visit, 'transactions', id) : (id ?? false)
}

/** Renders who made a record: a member, a link, or a key by its label. A key without one is named by the end of its public key. */
export function makerName({ kind, name }: Pick<ChargeMaker, 'kind' | 'name'>): Fragment {
  return kind === 'key' && /^pk_/.test(name) ? keyName('', name) : theirs(name)
}

export function keyName(label: string, publicKey: string): Fragment {
  return label === '' ? DASHBOARD_WORDS.unnamedKey(publicKey.slice(-4)) : theirs(label)
}
