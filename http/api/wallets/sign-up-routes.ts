// The steps of a sign-up after the right code, in their order: name, tag, PIN. The last step creates the wallet.
import type { EngineApi } from '../../../engine/api.ts'
import { ChosenTag, Identity, PinAndDeviceBody, Session, SetTagBody } from '../../../engine/contract/auth.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { isWeakPin } from '../../auth/wallet/pin-hasher.ts'
import { answerSession, sessionSecret } from '../../auth/wallet/sessions.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import { newOpaqueToken } from '../../crypto/opaque-token.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, route, type SignupPrincipal } from '../../server/route.ts'
import { SESSION } from '../shared-examples.ts'

export interface SignUpParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly wallets: WalletAccess
}

export function signUpRoutes(parts: SignUpParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/auth/identity/set',
      operationId: 'setIdentity',
      tag: 'Wallet sign-in',
      summary: 'Sign up: the name',
      description: 'May be changed until the sign-up is complete.',
      auth: 'signup',
      idempotency: 'accepted',
      endsToken: true,
      body: Identity,
      bodyExample: { family_name: 'Diallo', given_name: 'Awa' },
      responses: [
        { status: 200, description: 'As it will be shown.', schema: Identity, example: { family_name: 'Diallo', given_name: 'Awa' } },
      ],
      commands: ['SetSignupIdentity'],
      errors: [],
      handle: (call) => setIdentity(parts, call),
    }),
    route({
      method: 'POST',
      path: '/v1/auth/tag/set',
      operationId: 'setTag',
      tag: 'Wallet sign-in',
      summary: 'Sign up: the tag',
      description:
        'It is kept for this sign-up until it is complete or over. May be changed until then. A tag has at least one letter and is no word that could be taken for the service or for a cell of a file, such as `admin` or `total` (400 `invalid_tag`).',
      auth: 'signup',
      idempotency: 'accepted',
      endsToken: true,
      body: SetTagBody,
      bodyExample: { tag: '@awa_diallo' },
      responses: [{ status: 200, description: 'The tag, normalized.', schema: ChosenTag, example: { tag: 'awa_diallo' } }],
      commands: ['SetSignupTag'],
      errors: [],
      handle: (call) => setTag(parts, call),
    }),
    route({
      method: 'POST',
      path: '/v1/auth/pin/set',
      operationId: 'setPin',
      tag: 'Wallet sign-in',
      summary: 'Sign up: the PIN; the wallet is made',
      description:
        'Signs the device in. The sign-up token is used up; a replay of an Idempotency-Key needs the same token, no living one, and asks for no PIN. At most 600 test wallets an hour are made from one address.',
      auth: 'signup',
      idempotency: 'accepted',
      endsToken: true,
      body: PinAndDeviceBody,
      secretFields: ['pin'],
      bodyExample: { pin: '7391', device: { id: 'a3f1c7d2-pixel-8', name: 'Pixel 8', platform: 'android' } },
      responses: [{ status: 200, description: 'Signed up and signed in.', schema: Session, example: SESSION }],
      commands: ['CompleteSignup'],
      errors: ['weak_pin', 'rate_limited'],
      handle: (call) => setPin(parts, call),
      present: (call, outcome, secret) => answerSession(parts, call, outcome, secret),
    }),
  ]
}

type SignupCall<Body> = Call<Body, Record<string, unknown>, SignupPrincipal>

function setIdentity(parts: SignUpParts, call: SignupCall<Identity>): void {
  const familyName = call.body.family_name.trim().normalize('NFC')
  const givenName = call.body.given_name.trim().normalize('NFC')
  const { tokenHash, environment } = call.principal
  call.submit({ type: 'SetSignupIdentity', tokenHash, familyName, givenName }, parts.wallets.otp.mailbox(environment))
}

function setTag(parts: SignUpParts, call: SignupCall<SetTagBody>): void {
  const tag = normalizeTag(call.body.tag)
  if (tag === null) return call.refuse('invalid_tag', 'tag')
  const { tokenHash, environment } = call.principal
  call.submit({ type: 'SetSignupTag', tokenHash, tag }, parts.wallets.otp.mailbox(environment))
}

/** Checks the order of the steps before the slow hash. The engine checks it again when it decides. */
function setPin(parts: SignUpParts, call: SignupCall<PinAndDeviceBody>): void {
  const { pin, device } = call.body
  const { tokenHash, environment } = call.principal
  const signup = parts.engine.query('signups.byToken', { tokenHash })
  if (signup === null) return call.refuse('unauthorized')
  if (signup.given_name === null || signup.tag === null) return call.refuse('signup_incomplete')
  if (isWeakPin(pin)) return call.refuse('weak_pin', 'pin')
  const { limits, otp, pinHasher } = parts.wallets
  const waitS = environment === 'test' ? limits.takeTestSignup(call.remoteAddress) : 0
  if (waitS > 0) return answerRefusal(call, { kind: 'rate_limited', body: errorValue('rate_limited') }, waitS)
  later(call, async () => {
    const pinHash = await pinHasher.hash(pin, environment, call.remoteAddress)
    if (pinHash === null) return answerRefusal(call, { kind: 'rate_limited', body: errorValue('rate_limited') }, 1)
    const { token, hash } = newOpaqueToken('device')
    const { id, name = '', platform = '' } = device
    const { network } = otp.origin(call)
    const command = { type: 'CompleteSignup', tokenHash, pinHash, device: { id, name, platform, tokenHash: hash }, network } as const
    const secret = sessionSecret(parts, token)
    call.once(command, otp.mailbox(environment), secret, (outcome, kept) => answerSession(parts, call, outcome, kept))
  })
}
