// The route table of the dashboard.

import { RateLimiter } from '../../server/rate-limit.ts'
import type { Route } from '../../server/route.ts'
import { accountRows } from './account/account-pages.ts'
import { activationRows } from './account/activation-page.ts'
import { memberRows } from './account/member-pages.ts'
import { newsPageRows } from './account/news-pages.ts'
import { noticeRows } from './account/notice-pages.ts'
import { securityRows } from './account/security-pages.ts'
import { receiptRows } from './balance/receipt-pages.ts'
import { statementRows } from './balance/statement-pages.ts'
import { topUpRows } from './balance/top-up-pages.ts'
import { transactionRows } from './balance/transaction-pages.ts'
import { withdrawalAccountRows } from './balance/withdrawal-account-pages.ts'
import { withdrawalRows } from './balance/withdrawal-pages.ts'
import { billRows } from './bills/bill-pages.ts'
import { billerRows } from './bills/biller-pages.ts'
import { apiRows } from './developers/api-page.ts'
import { codeGuideRows } from './developers/code-guide-page.ts'
import { keyRows } from './developers/key-pages.ts'
import { webhookRows } from './developers/webhook-pages.ts'
import { chargeRows } from './get-paid/charge-pages.ts'
import { counterRows } from './get-paid/counter-pages.ts'
import { linkRows } from './get-paid/link-pages.ts'
import { mandateRows } from './get-paid/mandate-pages.ts'
import { problemRows } from './get-paid/problem-pages.ts'
import { tillRows } from './get-paid/till-pages.ts'
import { homeRows } from './overview/home-page.ts'
import { searchRows } from './overview/search-page.ts'
import { batchRows } from './pay-out/batch-pages.ts'
import { contactRows } from './pay-out/contact-pages.ts'
import { disbursementRows } from './pay-out/disbursement-pages.ts'
import { payoutRows } from './pay-out/payout-pages.ts'
import { productRows } from './products/product-pages.ts'
import { trialRows } from './products/trial-pages.ts'
import { scheduleRows } from './schedules/schedule-pages.ts'
import { repeatRows } from './schedules/schedule-repeat.ts'
import { PAGES_PER_SECOND } from './shared/dashboard-limits.ts'
import type { DashboardParts } from './shared/dashboard-visit.ts'
import { FormTable } from './shared/form-table.ts'
import { newsRows } from './shared/news-stream.ts'
import { recoveryRows } from './sign-in/recovery-pages.ts'
import { signInRows } from './sign-in/sign-in-routes.ts'

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
    ...problemRows(parts),
    ...counterRows(parts),
    ...tillRows(parts),
    ...newsRows(parts),
    ...payoutRows(parts),
    ...batchRows(parts),
    ...disbursementRows(parts),
    ...contactRows(parts),
    ...scheduleRows(parts),
    ...repeatRows(parts),
    ...mandateRows(parts),
    ...billRows(parts),
    ...topUpRows(parts),
    ...withdrawalRows(parts),
    ...withdrawalAccountRows(parts),
    ...transactionRows(parts),
    ...statementRows(parts),
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
    ...noticeRows(parts),
    ...newsPageRows(parts),
    ...activationRows(parts),
  ]
}
