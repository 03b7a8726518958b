// Every command and who decides it. A missing case does not compile.

import type { Context, Decision } from './decision.ts'
import { type Deposit, decideDeposit, decideWithdraw, type Withdraw } from './funding/decide.ts'
import { type CreateApiKey, type CreateMerchant, decideCreateApiKey, decideCreateMerchant } from './merchant/decide.ts'
import { type CreatePayout, decideCreatePayout } from './payout/decide.ts'
import type { State } from './state.ts'
import { type CreateTestWallet, type CreateWallet, decideCreateTestWallet, decideCreateWallet } from './wallet/decide.ts'

export type Command = CreateMerchant | CreateApiKey | CreateTestWallet | CreateWallet | Deposit | Withdraw | CreatePayout

export type CommandType = Command['type']

type Decide<Type extends CommandType> = (state: State, command: Extract<Command, { type: Type }>, context: Context) => Decision

const DECIDE: { readonly [Type in CommandType]: Decide<Type> } = {
  CreateMerchant: decideCreateMerchant,
  CreateApiKey: decideCreateApiKey,
  CreateTestWallet: decideCreateTestWallet,
  CreateWallet: decideCreateWallet,
  Deposit: decideDeposit,
  Withdraw: decideWithdraw,
  CreatePayout: decideCreatePayout,
}

/** Decides without changing anything; the turn applies what comes back. */
export function decide(state: State, command: Command, context: Context): Decision {
  const decideOne = DECIDE[command.type] as (state: State, command: Command, context: Context) => Decision
  return decideOne(state, command, context)
}
