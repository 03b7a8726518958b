// Sign-in: a code to the phone, then the steps of sign-up (sign-up-routes.ts) or the PIN. Each token is valid for its own
// step alone. Until the right code is sent, phones with and without a wallet get the same answers.
import {
  type Command,
  type EngineApi,
  type IdempotencyKey,
  LOGIN_LIFETIME_MS,
  OTP_LENGTH,
  SIGNUP_LIFETIME_MS,
} from '../../../engine/api.ts'
import {
  FirebaseExchangeBody,
  type LoginGrant,
  PhoneStart,
  PhoneStartBody,
  PhoneVerifyBody,
  PinAndDeviceBody,
  RefreshBody,
  RefreshedSession,
  Session,
  SignInGrant,
  type SignupGrant,
} from '../../../engine/contract/auth.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { challengeIdOf, OTP_EXPIRES_IN_S, OTP_RESEND_IN_S } from '../../auth/wallet/otp-challenges.ts'
import { answerSession, refreshedSession, sessionSecret } from '../../auth/wallet/sessions.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import { newOpaqueToken, opaqueTokenHash } from '../../crypto/opaque-token.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { answerKept, ofAddress } from '../../server/kept-answers.ts'
import { later } from '../../server/later.ts'
import { type Call, type LoginPrincipal, type OutcomeListener, type PublicPrincipal, type Route, route } from '../../server/route.ts'
import { LOGIN_GRANT, PHONE_START, REFRESHED_SESSION, SESSION, SIGNUP_GRANT } from '../shared-examples.ts'

export interface SignInParts {
  readonly engine: EngineApi
  readonly wallets: WalletAccess
}

export function signInRoutes(parts: SignInParts): readonly Route[] {
  return [...phoneRoutes(parts), ...pinRoutes(parts)]
}

const KEY_RULE = 'An Idempotency-Key counts for this path and body: the same again gives the same answer.'

function phoneRoutes(parts: SignInParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/auth/phone/start',
      operationId: 'startPhone',
      tag: 'Wallet sign-in',
      summary: 'Send a code to a phone',
      description: START_DESCRIPTION,
      auth: 'public',
      idempotency: 'accepted',
      body: PhoneStartBody,
      bodyExample: { phone: '+2250000000012', purpose: 'login' },
      responses: [{ status: 200, description: 'A code is on its way.', schema: PhoneStart, example: PHONE_START }],
      commands: ['StartOtp'],
      errors: ['unsupported_country'],
      handle: (call) => startPhone(parts, call),
      present: (call, outcome) => answerStarted(call, challengeIdOf(outcome)),
    }),
    route({
      method: 'POST',
      path: '/v1/auth/phone/verify',
      operationId: 'verifyPhone',
      tag: 'Wallet sign-in',
      summary: 'Show the code',
      description: VERIFY_DESCRIPTION,
      auth: 'public',
      idempotency: 'accepted',
      body: PhoneVerifyBody,
      bodyExample: { phone: '+2250000000012', code: '000000', purpose: 'login' },
      responses: [{ status: 200, description: 'The token of the next step.', schema: SignInGrant, example: LOGIN_GRANT }],
      commands: ['VerifyOtp'],
      errors: [],
      handle: (call) => verifyPhone(parts, call),
      present: (call, _outcome, token) => answerGrant(call, call.body.purpose, token),
    }),
    route({
      method: 'POST',
      path: '/v1/auth/firebase/exchange',
      operationId: 'exchangeFirebase',
      tag: 'Wallet sign-in',
      summary: 'Show an ID token instead of a code',
      description: `In the place of phone/start and phone/verify, for apps that sign in by phone with Firebase. Without FIREBASE_PROJECT_ID in the settings every token is refused. ${KEY_RULE}`,
      auth: 'public',
      idempotency: 'accepted',
      body: FirebaseExchangeBody,
      bodyExample: { id_token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.e30.c2ln', purpose: 'signup' },
      responses: [{ status: 200, description: 'The token of the next step.', schema: SignInGrant, example: SIGNUP_GRANT }],
      commands: ['GrantSignIn'],
      errors: ['invalid_id_token', 'rate_limited'],
      handle: (call) => exchangeFirebase(parts, call),
      present: (call, _outcome, token) => answerGrant(call, call.body.purpose, token),
    }),
  ]
}

