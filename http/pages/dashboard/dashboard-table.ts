// The route table of the dashboard.

import { RateLimiter } from '../../server/rate-limit.ts'
import type { Route } from '../../server/route.ts'
import { accountRows } from './account-pages.ts'
import { activationRows } from './activation-page.ts'
import { apiRows } from './api-page.ts'
import { batchFileRows } from './batch-file-pages.ts'
import { batchRows } from './batch-pages.ts'
import { billRows } from './bill-pages.ts'
import { billerRows } from './biller-pages.ts'
import { chargeRows } from './charge-pages.ts'
import { codeGuideRows } from './code-guide-page.ts'
import { PAGES_PER_SECOND } from './dashboard-limits.ts'
import { FormTable } from './form-table.ts'
import { homeRows } from './home-page.ts'
import { keyRows } from './key-pages.ts'
import { linkRows } from './link-pages.ts'
import { mandateRows } from './mandate-pages.ts'
import { memberRows } from './member-pages.ts'
import { newsRows } from './news-stream.ts'
import { payoutRows } from './payout-pages.ts'
import { productRows } from './product-pages.ts'
import { receiptRows } from './receipt-pages.ts'
import { recoveryRows } from './recovery-pages.ts'
import { scheduleRows } from './schedule-pages.ts'
import { searchRows } from './search-page.ts'
import { securityRows } from './security-pages.ts'
import { signInRows } from './sign-in-routes.ts'
import { topUpRows } from './top-up-pages.ts'
import { transactionRows } from './transaction-pages.ts'
import { trialRows } from './trial-pages.ts'
import type { DashboardParts } from './visit.ts'
import { webhookRows } from './webhook-pages.ts'
import { withdrawalRows } from './withdrawal-pages.ts'

export function dashboardPageRoutes(given: Pick<DashboardParts, 'app' | 'api'>): readonly Route[] {
  const parts: DashboardParts = {
    ...given,
    forms: new FormTable(),
    rate: new RateLimiter({ live: PAGES_PER_SECOND, test: PAGES_PER_SECOND }),
  }
  return [
    ...signInRows(parts),
    ...recoveryRows(parts),
    ...homeRows(parts),
    ...searchRows(parts),
    ...receiptRows(parts),
    ...chargeRows(parts),
    ...linkRows(parts),
    ...newsRows(parts),
    ...payoutRows(parts),
    ...batchRows(parts),
    ...batchFileRows(parts),
    ...scheduleRows(parts),
    ...mandateRows(parts),
    ...billRows(parts),
    ...topUpRows(parts),
    ...withdrawalRows(parts),
    ...transactionRows(parts),
    ...keyRows(parts),
    ...billerRows(parts),
    ...productRows(parts),
    ...trialRows(parts),
    ...codeGuideRows(parts),
    ...webhookRows(parts),
    ...apiRows(parts),
    ...memberRows(parts),
    ...securityRows(parts),
    ...accountRows(parts),
    ...activationRows(parts),
  ]
}
