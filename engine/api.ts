// The API of the engine: takes commands, returns outcomes, queries and durable records, all plain data. http/ may
// import only this, engine/contract and engine/kernel of the engine.
import type { Engine } from './actor/engine.ts'
import type { Envelope, Reply } from './actor/envelope.ts'
import { ERRORS, type ErrorCode } from './contract/errors.ts'
import type { RejectionKind } from './contract/outcome-kind.ts'
import type { Command, CommandType } from './domain/command.ts'
import type { LogRecord } from './domain/record.ts'
import { REGISTRY } from './domain/registry.ts'
import { WAITING_COMMANDS } from './kernel/limits.ts'
import type { Quota } from './kernel/quota.ts'
import { QUERIES } from './query/queries.ts'
import type { QueryAnswer, QueryInput, QueryName } from './query/query-types.ts'
import type { Reads } from './query/reads.ts'

export { type BodySource, type Envelope, type IdempotencyKey, isWrittenOutcome, type Outcome, type Reply } from './actor/envelope.ts'
export type {
  Clock,
  Random,
  Sandbox,
  SandboxEntry,
  SandboxFault,
  SandboxRequest,
  SandboxResult,
  Scheduler,
  SourceRefusal,
} from './actor/ports.ts'
export {
  LOGIN_LIFETIME_MS,
  OTP_LENGTH,
  OTP_LIFETIME_MS,
  OTP_RESEND_MS,
  PIN_ATTEMPTS_MAX,
  SENDS_PER_ADDRESS,
  SENDS_PER_PHONE,
  SENDS_PER_PHONE_CEILING,
  SIGNUP_LIFETIME_MS,
} from './domain/auth/auth-limits.ts'
export type { DeviceRow } from './domain/auth/device-row.ts'
export type { CountedSend } from './domain/auth/otp-decide.ts'
export type { Origin } from './domain/auth/sign-in-rows.ts'
export type { AmountDue, FormValues, Fulfilling, LineItem, RecordedBillPayment, RedeliveryRequested } from './domain/bill/bill-state.ts'
export { readForm } from './domain/bill/form-values.ts'
export { readDefinition, type SentDefinition } from './domain/biller/biller-definition.ts'
export {
  DISPLAY_NAME_LENGTH_MAX,
  FIELDS_MAX,
  HELP_LENGTH_MAX,
  ID_LENGTH_MAX,
  LABEL_LENGTH_MAX,
  LOOKUP_SECRET_LENGTH_MAX,
  PATTERN_LENGTH_MAX,
  SHORT_DESC_LENGTH_MAX,
  STEPS_MAX,
} from './domain/biller/biller-limits.ts'
export { SLUG } from './domain/biller/biller-slug.ts'
export type { BillerProfile, DirectoryState, FormField, ProductDefinition, ProductRow } from './domain/biller/biller-state.ts'
export { isFrozen, publicBiller } from './domain/biller/biller-versions.ts'
export { type DefinitionFault, readForm as readFormSchema, UNUSABLE_IDS } from './domain/biller/form-schema.ts'
export type { CashRequestKind } from './domain/cash-request/cash-request-state.ts'
export { isPaymentReference } from './domain/cash-request/payment-reference.ts'
export { paymentRefusal } from './domain/charge/charge-decide.ts'
export { addToQuery, redirectAddress } from './domain/charge/charge-redirect.ts'
export type { Charge, ChargeState } from './domain/charge/charge-state.ts'
export type { FoundCharge } from './domain/charge/charge-versions.ts'
export type { CodeRunReport } from './domain/code-run/code-run-decide.ts'
export { FETCH_HOST_LENGTH_MAX } from './domain/code-run/code-run-state.ts'
export type { Command, CommandType } from './domain/command.ts'
export { PASSWORD_ATTEMPTS_MAX, RECOVERY_CODES } from './domain/dashboard/dashboard-limits.ts'
export type { DashboardSessionRow, DashboardUserRow, LinkRow, TotpRow } from './domain/dashboard/dashboard-state.ts'
export type { NewLink } from './domain/dashboard/link-events.ts'
export type { SecondFactor } from './domain/dashboard/totp-decide.ts'
export { JUDGED_PER_TURN as DISBURSEMENT_LINES_PER_TURN } from './domain/disbursement/disbursement-limits.ts'
export type { DisbursementVerb } from './domain/disbursement/disbursement-move-decide.ts'
export { type Logo, logoUrl } from './domain/logo-files.ts'
export { approvalSubject } from './domain/mandate/mandate-decide.ts'
export type { Mandate, MandateVersion } from './domain/mandate/mandate-state.ts'
export { mayMove } from './domain/mandate/mandate-versions.ts'
export { publicAccount } from './domain/merchant/account-decide.ts'
export { publicActivation } from './domain/merchant/activation-decide.ts'
export { publicMerchant } from './domain/merchant/merchant-decide.ts'
export { type ApiKeyRow, type MerchantRow, type Scope, timeZoneOf } from './domain/merchant/merchant-state.ts'
export type { AttemptResult, MessageResult, PushResult } from './domain/message/message-decide.ts'
export type { QueuedMessage, QueuedNotice } from './domain/message/message-events.ts'
export { MESSAGE_LIFETIMES_MS, MESSAGE_RESULTS_PER_COMMAND_MAX } from './domain/message/message-limits.ts'
export type { MessageChannel, OpenMessage, PushProgress } from './domain/message/message-state.ts'
export type { OutgoingEmail, OutgoingText } from './domain/message/outgoing.ts'
export { isMoneyCommand } from './domain/money-commands.ts'
export { noticesOf } from './domain/notice/notice-state.ts'
export { AUDIT_ACCOUNT } from './domain/operator/operator-decide.ts'
export { type ActingOperator, type OperatorRow, ROOT_OPERATOR } from './domain/operator/operator-state.ts'
export type { PaymentLink } from './domain/payment-link/payment-link-state.ts'
export type { ProblemAnswered } from './domain/problem/problem-state.ts'
export type { CheckedRecipient } from './domain/recipient-check/recipient-check-decide.ts'
export { type LogRecord, payloadOf, type StoredEvent } from './domain/record.ts'
export type { LimitNear } from './domain/rules/near-limits.ts'
export type { Frame } from './domain/stream/stream-state.ts'

