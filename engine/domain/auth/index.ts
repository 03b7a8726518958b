// The noun of wallet sign-in: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import { AUTH_EVENTS } from './auth-evolve.ts'
import { Authentication } from './auth-state.ts'
import { decideCompleteLogin, decideLogOut, decideRemoveDevice } from './device-decide.ts'
import { decideGrantSignIn, decideStartOtp, decideVerifyOtp } from './otp-decide.ts'
import { decideChangePin, decideRecordPinCheck } from './pin-decide.ts'
import { decideCompleteSignup, decideSetSignupIdentity, decideSetSignupTag } from './signup-decide.ts'

export const AUTH = {
  state: { name: 'auth', create: () => new Authentication() },
  commands: {
    StartOtp: { decide: decideStartOtp, overBudget: 'counted' },
    VerifyOtp: { decide: decideVerifyOtp, overBudget: 'counted' },
    GrantSignIn: { decide: decideGrantSignIn, overBudget: 'counted' },
    SetSignupIdentity: { decide: decideSetSignupIdentity, overBudget: 'counted' },
    SetSignupTag: { decide: decideSetSignupTag, overBudget: 'counted' },
    CompleteSignup: { decide: decideCompleteSignup, overBudget: 'counted' },
    CompleteLogin: { decide: decideCompleteLogin, overBudget: 'counted' },
    RemoveDevice: { decide: decideRemoveDevice, overBudget: 'rejected_unchanged' },
    LogOut: { decide: decideLogOut, overBudget: 'rejected_unchanged' },
    RecordPinCheck: { decide: decideRecordPinCheck, overBudget: 'counted' },
    ChangePin: { decide: decideChangePin, overBudget: 'counted' },
  },
  events: AUTH_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: ['device.added', 'session.revoked'],
  transactionTypes: [],
} as const satisfies NounModule
