// The route table: every path and method of the API, in the order in which the document shows them.

import { batchRoutes } from '../api/batches/batch-routes.ts'
import { billerCodeRoutes } from '../api/billers/biller-code-routes.ts'
import { billerRoutes } from '../api/billers/biller-routes.ts'
import { operatorBillerRoutes } from '../api/billers/operator-biller-routes.ts'
import { billerProductRoutes } from '../api/billers/product-routes.ts'
import { billPaymentRoutes } from '../api/bills/bill-payment-routes.ts'
import { billRoutes } from '../api/bills/bill-routes.ts'
import { chargeRoutes } from '../api/charges/charge-routes.ts'
import { testChargeRoutes } from '../api/charges/test-charge-routes.ts'
import { tillRoutes } from '../api/charges/till-routes.ts'
import { walletChargeRoutes } from '../api/charges/wallet-charge-routes.ts'
import { checkoutRoutes } from '../api/checkout/checkout-routes.ts'
import { contactRoutes } from '../api/contacts/contact-routes.ts'
import { activityRoutes } from '../api/dashboard/activity-routes.ts'
import { dashboardRoutes } from '../api/dashboard/dashboard-routes.ts'
import { memberRoutes } from '../api/dashboard/member-routes.ts'
import { newsRoutes } from '../api/dashboard/news-routes.ts'
import { noticeRoutes } from '../api/dashboard/notice-routes.ts'
import { recoveryRoutes } from '../api/dashboard/recovery-routes.ts'
import { totpRoutes } from '../api/dashboard/totp-routes.ts'
import { directoryRoutes } from '../api/directory/directory-routes.ts'
import { disbursementRoutes } from '../api/disbursements/disbursement-routes.ts'
import { healthRoute } from '../api/health/health-routes.ts'
import { mandateRoutes } from '../api/mandates/mandate-routes.ts'
import { walletMandateRoutes } from '../api/mandates/wallet-mandate-routes.ts'
import { accountRoutes } from '../api/merchants/account-routes.ts'
import { activationRoutes } from '../api/merchants/activation-routes.ts'
import { apiKeyRoutes } from '../api/merchants/api-key-routes.ts'
import { feeQuoteRoutes } from '../api/merchants/fee-routes.ts'
import { merchantAccountRoutes } from '../api/merchants/merchant-account-routes.ts'
import { merchantLogoRoutes } from '../api/merchants/merchant-logo-routes.ts'
import { payoutPolicyRoutes } from '../api/merchants/payout-policy-routes.ts'
import { requestLogRoutes } from '../api/merchants/request-log-routes.ts'
import { testEnvironmentRoutes } from '../api/merchants/test-environment-routes.ts'
import { approvalRoutes } from '../api/operator/approval-routes.ts'
import { operatorCashRequestRoutes } from '../api/operator/cash-request-routes.ts'
import { operatorControlRoutes } from '../api/operator/control-routes.ts'
import { feeRoutes } from '../api/operator/fee-routes.ts'
import { merchantLimitRoutes } from '../api/operator/merchant-limit-routes.ts'
import { operatorAccountRoutes } from '../api/operator/operator-account-routes.ts'
import { operatorLookupRoutes } from '../api/operator/operator-lookup-routes.ts'
import { operatorMemberRoutes } from '../api/operator/operator-member-routes.ts'
import { operatorRequestRoutes } from '../api/operator/operator-request-routes.ts'
import { operatorRoutes } from '../api/operator/operator-routes.ts'
import { rulesRoutes } from '../api/operator/rules-routes.ts'
import { timelineRoutes } from '../api/operator/timeline-routes.ts'
import { paymentLinkRoutes } from '../api/payment-links/payment-link-routes.ts'
import { payoutRoutes } from '../api/payouts/payout-routes.ts'
import { myProblemRoutes, problemRoutes } from '../api/problems/problem-routes.ts'
import { scheduleRoutes } from '../api/schedules/schedule-routes.ts'
import { merchantStreamRoutes } from '../api/stream/merchant-stream-routes.ts'
import { streamRoutes } from '../api/stream/stream-routes.ts'
import { topUpRoutes } from '../api/top-ups/top-up-routes.ts'
import { transferRoutes } from '../api/transfers/transfer-routes.ts'
import { deviceRoutes } from '../api/wallets/device-routes.ts'
import { meRoutes } from '../api/wallets/me-routes.ts'
import { signInRoutes } from '../api/wallets/sign-in-routes.ts'
import { signUpRoutes } from '../api/wallets/sign-up-routes.ts'
import { eventRoutes } from '../api/webhooks/event-routes.ts'
import { webhookRoutes } from '../api/webhooks/webhook-routes.ts'
import { withdrawalAccountRoutes } from '../api/withdrawals/withdrawal-account-routes.ts'
import { withdrawalRoutes } from '../api/withdrawals/withdrawal-routes.ts'
import type { Route } from '../server/route.ts'
import { documentRoutes } from './document-routes.ts'
import { type Audience, type DocumentSettings, openapiDocument } from './openapi.ts'
import { ServedDocument } from './served-document.ts'

/** The files of routes, in the order of the document. */
const ROUTES = [
  accountRoutes,
  feeQuoteRoutes,
  topUpRoutes,
  withdrawalRoutes,
  withdrawalAccountRoutes,
  chargeRoutes,
  tillRoutes,
  checkoutRoutes,
  paymentLinkRoutes,
  problemRoutes,
  payoutRoutes,
  batchRoutes,
  disbursementRoutes,
  contactRoutes,
  scheduleRoutes,
  mandateRoutes,
  billerRoutes,
  billerProductRoutes,
  webhookRoutes,
  eventRoutes,
  merchantStreamRoutes,
  dashboardRoutes,
  recoveryRoutes,
  totpRoutes,
  memberRoutes,
  newsRoutes,
  noticeRoutes,
  apiKeyRoutes,
  merchantAccountRoutes,
  merchantLogoRoutes,
  payoutPolicyRoutes,
  activationRoutes,
  signInRoutes,
  signUpRoutes,
  meRoutes,
  myProblemRoutes,
  deviceRoutes,
  transferRoutes,
  walletChargeRoutes,
  walletMandateRoutes,
  directoryRoutes,
  billRoutes,
  billPaymentRoutes,
  billerCodeRoutes,
  streamRoutes,
  testEnvironmentRoutes,
  requestLogRoutes,
  testChargeRoutes,
  operatorRoutes,
  timelineRoutes,
  activityRoutes,
  approvalRoutes,
  operatorAccountRoutes,
  operatorRequestRoutes,
  operatorCashRequestRoutes,
  operatorControlRoutes,
  merchantLimitRoutes,
  rulesRoutes,
  feeRoutes,
  operatorLookupRoutes,
  operatorMemberRoutes,
  operatorBillerRoutes,
  healthRoute,
] as const

/** What the routes need of the application: the parts of all files together. */
export type ApiParts = ((typeof ROUTES)[number] extends (parts: infer Parts) => unknown ? Parts : never) & DocumentSettings

/** `more` are routes of the server itself (metrics); the document shows them too. */
export function routeTable(parts: ApiParts, more: readonly Route[] = []): readonly Route[] {
  const documentFor = (audience: Audience): ServedDocument => new ServedDocument(() => openapiDocument(table, parts, audience))
  const documents = { all: documentFor('all'), merchant: documentFor('merchant') }
  const table: readonly Route[] = [...ROUTES.flatMap((routes) => routes(parts)), ...documentRoutes(documents), ...more]
  return table
}
