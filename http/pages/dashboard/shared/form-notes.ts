// Messages after a form. The address has a keyword, and this file has its text, so that no text of an address is shown.
import type { Text } from '../../../text/text.ts'
import { DASHBOARD_WORDS } from './dashboard-words.ts'
import { TEXTS } from './form-notes-messages.ts'

/** What a page says instead of the text below: its colour follows the outcome, not the form that was sent. */
export interface Outcome {
  readonly words: Text | string
  readonly tone: 'good' | 'wait' | 'bad'
}

const NOTES: Readonly<Record<string, Text>> = {
  welcome: TEXTS.welcomeAccountCreatedInTest,
  charge_created: TEXTS.paymentRequestCreated,
  charge_cancelled: TEXTS.paymentRequestCancelled,
  charge_refunded: TEXTS.paymentRefunded,
  link_created: TEXTS.paymentLinkCreated,
  link_closed: TEXTS.paymentLinkClosed,
  mandate_created: TEXTS.requestSentCustomerAgreesIn,
  mandate_cancelled: TEXTS.authorisationCancelledNothingMoreWill,
  mandate_charged: TEXTS.paymentDebited,
  mandate_tried: TEXTS.debitWasTriedItsResult,
  bill_redelivered: TEXTS.deliveryStartedAgain,
  bill_refunded: TEXTS.billRefunded,
  problem_answered: TEXTS.answerSent,
  top_up_created: TEXTS.topUpAnnouncedNowSend,
  top_up_cancelled: TEXTS.topUpCancelled,
  top_up_confirmed: TEXTS.testBalanceCredited,
  withdrawal_created: TEXTS.withdrawalRequestedAmountReserved,
  withdrawal_cancelled: TEXTS.withdrawalCancelledAmountAvailableAgain,
  account_set: TEXTS.accountSaved,
  name_requested: TEXTS.nameRequested,
  name_withdrawn: TEXTS.nameWithdrawn,
  merchant_logo_sent: TEXTS.logoSent,
  merchant_logo_removed: TEXTS.logoRemoved,
  news_read: TEXTS.newsRead,
  notices_chosen: TEXTS.noticesChosen,
  withdrawal_account_added: TEXTS.withdrawalAccountSaved,
  withdrawal_account_deleted: TEXTS.withdrawalAccountDeleted,
  withdrawal_paid: TEXTS.testWithdrawalPaid,
  activation_requested: TEXTS.activationRequestSent,
  activation_file_added: TEXTS.fileAddedToActivation,
  activation_file_deleted: TEXTS.fileDeletedFromActivation,
  payout_done: TEXTS.payoutProcessed,
  disbursement_started: TEXTS.bulkPayoutStarted,
  disbursement_approved: TEXTS.bulkPayoutApproved,
  disbursement_rejected: TEXTS.bulkPayoutRejected,
  disbursement_paused: TEXTS.bulkPayoutPaused,
  disbursement_resumed: TEXTS.bulkPayoutResumes,
  disbursement_cancelled: TEXTS.bulkPayoutCancelled,
  contact_saved: TEXTS.contactSaved,
  contact_deleted: TEXTS.contactDeleted,
  schedule_created: TEXTS.scheduledPayoutSaved,
  schedule_replaced: TEXTS.scheduledPayoutChangesFromNext,
  schedule_paused: TEXTS.scheduledPayoutPaused,
  schedule_resumed: TEXTS.scheduledPayoutResumes,
  schedule_cancelled: TEXTS.scheduledPayoutCancelled,
  key_revoked: TEXTS.keyRevokedItOpensNothing,
  session_ended: TEXTS.sessionClosed,
  password_changed: TEXTS.passwordChangedOtherSessionsClosed,
  member_invited: TEXTS.invitationSent,
  member_removed: TEXTS.accessRemoved,
  totp_reset: TEXTS.twoStepVerificationMemberOff,
  sessions_ended: TEXTS.allOtherSessionsClosed,
  totp_off: TEXTS.twoStepVerificationOff,
  confirmation_sent: TEXTS.confirmationLinkSent,
  deposited: TEXTS.testBalanceToppedUp,
  wallet_made: TEXTS.testWalletReady,
  endpoint_changed: TEXTS.webhookEndpointSaved,
  endpoint_deleted: DASHBOARD_WORDS.webhookEndpointDeleted,
  pinged: TEXTS.testEventSent,
  biller_saved: TEXTS.profileSaved,
  logo_saved: TEXTS.logoReceived,
  biller_submitted: TEXTS.requestForPublicationSent,
  biller_approved: TEXTS.testWalletsCanSeeBiller,
  product_saved: TEXTS.productSaved,
  redelivered: TEXTS.eventSentAgain,
}

/** Returns null for an unknown keyword. */
export function noteText(word: string): Text | null {
  return Object.hasOwn(NOTES, word) ? (NOTES[word] as Text) : null
}