export { TEST_WALLET_OTP, TEST_WALLET_PIN } from './domain/wallet/wallet-decide.ts'

export type { Wallet } from './domain/wallet/wallet-state.ts'
export type { DeliveryResult } from './domain/webhook/delivery-decide.ts'
export type { DeliveryAttempt, MerchantEventHead, ReopenedDelivery } from './domain/webhook/webhook-events.ts'
export { RESULTS_PER_COMMAND_MAX } from './domain/webhook/webhook-limits.ts'
export { type Delivery, PING, type WebhookEndpointRow } from './domain/webhook/webhook-state.ts'
export type { AccountNumber, AppliedPosting, Transaction, TransactionType } from './ledger/transaction.ts'
export type { ActivityEntry } from './query/activity-queries.ts'
export type { BillerComparison, WaitingLogo } from './query/biller-queries.ts'
export type { NamedCharge } from './query/charge-queries.ts'
export { checkoutOf, type ShownMerchant } from './query/checkout-record.ts'
export { publicSession } from './query/dashboard-queries.ts'
export type { DocumentSlice } from './query/document-slice.ts'
export type { FrameSlice, TextFrame } from './query/frame-queries.ts'
export { serverSentEvent } from './query/frame-text.ts'
export { placeOf } from './query/fulfillment-queries.ts'
export type { ListPage } from './query/list-page.ts'
export type { NamedMandate } from './query/mandate-queries.ts'
export type { MerchantFrame, MerchantFramesSlice, MerchantPlace } from './query/merchant-stream-queries.ts'
export type { OwnProduct } from './query/product-queries.ts'
export type { QueryAnswer, QueryInput, QueryName } from './query/query-types.ts'
export type { OtherQuotaPart } from './query/quota-queries.ts'
export type { TimelineEntry } from './query/timeline-queries.ts'

export type CommandOf<Type extends Command['type']> = Extract<Command, { readonly type: Type }>

/** Every rejection that the decider of the command can make. */
export function commandRejections(command: CommandType): readonly ErrorCode[] {
  return REGISTRY.commands.get(command)?.rejections ?? []
}

/** Returns the kind of a rejection of the command. */
export function rejectionKind(command: CommandType, code: ErrorCode): RejectionKind {
  return REGISTRY.commands.get(command)?.kinds?.[code] ?? ERRORS[code].kind
}

export interface EngineApi {
  /**
   * Queues the command; `reply` gets its outcome once that is durable. Returns a code when the command is rejected at
   * once.
   */
  submit(envelope: Envelope, reply: Reply): ErrorCode | null
  /** Reads synchronously. The result may not be durable yet: send it by `whenDurable`. Do not change it. */
  query<Name extends QueryName>(name: Name, input: QueryInput<Name>): QueryAnswer<Name>
  /** Calls the function when every record that a query may have seen by now is durable. */
  whenDurable(run: () => void): void
  /**
   * Calls with each durable record, in order, before the outcomes of its batch leave. Returns a function that
   * unsubscribes.
   */
  subscribe(onRecord: (record: LogRecord) => void): () => void
}

export function engineApi(engine: Engine): EngineApi {
  return {
    submit: (envelope, reply) => engine.submit(envelope, reply),
    query: (name, input) => answerOf(engine, name, input),
    whenDurable: (run) => engine.whenDurable(run),
    subscribe: (onRecord) => engine.subscribe(onRecord),
  }
}

const TABLE: { readonly [Name in QueryName]: (reads: Reads, input: QueryInput<Name>) => QueryAnswer<Name> } = QUERIES

function answerOf<Name extends QueryName>(reads: Reads, name: Name, input: QueryInput<Name>): QueryAnswer<Name> {
  return TABLE[name](reads, input)
}

/** Every quota of live state, as its noun declares it, and that of the commands that wait. */
export const QUOTAS: readonly Quota[] = [...REGISTRY.quotas, WAITING_COMMANDS]
