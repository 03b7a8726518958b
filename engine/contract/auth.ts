// Wallet sign-in: codes, the steps of sign-up and login, and the tokens of a session.
import { phone, tagInput, tagOutput, uuid } from './common.ts'
import { DeviceInput } from './device.ts'
import { User } from './me.ts'
import { choice, nameText, type SchemaDocs, type Static, Type } from './schema.ts'

export const SIGN_IN_PURPOSES = ['signup', 'login'] as const

function purpose() {
  return choice(SIGN_IN_PURPOSES, { description: '`signup` for a phone without a wallet, `login` for one with.' })
}

/** Schema of a PIN. It is secret: never logged, never stored in clear, not part of a request's fingerprint. */
export function pin(docs: SchemaDocs = {}) {
  return Type.String({ pattern: '^[0-9]{4,6}$', description: 'The wallet’s PIN, 4 to 6 digits.', examples: ['7391'], ...docs })
}

export function otpCode(docs: SchemaDocs = {}) {
  return Type.String({ pattern: '^[0-9]{6}$', description: 'The code of the message, 6 digits.', examples: ['000000'], ...docs })
}

function lifetime(seconds: number) {
  return Type.Integer({ minimum: 1, description: 'Seconds until it expires.', examples: [seconds] })
}

export const PhoneStartBody = Type.Object({ phone: phone(), purpose: purpose() }, { $id: 'PhoneStartBody' })

export type PhoneStartBody = Static<typeof PhoneStartBody>

export const PhoneStart = Type.Object(
  {
    challenge_id: uuid({ description: 'Id of the code that was sent. Send it with phone/verify.' }),
    channel: choice(['sms'], { description: 'How the code was sent.' }),
    code_length: Type.Integer({ minimum: 1, maximum: 10, description: 'Digits of the code.', examples: [6] }),
    expires_in: lifetime(300),
    resend_in: Type.Integer({
      description: 'Seconds to wait before requesting another code. An earlier request is accepted too, within the rate limits.',
      examples: [30],
    }),
  },
  { $id: 'PhoneStart' },
)

export type PhoneStart = Static<typeof PhoneStart>

export const PhoneVerifyBody = Type.Object(
  {
    phone: phone(),
    code: otpCode(),
    purpose: purpose(),
    challenge_id: Type.Optional(
      uuid({
        description: 'From phone/start. Without it: the newest challenge of the phone that was started from the caller’s IP address.',
      }),
    ),
  },
  { $id: 'PhoneVerifyBody' },
)

export type PhoneVerifyBody = Static<typeof PhoneVerifyBody>

export const SignupGrant = Type.Object(
  {
    signup_token: Type.String({ description: 'Bearer token of identity/set, tag/set and pin/set.' }),
    expires_in: lifetime(900),
  },
  { $id: 'SignupGrant' },
)

export type SignupGrant = Static<typeof SignupGrant>

export const LoginGrant = Type.Object(
  { login_token: Type.String({ description: 'Bearer token of pin/verify.' }), expires_in: lifetime(300) },
  { $id: 'LoginGrant' },
)

export type LoginGrant = Static<typeof LoginGrant>

/** One shape with optional tokens: generated clients cannot distinguish the members of a union without a discriminator. */
export const SignInGrant = Type.Object(
  {
    signup_token: Type.Optional(SignupGrant.properties.signup_token),
    login_token: Type.Optional(LoginGrant.properties.login_token),
    expires_in: lifetime(300),
  },
  { $id: 'SignInGrant', description: 'With the purpose `signup` it has `signup_token`, with `login` it has `login_token`.' },
)

export const FirebaseExchangeBody = Type.Object(
  {
    id_token: Type.String({ minLength: 1, maxLength: 8192, description: 'ID token of a Firebase user who signed in by phone.' }),
    purpose: purpose(),
  },
  { $id: 'FirebaseExchangeBody' },
)

export type FirebaseExchangeBody = Static<typeof FirebaseExchangeBody>

export const Identity = Type.Object(
  {
    family_name: nameText({ maxLength: 100, description: 'Family name of the owner.', examples: ['Diallo'] }),
    given_name: nameText({ maxLength: 100, description: 'Given name of the owner.', examples: ['Awa'] }),
  },
  { $id: 'Identity' },
)

export type Identity = Static<typeof Identity>

export const SetTagBody = Type.Object({ tag: tagInput({ 'x-error': 'invalid_tag' }) }, { $id: 'SetTagBody' })

export type SetTagBody = Static<typeof SetTagBody>

export const ChosenTag = Type.Object({ tag: tagOutput() }, { $id: 'ChosenTag' })

export type ChosenTag = Static<typeof ChosenTag>

export const PinAndDeviceBody = Type.Object({ pin: pin(), device: DeviceInput }, { $id: 'PinAndDeviceBody' })

export type PinAndDeviceBody = Static<typeof PinAndDeviceBody>

const TOKENS = {
  access_token: Type.String({ description: 'JWT for `Authorization: Bearer`. Treat it as opaque: its content may change.' }),
  token_type: choice(['Bearer'], { description: 'How the access token is sent.' }),
  expires_in: lifetime(3600),
  device_token: Type.String({ description: 'Keep it in the secure storage of the device: with phone and PIN it renews the session.' }),
}

export const Session = Type.Object({ ...TOKENS, user: User }, { $id: 'Session' })

export type Session = Static<typeof Session>

export const RefreshBody = Type.Object(
  {
    phone: phone(),
    pin: pin(),
    device_id: Type.String({ minLength: 1, maxLength: 128, description: 'Id of the device as it was registered.' }),
    device_token: Type.String({ minLength: 1, maxLength: 128, description: 'From the last pin/set, pin/verify or refresh.' }),
  },
  { $id: 'RefreshBody' },
)

export type RefreshBody = Static<typeof RefreshBody>

export const RefreshedSession = Type.Object(TOKENS, { $id: 'RefreshedSession' })

export type RefreshedSession = Static<typeof RefreshedSession>

export const ChangePinBody = Type.Object(
  { pin: pin(), new_pin: pin({ description: 'The PIN from now on, 4 to 6 digits.', examples: ['8264'] }) },
  { $id: 'ChangePinBody' },
)

export type ChangePinBody = Static<typeof ChangePinBody>

export const Done = Type.Object({ ok: Type.Literal(true, { description: 'Always true.' }) }, { $id: 'Done' })
