// Every command and who decides it. A missing case does not compile.

import { decideKeepAnswer, type KeepAnswer } from './answer/answer-decide.ts'
import {
  type CompleteLogin,
  decideCompleteLogin,
  decideLogOut,
  decideRemoveDevice,
  type LogOut,
  type RemoveDevice,
} from './auth/device-decide.ts'
import { decideGrantSignIn, decideStartOtp, decideVerifyOtp, type GrantSignIn, type StartOtp, type VerifyOtp } from './auth/otp-decide.ts'
import { type ChangePin, decideChangePin, decideRecordPinCheck, type RecordPinCheck } from './auth/pin-decide.ts'
import {
  type CompleteSignup,
  decideCompleteSignup,
  decideSetSignupIdentity,
  decideSetSignupTag,
  type SetSignupIdentity,
  type SetSignupTag,
} from './auth/signup-decide.ts'
import { decidePayBill, type PayBill } from './bill/bill-pay-decide.ts'
import { decideRefundBill, type RefundBill } from './bill/bill-refund-decide.ts'
import {
  decideEndFulfillment,
  decideReturnFulfillment,
  decideStartFulfillment,
  type EndFulfillment,
  type ReturnFulfillment,
  type StartFulfillment,
} from './bill/fulfillment-decide.ts'
import { type CreateQuote, decideCreateQuote } from './bill/quote-decide.ts'
import { decideRedeliverBill, type RedeliverBill } from './bill/redelivery-decide.ts'
import {
  type ApproveTestBiller,
  type CurateBiller,
  type CurateLogo,
  decideApproveTestBiller,
  decideCurateBiller,
  decideCurateLogo,
} from './biller/biller-curation-decide.ts'
import { decideSaveProduct, decideSwitchProduct, type SaveProduct, type SwitchProduct } from './biller/biller-product-decide.ts'
import {
  decideSaveBiller,
  decideSetBillerLogo,
  decideSubmitBiller,
  type SaveBiller,
  type SetBillerLogo,
  type SubmitBiller,
} from './biller/biller-profile-decide.ts'
import {
  type CancelCharge,
  type CreateCharge,
  decideCancelCharge,
  decideCreateCharge,
  decideExpireCharge,
  type ExpireCharge,
} from './charge/charge-decide.ts'
import { decidePayCharge, decideRefundCharge, type PayCharge, type RefundCharge } from './charge/charge-payment-decide.ts'
import { decideEndTrial, decideRecordCodeRun, type EndTrial, type RecordCodeRun } from './code-run/code-run-decide.ts'
import {
  type ChangePassword,
  type CloseDashboardSession,
  type CountWrongPassword,
  decideChangePassword,
  decideCloseDashboardSession,
  decideCountWrongPassword,
  decideOpenDashboardSession,
  decideSignUpMerchant,
  type OpenDashboardSession,
  type SignUpMerchant,
} from './dashboard/dashboard-decide.ts'
import type { Context, Decision } from './decision.ts'
import { type Deposit, decideDeposit, decideWithdraw, type Withdraw } from './funding/funding-decide.ts'
import { type AdvanceMandate, type ChargeMandate, decideAdvanceMandate, decideChargeMandate } from './mandate/mandate-collect-decide.ts'
import {
  type ApproveMandate,
  type CancelMandate,
  type CreateMandate,
  decideApproveMandate,
  decideCancelMandate,
  decideCreateMandate,
  decideRejectMandate,
  type RejectMandate,
} from './mandate/mandate-decide.ts'
import {
  type CreateApiKey,
  type CreateMerchant,
  decideCreateApiKey,
  decideCreateMerchant,
  decideNoteKeyUses,
  decideRevokeApiKey,
  type NoteKeyUses,
  type RevokeApiKey,
} from './merchant/merchant-decide.ts'
import { type CreateBatch, decideCreateBatch } from './payout/batch-decide.ts'
import { type CreatePayout, decideCreatePayout } from './payout/payout-decide.ts'
import {
  type CancelSchedule,
  type CreateSchedule,
  decideCancelSchedule,
  decideCreateSchedule,
  decidePauseSchedule,
  decideResumeSchedule,
  type PauseSchedule,
  type ResumeSchedule,
} from './schedule/schedule-decide.ts'
import { decideRunSchedule, type RunSchedule } from './schedule/schedule-run-decide.ts'
import type { State } from './state.ts'
import { type CreateTransfer, decideCreateTransfer } from './transfer/transfer-decide.ts'
import { type CreateTestWallet, type CreateWallet, decideCreateTestWallet, decideCreateWallet } from './wallet/wallet-decide.ts'
import { decideRecordDeliveries, decideRedeliver, type RecordDeliveries, type Redeliver } from './webhook/delivery-decide.ts'
import {
  type CreateEndpoint,
  type DeleteEndpoint,
  decideCreateEndpoint,
  decideDeleteEndpoint,
  decidePingEndpoint,
  decideRotateSecret,
  decideUpdateEndpoint,
  type PingEndpoint,
  type RotateSecret,
  type UpdateEndpoint,
} from './webhook/endpoint-decide.ts'

/** Sign-in and the wallet's own money. */
type WalletCommand =
  | StartOtp
  | VerifyOtp
  | GrantSignIn
  | SetSignupIdentity
  | SetSignupTag
  | CompleteSignup
  | CompleteLogin
  | RemoveDevice
  | LogOut
  | RecordPinCheck
  | ChangePin
  | CreateTransfer

