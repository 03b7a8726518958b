// Query for the activity of a merchant: what its keys and members did, over the index keys of their acts.
import type { Hit } from '../actor/index-hit.ts'
import type { ActivityAction, ActivityQuery, ActivityRow } from '../contract/activity.ts'
import type { Caller } from '../contract/created-by.ts'
import { sessionsIndexKey } from '../domain/dashboard/dashboard-index-keys.ts'
import type { DashboardSessionRow } from '../domain/dashboard/dashboard-state.ts'
import { disbursementActsIndexKey } from '../domain/disbursement/disbursement-index-keys.ts'
import type { DisbursementChanged, DisbursementCreated } from '../domain/disbursement/disbursement-state.ts'
import type { ApiKeyRevoked } from '../domain/merchant/merchant-decide.ts'
import { ownerActsIndexKey } from '../domain/merchant/merchant-index-keys.ts'
import type { MerchantLogoSet } from '../domain/merchant/merchant-logo.ts'
import type { ApiKeyRow, MerchantAccountSet, MerchantNameRequested } from '../domain/merchant/merchant-state.ts'
import type { KeyLimitsSet, PayoutPolicySet } from '../domain/merchant/payout-rules-decide.ts'
import { payloadOf } from '../domain/record.ts'
import type { Environment } from '../kernel/environment.ts'
import { rfc3339 } from '../kernel/time.ts'
import { type ListPage, listPage, pageWindow } from './list-page.ts'
import type { Reads } from './reads.ts'

export interface ActivityInput {
  readonly merchantId: string
  readonly environment: Environment
  readonly query: ActivityQuery
}

/** A row without its words. */
export type ActivityEntry = Omit<ActivityRow, 'summary'>

type Act = Omit<ActivityEntry, 'at' | 'by'> & { readonly by: Caller | null }

/** Returns rows as JSON text of ActivityEntry. Null when the cursor belongs to another kind of list. */
export function listActivity(reads: Reads, { merchantId, environment, query }: ActivityInput): ListPage | null {
  const merchant = reads.state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { rows: [], nextCursor: null }
  const { limit, cursor, action, from, to } = query
  const window = pageWindow({
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(from === undefined ? {} : { created_from: from }),
    ...(to === undefined ? {} : { created_to: to }),
  })
  if (window === null) return null
  const account = merchant.accounts[environment]
  const home = merchant.accounts.live
  const by = query.by?.toLowerCase()
  const entry = (hit: Hit): ActivityEntry | null => {
    const { event } = hit
    const isOwn = event.account === (OF_BOTH.has(event.type) ? home : account)
    const act = isOwn ? actOf(reads, hit, environment) : null
    if (act === null || act.by === null) return null
    if ((action !== undefined && act.action !== action) || (by !== undefined && act.by.id !== by)) return null
    return { at: rfc3339(hit.timeMs), ...act, by: act.by }
  }
  const ownerActs = [...new Set([account, home])].map(ownerActsIndexKey)
  const indexKeys = [[disbursementActsIndexKey(account), ...ownerActs, sessionsIndexKey(home)]]
  const page = reads.history.page({ ...window, indexKeys, keep: (hit) => entry(hit) !== null })
  return listPage(page, (hit) => JSON.stringify(entry(hit)))
}

/** What belongs to both environments stands under the live account. */
const OF_BOTH: ReadonlySet<string> = new Set([
  'dashboard_session.opened',
  'merchant.account_set',
  'merchant.name_requested',
  'merchant.logo_set',
])

/** An act whose `by` is null was the operator's. */
function actOf(reads: Reads, { event }: Hit, environment: Environment): Act | null {
  switch (event.type) {
    case 'disbursement.created': {
      const { plan } = payloadOf<DisbursementCreated>(event)
      return { action: 'disbursement.create', by: plan.created_by, environment, ...aboutPlan(plan) }
    }
    case 'disbursement.changed':
      return changeOf(reads, payloadOf<DisbursementChanged>(event), environment)
    case 'merchant.payout_policy_set': {
      const { acted_by = null, approval_above } = payloadOf<PayoutPolicySet>(event)
      const currency = reads.state.accounts.currency(event.account)
      return {
        action: 'payout_policy.set',
        by: acted_by,
        environment,
        ...(approval_above === null ? {} : { amount: approval_above, currency }),
      }
    }
    case 'merchant.account_set':
      return { action: 'account.set', by: payloadOf<MerchantAccountSet>(event).acted_by }
    case 'merchant.name_requested':
      return { action: 'name.request', by: payloadOf<MerchantNameRequested>(event).acted_by }
    case 'merchant.logo_set':
      return { action: 'logo.set', by: payloadOf<MerchantLogoSet>(event).acted_by }
    case 'api_key.created': {
      const { id, made_by } = payloadOf<ApiKeyRow>(event)
      return { action: 'api_key.create', by: made_by === undefined ? null : memberOf(reads, made_by), environment, api_key_id: id }
    }
    case 'api_key.limits_set': {
      const { key_id, acted_by = null } = payloadOf<KeyLimitsSet>(event)
      return { action: 'api_key.limits_set', by: acted_by, environment, api_key_id: key_id }
    }
    case 'api_key.revoked': {
      const { id, acted_by = null } = payloadOf<ApiKeyRevoked>(event)
      return { action: 'api_key.revoke', by: acted_by, environment, api_key_id: id }
    }
    case 'dashboard_session.opened':
      return { action: 'session.open', by: memberOf(reads, payloadOf<DashboardSessionRow>(event).user_id) }
    default:
      return null
  }
}

function changeOf({ history }: Reads, { act, created_position, progress }: DisbursementChanged, environment: Environment): Act | null {
  if (act === undefined) return null
  const { plan } = payloadOf<DisbursementCreated>(history.eventAt(created_position))
  const reason = act.verb === 'reject' ? (progress.status.approval?.reason ?? null) : null
  const action: ActivityAction = `disbursement.${act.verb}`
  return { action, by: act.by, environment, ...aboutPlan(plan), ...(reason === null ? {} : { reason }) }
}

type AboutPlan = Pick<Act, 'disbursement_id' | 'amount' | 'currency' | 'reference'>

function aboutPlan({ id, valid_amount, currency, reference }: DisbursementCreated['plan']): AboutPlan {
  return { disbursement_id: id, amount: valid_amount, currency, ...(reference === '' ? {} : { reference }) }
}

/** The name of a member who has left is empty. */
function memberOf({ state }: Reads, id: string): Caller {
  return { kind: 'member', id, name: state.dashboard.users.get(id)?.email ?? '' }
}
