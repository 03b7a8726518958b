// The one table of queries: name to function. Names are `<noun>.<query>`; query-types.ts computes the types of `EngineApi.query` from it.

import { accountBalance, accountCurrency, accountEnvironment, accountIsProven, settlementAccount } from './account-queries.ts'
import { listActivity } from './activity-queries.ts'
import { apiKeyByPublicKey, apiKeyChanges, hasApiKey, listApiKeys } from './api-key-queries.ts'
import { getBatch, getBatchNotes, listBatches, searchBatches } from './batch-queries.ts'
import { billPosition, getBill, listBills } from './bill-queries.ts'
import {
  billerByAccount,
  billerForOperator,
  compareBiller,
  countToReview,
  hasLogo,
  listBillers,
  logoContent,
  waitingLogos,
} from './biller-queries.ts'
import {
  cashRequestForOperator,
  countOpenCashRequests,
  getCashRequest,
  listCashRequests,
  listOpenCashRequests,
  listWaitingWithdrawalAccounts,
  listWithdrawalAccounts,
} from './cash-request-queries.ts'
import { chargeByToken, chargeToken, getCharge, listCharges } from './charge-queries.ts'
import { listCodeRuns } from './code-run-queries.ts'
import { CONTACT_QUERIES } from './contact-queries.ts'
import {
  dashboardLink,
  dashboardSession,
  dashboardTotp,
  dashboardUser,
  dashboardUserByEmail,
  listDashboardSessions,
  listMembers,
  passwordCount,
} from './dashboard-queries.ts'
import { deliveriesOfEndpoint, deliveryMessage, openDeliveries, openDelivery } from './delivery-queries.ts'
import { deviceById, deviceOfSession, hasDevices, listDevices, pushDevices } from './device-queries.ts'
import { directoryDetail, directoryProduct, listDirectory } from './directory-queries.ts'
import { DISBURSEMENT_LINE_QUERIES } from './disbursement-line-queries.ts'
import { DISBURSEMENT_QUERIES } from './disbursement-queries.ts'
import { endpointById, firstEndpoint, getEndpoint, listAttempts, listEndpoints } from './endpoint-queries.ts'
import { engineFigures, engineTime } from './engine-queries.ts'
import { billFeeNow, feeNow, feeRules, listFeeMoves } from './fee-queries.ts'
import { durableFrameId, frameSlice, frameTexts, newestFrameId } from './frame-queries.ts'
import { fulfillmentRun, openFulfillment, openFulfillments } from './fulfillment-queries.ts'
import { trialBalance } from './ledger-queries.ts'
import { getMandate, getWalletMandate, listMandatePayments, listMandates, listWalletMandates, mandateByToken } from './mandate-queries.ts'
import {
  activationFile,
  countMerchants,
  listActivations,
  listLogoChanges,
  listMerchants,
  listNameChanges,
  merchantByAccount,
  merchantById,
  payoutPolicy,
  reviewedMerchantName,
} from './merchant-queries.ts'
import { merchantFrames, merchantFramesAfter, merchantPlaceBefore, newestMerchantPlace } from './merchant-stream-queries.ts'
import {
  openMessage,
  openMessages,
  pushesFrom,
  pushProgress,
  pushRoom,
  queuedMessage,
  recordOfPush,
  recordsAfter,
} from './message-queries.ts'
import { listNews, unreadNews } from './news-queries.ts'
import { noticeCauses } from './notice-queries.ts'
import {
  countWaitingApprovals,
  getApproval,
  listApprovals,
  listOperatorActions,
  listOperatorRequests,
  listOperators,
  operatorById,
  operatorByTokenHash,
  operatorRequestById,
} from './operator-queries.ts'
import { getPaymentLink, listPaymentLinks, paymentLinkByCode } from './payment-link-queries.ts'
import { getPayout, listPayouts } from './payout-queries.ts'
import { PROBLEM_QUERIES } from './problem-queries.ts'
import { getProduct, hasProduct, listProducts, ownProduct, payableProduct } from './product-queries.ts'
import { quotaFigures, quotaReport } from './quota-queries.ts'
import type { Reads } from './reads.ts'
import { knownResult } from './result-queries.ts'
import { givenRules, limitRules, limitsOfMerchant, merchantsThatPaidMost, walletLimits } from './rules-queries.ts'
import { getSchedule, hasSchedule, listScheduleRuns, listSchedules } from './schedule-queries.ts'
import {
  codeWaitMs,
  isKnownNetwork,
  lockedWallets,
  loginByToken,
  newestChallenge,
  pinCounts,
  pinOfWallet,
  signupByToken,
} from './sign-in-queries.ts'
import { listTillMoves } from './till-queries.ts'
import { listTimeline } from './timeline-queries.ts'
import { getTransaction, listMovements, listTransactions } from './transaction-queries.ts'
import {
  countWallets,
  firstTestWallets,
  searchWallets,
  walletByAccount,
  walletByPhone,
  walletByTag,
  walletForOperator,
} from './wallet-queries.ts'
import {
  getWebhookEvent,
  listWebhookEvents,
  sentEvent,
  undeliveredEvents,
  undeliveredSlice,
  webhookEventPosition,
} from './webhook-event-queries.ts'

