// The one list of nouns: what is not in it does not exist for the engine. Adding a noun is a folder and a line here.

import type { TransactionType } from '../ledger/transaction.ts'
import { ANSWER } from './answer/index.ts'
import { AUTH } from './auth/index.ts'
import { BILL } from './bill/index.ts'
import { BILLER } from './biller/index.ts'
import { CASH_REQUEST } from './cash-request/index.ts'
import { CHARGE } from './charge/index.ts'
import { CODE_RUN } from './code-run/index.ts'
import { CONTACT } from './contact/index.ts'
import { DASHBOARD } from './dashboard/index.ts'
import type { Decision } from './decision.ts'
import { DISBURSEMENT } from './disbursement/index.ts'
import { FUNDING } from './funding/index.ts'
import { LOG_BUDGET } from './log-budget/index.ts'
import { MANDATE } from './mandate/index.ts'
import { MERCHANT } from './merchant/index.ts'
import { MESSAGE } from './message/index.ts'
import { NOTICE } from './notice/index.ts'
import type { NounModule } from './noun-module.ts'
import { NounRegistry } from './noun-registry.ts'
import { OPERATOR } from './operator/index.ts'
import { PAYMENT_LINK } from './payment-link/index.ts'
import { PAYOUT } from './payout/index.ts'
import { PROBLEM } from './problem/index.ts'
import { RECIPIENT_CHECK } from './recipient-check/index.ts'
import { RULES } from './rules/index.ts'
import { SCHEDULE } from './schedule/index.ts'
import type { SharedState, State } from './state.ts'
import { STREAM } from './stream/index.ts'
import type { FrameType } from './stream/stream-state.ts'
import { TRANSFER } from './transfer/index.ts'
import { WALLET } from './wallet/index.ts'
import { WEBHOOK } from './webhook/index.ts'

export const NOUNS = [
  ANSWER,
  AUTH,
  BILL,
  BILLER,
  CASH_REQUEST,
  CHARGE,
  CODE_RUN,
  CONTACT,
  DASHBOARD,
  DISBURSEMENT,
  FUNDING,
  LOG_BUDGET,
  MANDATE,
  MERCHANT,
  MESSAGE,
  NOTICE,
  OPERATOR,
  PAYMENT_LINK,
  PAYOUT,
  PROBLEM,
  RECIPIENT_CHECK,
  RULES,
  SCHEDULE,
  STREAM,
  TRANSFER,
  WALLET,
  WEBHOOK,
] as const

type Noun = (typeof NOUNS)[number]

/** By name: how each command is decided. */
export type Commands = UnionToIntersection<Noun['commands']>

type UnionToIntersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void ? All : never

/** What the types declare and no module of the list makes: a noun that is not in the list, or a part that its module forgot. */
type Missing =
  | Exclude<keyof State, keyof SharedState | 'settlementAccount' | NonNullable<Noun['state']>['name']>
  | OtherStateOf<Noun['state']>
  | UnlistedOf<Commands[keyof Commands]>
  | Exclude<FrameType, Noun['frames'][number]>
  | Exclude<TransactionType, Noun['transactionTypes'][number]>

/** The name of a state that is not what `State` says of it. */
type OtherStateOf<Part> = Part extends {
  readonly name: infer Name extends keyof State
  readonly create: (shared: SharedState) => infer Made
}
  ? Made extends State[Name]
    ? never
    : Name
  : never

/** A rejection that a decider can make and its command does not list. */
type UnlistedOf<Definition> = Definition extends {
  readonly decide: (...given: never[]) => Decision<infer Made>
  readonly rejections: readonly (infer Listed)[]
}
  ? Exclude<Made, Listed>
  : never

type NothingMissing = [Missing] extends [never] ? readonly NounModule[] : Readonly<Record<Missing, 'missing in the list of nouns'>>

export const REGISTRY = new NounRegistry(NOUNS satisfies NothingMissing)