function pinRoutes(parts: SignInParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/auth/pin/verify',
      operationId: 'verifyPin',
      tag: 'Wallet sign-in',
      summary: 'Log in: show the PIN',
      description: PIN_DESCRIPTION,
      auth: 'login',
      idempotency: 'accepted',
      endsToken: true,
      secretFields: ['pin'],
      body: PinAndDeviceBody,
      bodyExample: { pin: '7391', device: { id: 'a3f1c7d2-pixel-8', name: 'Pixel 8', platform: 'android' } },
      responses: [{ status: 200, description: 'Signed in.', schema: Session, example: SESSION }],
      commands: ['RecordPinCheck', 'CompleteLogin'],
      errors: ['rate_limited'],
      handle: (call) => verifyPin(parts, call),
      present: (call, outcome, secret) => answerSession(parts, call, outcome, secret),
    }),
    route({
      method: 'POST',
      path: '/v1/auth/refresh',
      operationId: 'refreshSession',
      tag: 'Wallet sign-in',
      summary: 'Renew a session without a code',
      description: `Three factors: phone, PIN and a registered device. The device has five tries and a lock of its own. ${KEY_RULE} A replay asks for the PIN too.`,
      auth: 'public',
      idempotency: 'accepted',
      checksReplays: true,
      secretFields: ['pin'],
      body: RefreshBody,
      bodyExample: { phone: '+2250000000012', pin: '7391', device_id: 'a3f1c7d2-pixel-8', device_token: 'device_…' },
      responses: [{ status: 200, description: 'Signed in.', schema: RefreshedSession, example: REFRESHED_SESSION }],
      commands: ['RecordPinCheck'],
      errors: ['device_not_registered', 'rate_limited'],
      handle: (call) => refresh(parts, call),
    }),
  ]
}

const START_DESCRIPTION = `The answer is the same for phones with and without a wallet. Phones of countries that are not in SMS_COUNTRIES are 400
\`unsupported_country\`.

Limits, each answered with 429 \`rate_limited\` and \`Retry-After\`:
- 5 codes to one phone in 10 minutes from one network (IPv4 /24, IPv6 /48). Requests from another network do not use them up.
- 20 codes an hour to one phone from all networks together. The ceiling wins over the first limit, except on the last 5 networks on which the phone's
owner has signed in: there the first limit alone holds, so strangers cannot keep the owner out.
- 20 codes an hour from one address (IPv4 address, IPv6 /64), 60 from an IPv6 /56, 200 from an IPv6 /48, 400 from an IPv4 /24, 4 000 from an IPv4 /16 or IPv6 /32.
- SMS_PER_MINUTE codes a minute of all callers together, half of them for one calling code where several are served. When they run short, the networks
that have asked most are refused first.

5 wrong codes end a challenge. Phones of the test environment (\`+22500…\`) get no message: their code is always \`000000\`. Instead of the limits
above they have one of 3 600 an hour from one address. ${KEY_RULE}`

const VERIFY_DESCRIPTION = `The correct code works once. Without \`challenge_id\` it is checked against the newest challenge that was started from the
caller's own address; with it, from any address. Send it: a phone that changes its network has another address. ${KEY_RULE}`

const PIN_DESCRIPTION = `A device that was registered before under the same id is registered again: its earlier token and sessions end.

The fifth wrong PIN in a row returns 423 \`pin_locked\` and locks the wallet for 15 minutes. Each further lock is twice as long as the one before, up to
30 days. Wrong PINs without a registered device do not lock registered devices: refresh and requests with an access token continue, and each device has
its own five tries. The lock of a device also applies to PINs without a registered device. A correct PIN resets only its own count. Each count allows at most
120 guesses in its first year. An Idempotency-Key belongs to the login token; a replay does not check the PIN.`

type PublicCall<Body> = Call<Body, Record<string, unknown>, PublicPrincipal>

function startPhone(parts: SignInParts, call: PublicCall<PhoneStartBody>): void {
  const { phone, purpose } = call.body
  parts.wallets.otp.startSignIn(call, phone, purpose, (challengeId) => answerStarted(call, challengeId))
}

function answerStarted(call: Pick<Call, 'answer'>, challenge_id: string): void {
  const started: PhoneStart = {
    challenge_id,
    channel: 'sms',
    code_length: OTP_LENGTH,
    expires_in: OTP_EXPIRES_IN_S,
    resend_in: OTP_RESEND_IN_S,
  }
  call.answer(200, JSON.stringify(started))
}