/** A query reads and changes nothing. Input and result are plain data; null stands for an absent thing. */
type Query<Input, Answer> = (reads: Reads, input: Input) => Answer

export const QUERIES = {
  'activity.list': listActivity,
  'accounts.balance': accountBalance,
  'accounts.environment': accountEnvironment,
  'accounts.isProven': accountIsProven,
  'accounts.currency': accountCurrency,
  'accounts.settlement': settlementAccount,
  'apiKeys.byPublicKey': apiKeyByPublicKey,
  'apiKeys.changes': apiKeyChanges,
  'apiKeys.exists': hasApiKey,
  'apiKeys.list': listApiKeys,
  'approvals.countWaiting': countWaitingApprovals,
  'approvals.get': getApproval,
  'approvals.list': listApprovals,
  'batches.get': getBatch,
  'batches.list': listBatches,
  'batches.notes': getBatchNotes,
  'batches.search': searchBatches,
  'billers.byAccount': billerByAccount,
  'billers.comparison': compareBiller,
  'billers.countToReview': countToReview,
  'billers.forOperator': billerForOperator,
  'billers.hasLogo': hasLogo,
  'billers.list': listBillers,
  'billers.logo': logoContent,
  'billers.waitingLogos': waitingLogos,
  'bills.get': getBill,
  'bills.list': listBills,
  'bills.position': billPosition,
  'cashRequests.countOpen': countOpenCashRequests,
  'cashRequests.forOperator': cashRequestForOperator,
  'cashRequests.get': getCashRequest,
  'cashRequests.list': listCashRequests,
  'cashRequests.open': listOpenCashRequests,
  'challenges.newest': newestChallenge,
  'charges.byToken': chargeByToken,
  'charges.get': getCharge,
  'charges.list': listCharges,
  'charges.till': listTillMoves,
  'charges.tokenOf': chargeToken,
  'codeRuns.list': listCodeRuns,
  'codes.waitMs': codeWaitMs,
  'dashboardLinks.byToken': dashboardLink,
  'dashboardMembers.list': listMembers,
  'dashboardSessions.byToken': dashboardSession,
  'dashboardSessions.list': listDashboardSessions,
  'dashboardUsers.byEmail': dashboardUserByEmail,
  'dashboardUsers.byId': dashboardUser,
  'dashboardUsers.passwordCount': passwordCount,
  'dashboardUsers.totp': dashboardTotp,
  'deliveries.byId': openDelivery,
  'deliveries.message': deliveryMessage,
  'deliveries.ofEndpoint': deliveriesOfEndpoint,
  'deliveries.open': openDeliveries,
  'devices.byId': deviceById,
  'devices.forPush': pushDevices,
  'devices.has': hasDevices,
  'devices.list': listDevices,
  'devices.ofSession': deviceOfSession,
  'directory.biller': directoryDetail,
  'directory.list': listDirectory,
  'directory.product': directoryProduct,
  'endpoints.attempts': listAttempts,
  'endpoints.byId': endpointById,
  'endpoints.first': firstEndpoint,
  'endpoints.get': getEndpoint,
  'endpoints.list': listEndpoints,
  'engine.figures': engineFigures,
  'engine.time': engineTime,
  'frames.after': frameSlice,
  'frames.durableId': durableFrameId,
  'frames.newestId': newestFrameId,
  'frames.texts': frameTexts,
  'fulfillments.open': openFulfillments,
  'fulfillments.openOne': openFulfillment,
  'fulfillments.run': fulfillmentRun,
  'ledger.trialBalance': trialBalance,
  'logins.byToken': loginByToken,
  'mandates.byToken': mandateByToken,
  'mandates.get': getMandate,
  'mandates.list': listMandates,
  ...CONTACT_QUERIES,
  ...PROBLEM_QUERIES,
  ...DISBURSEMENT_LINE_QUERIES,
  ...DISBURSEMENT_QUERIES,
  'mandates.ofWallet': listWalletMandates,
  'mandates.payments': listMandatePayments,
  'mandates.seenByCustomer': getWalletMandate,
  'merchants.activationFile': activationFile,
  'merchants.activations': listActivations,
  'merchantStream.frames': merchantFrames,
  'merchantStream.after': merchantFramesAfter,
  'merchantStream.before': merchantPlaceBefore,
  'merchantStream.newest': newestMerchantPlace,
  'merchants.byAccount': merchantByAccount,
  'merchants.byId': merchantById,
  'merchants.count': countMerchants,
  'merchants.list': listMerchants,
  'merchants.logoChanges': listLogoChanges,
  'merchants.nameChanges': listNameChanges,
  'merchants.reviewedName': reviewedMerchantName,
  'messages.byId': openMessage,
  'messages.open': openMessages,
  'messages.pushRoom': pushRoom,
  'messages.queued': queuedMessage,
  'news.list': listNews,
  'news.unread': unreadNews,
  'notices.causes': noticeCauses,
  'operatorActions.list': listOperatorActions,
  'operatorRequests.get': operatorRequestById,
  'operatorRequests.list': listOperatorRequests,
  'operators.byId': operatorById,
  'operators.byTokenHash': operatorByTokenHash,
  'operators.list': listOperators,
  'paymentLinks.byCode': paymentLinkByCode,
  'paymentLinks.get': getPaymentLink,
  'paymentLinks.list': listPaymentLinks,
  'payoutPolicies.get': payoutPolicy,
  'payouts.get': getPayout,
  'payouts.list': listPayouts,
  'pins.counts': pinCounts,
  'pins.locked': lockedWallets,
  'pins.ofWallet': pinOfWallet,
  'products.exists': hasProduct,
  'products.get': getProduct,
  'products.list': listProducts,
  'products.own': ownProduct,
  'products.payable': payableProduct,
  'pushes.from': pushesFrom,
  'pushes.progress': pushProgress,
  'pushes.record': recordOfPush,
  'pushes.recordsAfter': recordsAfter,
  'results.known': knownResult,
  'quotas.figures': quotaFigures,
  'quotas.report': quotaReport,
  'fees.rules': feeRules,
  'fees.now': feeNow,
  'fees.ofBill': billFeeNow,
  'fees.moves': listFeeMoves,
  'rules.limits': limitRules,
  'rules.given': givenRules,
  'rules.ofMerchant': limitsOfMerchant,
  'rules.paidMost': merchantsThatPaidMost,
  'rules.ofWallet': walletLimits,
  'schedules.exists': hasSchedule,
  'schedules.get': getSchedule,
  'schedules.list': listSchedules,
  'schedules.runs': listScheduleRuns,
  'signups.byToken': signupByToken,
  'transactions.get': getTransaction,
  'transactions.list': listTransactions,
  'transactions.movements': listMovements,
  'timeline.list': listTimeline,
  'withdrawalAccounts.list': listWithdrawalAccounts,
  'withdrawalAccounts.waiting': listWaitingWithdrawalAccounts,
  'wallets.byAccount': walletByAccount,
  'wallets.byPhone': walletByPhone,
  'wallets.byTag': walletByTag,
  'wallets.count': countWallets,
  'wallets.search': searchWallets,
  'wallets.firstOfTest': firstTestWallets,
  'wallets.forOperator': walletForOperator,
  'wallets.knowsNetwork': isKnownNetwork,
  'webhookEvents.get': getWebhookEvent,
  'webhookEvents.list': listWebhookEvents,
  'webhookEvents.position': webhookEventPosition,
  'webhookEvents.sent': sentEvent,
  'webhookEvents.undelivered': undeliveredEvents,
  'webhookEvents.undeliveredSlice': undeliveredSlice,
} as const satisfies Readonly<Record<string, Query<never, unknown>>>
