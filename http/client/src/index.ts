// All that the package exports.

export type { AnswerHead } from './answers.ts'
export type { FailedLine, UploadedFile, UploadOptions, UploadSummary, UploadWarning } from './batch-upload.ts'
export { Cauri } from './cauri.ts'
export {
  AccountNotActiveError,
  ApiError,
  AuthenticationError,
  CauriError,
  ConflictError,
  ConnectionError,
  IdempotencyKeyReusedError,
  InsufficientBalanceError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitedError,
  RecipientNotFoundError,
  RedirectError,
  ServerError,
  UnavailableError,
  WebhookSignatureError,
} from './errors.ts'
export type { StreamEvent, StreamOptions } from './event-stream.ts'
export type { IncomingRequest } from './incoming-body.ts'
export type { List, Page } from './list.ts'
export { writtenAmount } from './payment-file/file-amount.ts'
export type { Column, NamedColumn } from './payment-file/file-columns.ts'
export {
  type FileProblem,
  isUnreadable,
  type LineProblem,
  type PaymentFile,
  type PaymentFileOptions,
  type PaymentLine,
  type ReadFile,
  readPaymentFile,
} from './payment-file/payment-file.ts'
export { fileProblemText, lineProblemText } from './payment-file/payment-file-text.ts'
export type { RetryOptions } from './retry-plan.ts'
export type { CauriOptions, RequestOptions, RequestSent, ResponseSeen, Retry } from './transport.ts'
export type {
  Answer,
  BatchLine,
  BatchReport,
  BatchReportLine,
  Body,
  Charge,
  ErrorCode,
  EventType,
  LineWarning,
  LookupAnswer,
  LookupQuestion,
  Operation,
  Payout,
  Query,
  Row,
  Schema,
  WebhookEvent,
} from './types.ts'
export type { VerifyOptions } from './webhook-signature.ts'
export { billers, webhooks } from './webhooks.ts'
