// Requests of persons: one-time codes, sign-ups, logins, devices, PINs.

import type { Origin } from '../../../../engine/domain/auth/sign-in-rows.ts'
import type { CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import { environmentOf } from '../models/accounts.ts'
import type { ModelChallenge, ModelDevice, ModelSignup } from '../models/sign-in.ts'
import type { Models } from '../models.ts'
import { takenTag, wallet } from './pick.ts'

function newDevice(drawing: Drawing) {
  const id = drawing.prng.chance(0.3) ? drawing.prng.pick(['a', 'b', 'c']) : drawing.name('d')
  return { id, name: 'Téléphone', platform: 'android', tokenHash: drawing.name('device-') }
}

function network({ prng }: Drawing): { readonly network?: string } {
  return prng.chance(0.5) ? { network: prng.pick(['home', 'work', 'café']) } : {}
}

/** A sign-up that needs this step, mostly. */
function signupOf({ signIn }: Models, { prng }: Drawing, states: readonly ModelSignup['state'][]): string {
  const all = [...signIn.signups.values()]
  const found = recent(prng, prng.chance(0.9) ? all.filter(({ state }) => states.includes(state)) : all)
  return found?.tokenHash ?? 'ghost'
}

function deviceOf({ signIn }: Models, { prng }: Drawing): ModelDevice | undefined {
  return recent(prng, [...signIn.devices.values()])
}

/** Phone of the wallet with the most devices, so that some reach the maximum; or of another. */
function oftenSignedIn(models: Models, drawing: Drawing): string | undefined {
  const { accounts, signIn } = models
  if (drawing.prng.chance(0.3)) return wallet(models, drawing)?.phone
  const counts = new Map<number, number>()
  for (const { account } of signIn.devices.values()) counts.set(account, (counts.get(account) ?? 0) + 1)
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  return most === undefined ? wallet(models, drawing)?.phone : accounts.walletAt(most[0])?.phone
}

/** For a payment: of a charge or a mandate that waits for it. */
function subjectOf(models: Models, drawing: Drawing): { readonly subject: string; readonly account: number } | null {
  const { prng } = drawing
  const mandate = recent(
    prng,
    [...models.mandates.mandates.values()].filter(({ state }) => state === 'pending'),
  )
  if (mandate !== undefined && prng.chance(0.4)) return { subject: `mandate:${mandate.terms.token}`, account: mandate.customer }
  const charge = recent(
    prng,
    [...models.charges.charges.values()].slice(-20).filter(({ state }) => state === 'pending'),
  )
  if (charge === undefined) return null
  const payer = wallet(models, drawing, models.accounts.account(charge.account).environment)
  return payer === undefined ? null : { subject: charge.token, account: payer.account }
}

interface Code {
  readonly environment: 'live' | 'test'
  readonly identifier: string
  readonly subject: string
  readonly account: number | null
}

function codeOf(models: Models, drawing: Drawing, purpose: 'signup' | 'login' | 'payment'): Code | null {
  const { prng } = drawing
  const { accounts } = models
  if (purpose === 'payment') {
    const subject = subjectOf(models, drawing)
    if (subject === null) return null
    const { account } = subject
    return { environment: accounts.account(account).environment, identifier: accounts.walletAt(account)?.tag ?? '', ...subject }
  }
  const known = purpose === 'login' ? wallet(models, drawing) : undefined
  const number = String(prng.below(100_000)).padStart(5, '0')
  const identifier = known?.phone ?? (prng.chance(0.5) ? `+22507100${number}` : `+225001000${number}`)
  return { environment: environmentOf(identifier), identifier, subject: '', account: null }
}

/** The last code once more, as one who gets no message asks for it. */
function againOf({ signIn }: Models): { readonly purpose: ModelChallenge['purpose']; readonly code: Code; readonly origin: Origin } | null {
  const last = [...signIn.challenges.values()].at(-1)
  if (last === undefined || last.purpose === 'payment') return null
  const { purpose, identifier, origin } = last
  return { purpose, origin, code: { environment: environmentOf(identifier), identifier, subject: '', account: null } }
}

const startDraw =
  (models: Models): Draw =>
  (drawing) => {
    const { prng } = drawing
    const again = prng.chance(0.4) ? againOf(models) : null
    const purpose = again?.purpose ?? prng.pick(['signup', 'login', 'payment'] as const)
    const code = again?.code ?? codeOf(models, drawing, purpose)
    if (code === null) return null
    const counted = prng.chance(0.6) ? [{ key: `phone:${code.identifier}`, limit: { most: prng.pick([2, 5]), withinMs: 600_000 } }] : []
    const hasText = code.environment === 'live' && prng.chance(0.7)
    const message = hasText ? { message: { to: code.identifier, sealed: 'sealed:v1:text' } } : {}
    const origin = again?.origin ?? { address: prng.pick(['1', '2', '3']), network: prng.pick(['home', 'work']) }
    const challengeId = drawing.name('challenge-')
    return { type: 'StartOtp', challengeId, purpose, ...code, codeHash: 'right', counted, origin, ...message }
  }

const codeDraws = (models: Models) =>
  ({
    StartOtp: startDraw(models),
    VerifyOtp: (drawing) => {
      const { prng } = drawing
      const all = [...models.signIn.challenges.values()].slice(-30)
      const open = all.filter(({ state }) => state === 'open')
      // One guess after the other at the same code.
      const guessed = prng.chance(0.4) ? open.toSorted((one, other) => other.failures - one.failures)[0] : undefined
      const challenge = guessed ?? recent(prng, prng.chance(0.9) ? open : all)
      if (challenge === undefined) return null
      const { id, purpose, identifier, subject } = challenge
      const codeHash = prng.chance(guessed === undefined ? 0.75 : 0.15) ? 'right' : 'wrong'
      const tokenHash = purpose === 'payment' ? '' : drawing.name('token-')
      return {
        type: 'VerifyOtp',
        challengeId: id,
        purpose,
        identifier: prng.chance(0.97) ? identifier : 'ghost',
        subject,
        codeHash,
        tokenHash,
      }
    },
    GrantSignIn: (drawing) => {
      const purpose = drawing.prng.pick(['signup', 'login', 'login'] as const)
      const isKnown = drawing.prng.chance(purpose === 'login' ? 0.9 : 0.1)
      const phone = isKnown ? oftenSignedIn(models, drawing) : undefined
      return {
        type: 'GrantSignIn',
        purpose,
        phone: phone ?? `+22507200${String(drawing.prng.below(100_000)).padStart(5, '0')}`,
        tokenHash: drawing.name('token-'),
      }
    },
    SetSignupIdentity: (drawing) => {
      return {
        type: 'SetSignupIdentity',
        tokenHash: signupOf(models, drawing, ['started', 'tagged']),
        familyName: 'Diallo',
        givenName: 'Awa',
      }
    },
    SetSignupTag: (drawing) => {
      const isTaken = drawing.prng.chance(0.15)
      const tag = isTaken ? (takenTag(models, drawing) ?? 'ghost') : drawing.name('binta')
      return { type: 'SetSignupTag', tokenHash: signupOf(models, drawing, ['identified', 'tagged']), tag }
    },
    CompleteSignup: (drawing) => {
      const tokenHash = signupOf(models, drawing, ['tagged'])
      return { type: 'CompleteSignup', tokenHash, pinHash: 'pin', device: newDevice(drawing), ...network(drawing) }
    },
    CompleteLogin: (drawing) => {
      const { prng } = drawing
      const all = [...models.signIn.logins.values()]
      const login = recent(prng, prng.chance(0.9) ? all.filter(({ state }) => state === 'started') : all)
      return { type: 'CompleteLogin', tokenHash: login?.tokenHash ?? 'ghost', device: newDevice(drawing), ...network(drawing) }
    },
  }) satisfies Partial<Record<CommandType, Draw>>

export const signInDraws = (models: Models) =>
  ({
    ...codeDraws(models),
    RemoveDevice: (drawing) => {
      const device = deviceOf(models, drawing)
      return device === undefined
        ? null
        : { type: 'RemoveDevice', account: device.account, deviceId: drawing.prng.chance(0.05) ? 'ghost' : device.id }
    },
    SetPushToken: (drawing) => {
      const device = deviceOf(models, drawing)
      if (device === undefined) return null
      const token = drawing.prng.pick(['token 1', 'token 2', drawing.name('token ')])
      return {
        type: 'SetPushToken',
        account: device.account,
        deviceId: drawing.prng.chance(0.05) ? 'ghost' : device.id,
        push: { provider: 'fcm', token },
      }
    },
    LogOut: (drawing) => {
      const device = deviceOf(models, drawing)
      return device === undefined
        ? null
        : { type: 'LogOut', account: device.account, deviceId: drawing.prng.chance(0.05) ? 'ghost' : device.id }
    },
    RecordPinCheck: (drawing) => {
      const { prng } = drawing
      const device = deviceOf(models, drawing)
      const account = device?.account ?? wallet(models, drawing)?.account
      if (account === undefined) return null
      const generation = models.signIn.pins.get(account)?.generation ?? 0
      const onDevice = device !== undefined && prng.chance(0.5) ? { deviceId: device.id } : {}
      return {
        type: 'RecordPinCheck',
        account,
        ok: prng.chance(0.3),
        generation: prng.chance(0.95) ? generation : generation + 1,
        ...onDevice,
      }
    },
    ChangePin: (drawing) => {
      const { prng } = drawing
      const device = deviceOf(models, drawing)
      if (device === undefined) return null
      const generation = (models.signIn.pins.get(device.account)?.generation ?? 0) + (prng.chance(0.9) ? 0 : 1)
      return { type: 'ChangePin', account: device.account, pinHash: 'pin 2', generation, deviceId: device.id }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
