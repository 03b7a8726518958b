// What requests of persons must come to: one-time codes, sign-ups, logins, devices, PINs.
import type { Verdicts } from '../entry.ts'
import { environmentOf } from '../models/accounts.ts'
import { GUESSES, type ModelSignup } from '../models/sign-in.ts'
import type { Models } from '../models.ts'

const codeVerdicts = ({ accounts, signIn }: Models) => {
  const grant = (purpose: 'signup' | 'login', phone: string) => {
    const wallet = accounts.payee(environmentOf(phone), phone)
    if (purpose === 'signup') return wallet === undefined ? null : 'phone_taken'
    return wallet === undefined ? 'wallet_not_found' : null
  }
  return {
    StartOtp: ({ counted }, { timeMs }) => {
      const isOver = counted.some(({ key, limit }) => signIn.sentSince(key, timeMs - limit.withinMs) >= limit.most)
      return isOver ? 'rate_limited' : null
    },
    VerifyOtp: ({ challengeId, purpose, identifier, subject, codeHash }, { timeMs }) => {
      const challenge = signIn.challenges.get(challengeId)
      if (challenge === undefined || challenge.state !== 'open' || challenge.expiresMs <= timeMs) return 'otp_expired'
      if (challenge.purpose !== purpose || challenge.identifier !== identifier || challenge.subject !== subject) return 'otp_expired'
      const { failures } = challenge
      if (failures >= GUESSES) return 'otp_attempts_exceeded'
      if (codeHash !== 'right') return failures + 1 >= GUESSES ? 'otp_attempts_exceeded' : 'otp_incorrect'
      return purpose === 'payment' ? null : grant(purpose, identifier)
    },
    GrantSignIn: ({ purpose, phone }) => grant(purpose, phone),
  } satisfies Verdicts
}

const signupVerdicts = ({ accounts, signIn }: Models) => {
  const opened = (tokenHash: string, timeMs: number): ModelSignup | null => {
    const signup = signIn.signups.get(tokenHash)
    return signup === undefined || signup.state === 'completed' || signup.expiresMs <= timeMs ? null : signup
  }
  const isTaken = (signup: ModelSignup, tag: string, timeMs: number): boolean => {
    const environment = environmentOf(signup.phone)
    return accounts.wallet(environment, tag) !== undefined || signIn.reserves(environment, tag, timeMs, signup)
  }
  return {
    SetSignupIdentity: ({ tokenHash }, { timeMs }) => (opened(tokenHash, timeMs) === null ? 'unauthorized' : null),
    SetSignupTag: ({ tokenHash, tag }, { timeMs }) => {
      const signup = opened(tokenHash, timeMs)
      if (signup === null) return 'unauthorized'
      if (signup.state === 'started') return 'signup_incomplete'
      return isTaken(signup, tag, timeMs) ? 'tag_taken' : null
    },
    CompleteSignup: ({ tokenHash }, { timeMs }) => {
      const signup = opened(tokenHash, timeMs)
      if (signup === null) return 'unauthorized'
      if (signup.tag === null) return 'signup_incomplete'
      if (accounts.payee(environmentOf(signup.phone), signup.phone) !== undefined) return 'phone_taken'
      return isTaken(signup, signup.tag, timeMs) ? 'tag_taken' : null
    },
  } satisfies Verdicts
}

export const signInVerdicts = (models: Models) => {
  const { signIn } = models
  const device = ({ account, deviceId }: { readonly account: number; readonly deviceId: string }) =>
    signIn.devices.get(`${account}:${deviceId}`)
  return {
    ...codeVerdicts(models),
    ...signupVerdicts(models),
    CompleteLogin: ({ tokenHash }, { timeMs }) => {
      const login = signIn.logins.get(tokenHash)
      return login?.state === 'started' && timeMs < login.expiresMs ? null : 'unauthorized'
    },
    RemoveDevice: (command) => (device(command) === undefined ? 'not_found' : null),
    SetPushToken: (command) => (device(command) === undefined ? 'not_found' : null),
    LogOut: (command) => (device(command) === undefined ? 'unauthorized' : null),
    RecordPinCheck: ({ account, ok, generation, deviceId }, { timeMs }) => {
      const { untilMs, failures } = signIn.pinCounts(account, deviceId)
      if (timeMs < untilMs) return 'pin_locked'
      if (ok && generation === (signIn.pins.get(account)?.generation ?? 0)) return null
      return failures + 1 < GUESSES ? 'pin_incorrect' : 'pin_locked'
    },
    ChangePin: ({ account, generation }) => ((signIn.pins.get(account)?.generation ?? 0) === generation ? null : 'pin_incorrect'),
  } satisfies Verdicts
}
