// The noun module of wallet sign-in.
import type { NounModule } from '../noun-module.ts'
import { AUTH_EVENTS } from './auth-evolve.ts'
import { AUTH_INDEX_KEYS, AUTH_INDEXED } from './auth-index-keys.ts'
import { CHALLENGES } from './auth-limits.ts'
import { Authentication } from './auth-state.ts'
import {
  COMPLETE_LOGIN_REJECTIONS,
  decideCompleteLogin,
  decideLogOut,
  decideRemoveDevice,
  decideSetPushToken,
  LOG_OUT_REJECTIONS,
  REMOVE_DEVICE_REJECTIONS,
  SET_PUSH_TOKEN_REJECTIONS,
} from './device-decide.ts'
import {
  decideGrantSignIn,
  decideStartOtp,
  decideVerifyOtp,
  GRANT_SIGN_IN_REJECTIONS,
  START_OTP_REJECTIONS,
  VERIFY_OTP_REJECTIONS,
} from './otp-decide.ts'
import { CHANGE_PIN_REJECTIONS, decideChangePin, decideRecordPinCheck, RECORD_PIN_CHECK_REJECTIONS } from './pin-decide.ts'
import {
  COMPLETE_SIGNUP_REJECTIONS,
  decideCompleteSignup,
  decideSetSignupIdentity,
  decideSetSignupTag,
  SET_SIGNUP_IDENTITY_REJECTIONS,
  SET_SIGNUP_TAG_REJECTIONS,
} from './signup-decide.ts'

export const AUTH = {
  state: { name: 'auth', create: (shared) => new Authentication(shared) },
  quotas: [CHALLENGES],
  commands: {
    StartOtp: { decide: decideStartOtp, rejections: START_OTP_REJECTIONS, overBudget: 'counted' },
    VerifyOtp: { decide: decideVerifyOtp, rejections: VERIFY_OTP_REJECTIONS, overBudget: 'counted' },
    GrantSignIn: { decide: decideGrantSignIn, rejections: GRANT_SIGN_IN_REJECTIONS, overBudget: 'counted' },
    SetSignupIdentity: { decide: decideSetSignupIdentity, rejections: SET_SIGNUP_IDENTITY_REJECTIONS, overBudget: 'counted' },
    SetSignupTag: { decide: decideSetSignupTag, rejections: SET_SIGNUP_TAG_REJECTIONS, overBudget: 'counted' },
    CompleteSignup: { decide: decideCompleteSignup, rejections: COMPLETE_SIGNUP_REJECTIONS, overBudget: 'counted' },
    CompleteLogin: { decide: decideCompleteLogin, rejections: COMPLETE_LOGIN_REJECTIONS, overBudget: 'counted' },
    RemoveDevice: { decide: decideRemoveDevice, rejections: REMOVE_DEVICE_REJECTIONS, overBudget: 'rejected_unchanged' },
    SetPushToken: { decide: decideSetPushToken, rejections: SET_PUSH_TOKEN_REJECTIONS, overBudget: 'rejected' },
    LogOut: { decide: decideLogOut, rejections: LOG_OUT_REJECTIONS, overBudget: 'rejected_unchanged' },
    RecordPinCheck: { decide: decideRecordPinCheck, rejections: RECORD_PIN_CHECK_REJECTIONS, overBudget: 'counted' },
    ChangePin: { decide: decideChangePin, rejections: CHANGE_PIN_REJECTIONS, overBudget: 'counted' },
  },
  events: AUTH_EVENTS,
  indexKeys: AUTH_INDEX_KEYS,
  indexed: AUTH_INDEXED,
  timers: {},
  frames: ['device.added', 'session.revoked'],
  transactionTypes: [],
} as const satisfies NounModule