function verifyPhone(parts: SignInParts, call: PublicCall<PhoneVerifyBody>): void {
  const { phone, code, purpose, challenge_id } = call.body
  const { otp } = parts.wallets
  // A request without an id is checked against the phone's newest challenge. Its key is scoped to the caller's address: a
  // caller elsewhere cannot replay it to try codes on a used challenge.
  const { idempotency } = call
  const key = idempotency !== null && challenge_id === undefined ? ofAddress(idempotency, call.remoteAddress) : idempotency
  const command = (tokenHash: string): Command =>
    otp.verification({
      ...{ purpose, identifier: phone, subject: '', code, tokenHash, from: call },
      challengeId: challenge_id?.toLowerCase() ?? null,
    })
  grant(parts, call, { phone, purpose, key, command })
}

function exchangeFirebase(parts: SignInParts, call: PublicCall<FirebaseExchangeBody>): void {
  const { id_token, purpose } = call.body
  const { firebase } = parts.wallets
  if (firebase === null) return call.refuse('invalid_id_token', 'id_token')
  const waitS = parts.wallets.limits.takeExchange(call.remoteAddress)
  if (waitS > 0) return answerRefusal(call, { kind: 'rate_limited', body: errorValue('rate_limited') }, waitS)
  later(call, async () => {
    const verdict = await firebase.verify(id_token)
    if (verdict === 'unavailable') return call.refuse('unavailable')
    if (verdict === 'invalid') return call.refuse('invalid_id_token', 'id_token')
    const { phone } = verdict
    const command = (tokenHash: string): Command => ({ type: 'GrantSignIn', purpose, phone, tokenHash })
    grant(parts, call, { phone, purpose, key: call.idempotency, command })
  })
}

interface Grant {
  readonly phone: string
  readonly purpose: 'signup' | 'login'
  readonly key: IdempotencyKey | null
  command(tokenHash: string): Command
}

/** Creates the token of the next step. The token is sent only after the engine has recorded its hash. */
function grant(parts: SignInParts, call: PublicCall<unknown>, { phone, purpose, key, command }: Grant): void {
  const { token, hash } = newOpaqueToken(purpose)
  const answer: OutcomeListener = (outcome, kept) => {
    if (outcome.kind === 'ok') answerGrant(call, purpose, kept)
    else answerRefusal(call, outcome)
  }
  call.once(command(hash), parts.wallets.otp.mailbox(environmentOfPhone(phone)), token, answer, key)
}

function answerGrant(call: Pick<Call, 'answer'>, purpose: 'signup' | 'login', token: string): void {
  const granted: SignupGrant | LoginGrant =
    purpose === 'signup'
      ? { signup_token: token, expires_in: SIGNUP_LIFETIME_MS / 1000 }
      : { login_token: token, expires_in: LOGIN_LIFETIME_MS / 1000 }
  call.answer(200, JSON.stringify(granted))
}

function verifyPin(parts: SignInParts, call: Call<PinAndDeviceBody, Record<string, unknown>, LoginPrincipal>): void {
  const { pin, device } = call.body
  const { account, tokenHash } = call.principal
  parts.wallets.pinChecks.guard(call, { account, pin }, () => {
    const deviceToken = newOpaqueToken('device')
    const { id, name = '', platform = '' } = device
    const { network } = parts.wallets.otp.origin(call)
    const command = { type: 'CompleteLogin', tokenHash, device: { id, name, platform, tokenHash: deviceToken.hash }, network } as const
    const secret = sessionSecret(parts, deviceToken.token)
    call.once(command, account, secret, (outcome, kept) => answerSession(parts, call, outcome, kept))
  })
}

/**
 * Checks the device before the PIN: only its holder can use up tries. The answer does not reveal whether the phone has a
 * wallet.
 */
function refresh(parts: SignInParts, call: PublicCall<RefreshBody>): void {
  const { phone, pin, device_id, device_token } = call.body
  const { engine } = parts
  const presented = opaqueTokenHash(device_token)
  const registered = (): { readonly account: number; readonly sessionId: string; readonly userId: string } | null => {
    const wallet = engine.query('wallets.byPhone', { phone })
    const device = wallet === null ? null : engine.query('devices.byId', { account: wallet.account, id: device_id })
    if (wallet === null || device === null || device.token_hash !== presented) return null
    return { account: wallet.account, sessionId: device.session_id, userId: wallet.id }
  }
  const found = registered()
  if (found === null) return call.refuse('device_not_registered')
  const { account } = found
  // A known key does not skip the PIN check: the PIN is the only secret of the request that the device does not store.
  parts.wallets.pinChecks.guard(call, { account, pin, deviceId: device_id, idempotency: null }, () => {
    // The device may have been removed during the PIN check.
    const still = registered()
    if (still === null) return call.refuse('device_not_registered')
    later(call, async () => answerKept(call, account, 'ok', JSON.stringify(await refreshedSession(parts, still, device_token))))
  })
}
