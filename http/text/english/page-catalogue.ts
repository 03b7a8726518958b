// The catalogue of pages, and of the messages of the API that pages show.
import { Catalogue, type Entries } from '../catalogue.ts'
import { API_TEXTS } from './api-details.ts'
import { CHECKOUT_TEXTS, LAYOUT_TEXTS } from './checkout.ts'
import { COMPOSED_TEXTS } from './composed.ts'
import { DASHBOARD_ACCOUNT_TEXTS } from './dashboard-account.ts'
import { DASHBOARD_CODE_TEXTS } from './dashboard-code.ts'
import { DASHBOARD_LIST_TEXTS } from './dashboard-lists.ts'
import { DASHBOARD_NOTE_TEXTS } from './dashboard-notes.ts'
import { DASHBOARD_PAYMENT_TEXTS } from './dashboard-payments.ts'
import { DASHBOARD_PAYOUT_TEXTS } from './dashboard-payouts.ts'
import { DASHBOARD_PRODUCT_TEXTS } from './dashboard-products.ts'
import { DESK_TEXTS } from './desk.ts'
import { DESK_BILLER_TEXTS } from './desk-billers.ts'
import { DESK_NODE_TEXTS } from './desk-nodes.ts'
import { DESK_QUOTA_TEXTS } from './desk-quotas.ts'
import { DEV_TEXTS } from './dev.ts'
import { DOCS_TEXTS } from './docs.ts'

/** Texts of the pages. A text is in one of them. */
export const PAGE_TEXTS: readonly Entries[] = [
  LAYOUT_TEXTS,
  CHECKOUT_TEXTS,
  DASHBOARD_ACCOUNT_TEXTS,
  DASHBOARD_CODE_TEXTS,
  DASHBOARD_LIST_TEXTS,
  DASHBOARD_NOTE_TEXTS,
  DASHBOARD_PAYMENT_TEXTS,
  DASHBOARD_PAYOUT_TEXTS,
  DASHBOARD_PRODUCT_TEXTS,
  DESK_BILLER_TEXTS,
  DESK_NODE_TEXTS,
  DESK_TEXTS,
  DESK_QUOTA_TEXTS,
  DEV_TEXTS,
  DOCS_TEXTS,
]

export const PAGE_CATALOGUE = new Catalogue({ sentences: [API_TEXTS], pages: [COMPOSED_TEXTS, ...PAGE_TEXTS] })