type ChargeCommand = CreateCharge | CancelCharge | ExpireCharge | PayCharge | RefundCharge

type BillerCommand = SaveBiller | SetBillerLogo | SubmitBiller | CurateBiller | CurateLogo | ApproveTestBiller | SaveProduct | SwitchProduct
type BillCommand = CreateQuote | PayBill | StartFulfillment | ReturnFulfillment | EndFulfillment | RedeliverBill | RefundBill

type CodeRunCommand = RecordCodeRun | EndTrial

type WebhookCommand = CreateEndpoint | UpdateEndpoint | DeleteEndpoint | RotateSecret | PingEndpoint | RecordDeliveries | Redeliver

type ScheduleCommand = CreateSchedule | PauseSchedule | ResumeSchedule | CancelSchedule | RunSchedule

type MandateCommand = CreateMandate | ApproveMandate | RejectMandate | CancelMandate | AdvanceMandate | ChargeMandate

type DashboardCommand = SignUpMerchant | OpenDashboardSession | CountWrongPassword | CloseDashboardSession | ChangePassword

export type Command =
  | CreateMerchant
  | CreateApiKey
  | RevokeApiKey
  | NoteKeyUses
  | DashboardCommand
  | CreateTestWallet
  | CreateWallet
  | Deposit
  | Withdraw
  | CreatePayout
  | CreateBatch
  | ScheduleCommand
  | MandateCommand
  | WalletCommand
  | ChargeCommand
  | BillerCommand
  | BillCommand
  | CodeRunCommand
  | WebhookCommand
  | KeepAnswer

export type CommandType = Command['type']

type Decide<Type extends CommandType> = (state: State, command: Extract<Command, { type: Type }>, context: Context) => Decision

const DECIDE: { readonly [Type in CommandType]: Decide<Type> } = {
  CreateMerchant: decideCreateMerchant,
  CreateApiKey: decideCreateApiKey,
  RevokeApiKey: decideRevokeApiKey,
  NoteKeyUses: decideNoteKeyUses,
  SignUpMerchant: decideSignUpMerchant,
  OpenDashboardSession: decideOpenDashboardSession,
  CountWrongPassword: decideCountWrongPassword,
  CloseDashboardSession: decideCloseDashboardSession,
  ChangePassword: decideChangePassword,
  CreateTestWallet: decideCreateTestWallet,
  CreateWallet: decideCreateWallet,
  Deposit: decideDeposit,
  Withdraw: decideWithdraw,
  CreatePayout: decideCreatePayout,
  CreateBatch: decideCreateBatch,
  CreateSchedule: decideCreateSchedule,
  PauseSchedule: decidePauseSchedule,
  ResumeSchedule: decideResumeSchedule,
  CancelSchedule: decideCancelSchedule,
  RunSchedule: decideRunSchedule,
  CreateMandate: decideCreateMandate,
  ApproveMandate: decideApproveMandate,
  RejectMandate: decideRejectMandate,
  CancelMandate: decideCancelMandate,
  AdvanceMandate: decideAdvanceMandate,
  ChargeMandate: decideChargeMandate,
  StartOtp: decideStartOtp,
  VerifyOtp: decideVerifyOtp,
  GrantSignIn: decideGrantSignIn,
  SetSignupIdentity: decideSetSignupIdentity,
  SetSignupTag: decideSetSignupTag,
  CompleteSignup: decideCompleteSignup,
  CompleteLogin: decideCompleteLogin,
  RemoveDevice: decideRemoveDevice,
  LogOut: decideLogOut,
  RecordPinCheck: decideRecordPinCheck,
  ChangePin: decideChangePin,
  CreateTransfer: decideCreateTransfer,
  CreateCharge: decideCreateCharge,
  CancelCharge: decideCancelCharge,
  ExpireCharge: decideExpireCharge,
  PayCharge: decidePayCharge,
  RefundCharge: decideRefundCharge,
  SaveBiller: decideSaveBiller,
  SetBillerLogo: decideSetBillerLogo,
  SubmitBiller: decideSubmitBiller,
  CurateBiller: decideCurateBiller,
  CurateLogo: decideCurateLogo,
  ApproveTestBiller: decideApproveTestBiller,
  SaveProduct: decideSaveProduct,
  SwitchProduct: decideSwitchProduct,
  CreateQuote: decideCreateQuote,
  PayBill: decidePayBill,
  StartFulfillment: decideStartFulfillment,
  ReturnFulfillment: decideReturnFulfillment,
  EndFulfillment: decideEndFulfillment,
  RedeliverBill: decideRedeliverBill,
  RefundBill: decideRefundBill,
  RecordCodeRun: decideRecordCodeRun,
  EndTrial: decideEndTrial,
  CreateEndpoint: decideCreateEndpoint,
  UpdateEndpoint: decideUpdateEndpoint,
  DeleteEndpoint: decideDeleteEndpoint,
  RotateSecret: decideRotateSecret,
  PingEndpoint: decidePingEndpoint,
  RecordDeliveries: decideRecordDeliveries,
  Redeliver: decideRedeliver,
  KeepAnswer: decideKeepAnswer,
}

/** Decides without changing anything; the turn applies what comes back. */
export function decide(state: State, command: Command, context: Context): Decision {
  const decideOne = DECIDE[command.type] as (state: State, command: Command, context: Context) => Decision
  return decideOne(state, command, context)
}
