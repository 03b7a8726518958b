// Starts and checks one-time codes for sign-in and web payments. The engine decides and counts; the code is sent once
// that is durable. The response never reveals whether the phone has a wallet.

import { createHmac, randomBytes } from 'node:crypto'
import {
  type AccountNumber,
  type CommandOf,
  type CountedSend,
  type EngineApi,
  type Origin,
  OTP_LIFETIME_MS,
  OTP_RESEND_MS,
  type Outcome,
  type QueryInput,
  SENDS_PER_ADDRESS,
  SENDS_PER_PHONE,
  SENDS_PER_PHONE_CEILING,
  type Wallet,
} from '../../../engine/api.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import { type Environment, environmentOfPhone } from '../../../engine/kernel/environment.ts'
import type { IdSource } from '../../../engine/kernel/ids.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { Seal } from '../../crypto/seal.ts'
import { siteOf } from '../../outbound/networks.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import type { Call } from '../../server/route.ts'
import { acceptedLanguage } from '../../text/language.ts'
import { otpText } from '../../workers/gateways/message.ts'
import { sealText } from '../../workers/gateways/sms.ts'
import type { OtpCodes } from './otp-codes.ts'
import type { CodeRequest, SignInLimits } from './sign-in-limits.ts'

export interface OtpParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly now: () => TimeMs
  readonly codes: OtpCodes
  /** Key of the hash that addresses are counted under, so that the log holds no addresses. */
  readonly addressKey: Buffer
  readonly ids: IdSource
  readonly limits: SignInLimits
  /** Seals the text of a message, which holds the code. */
  readonly seal: Pick<Seal, 'seal'>
}

/** A one-time code for the payment page. */
export interface PaymentOtp {
  readonly environment: Environment
  /** What the payer typed, normalized, with its kind: `tag:awa`, `phone:+221…`. */
  readonly identifier: string
  /** The charge's token. A code is valid for this charge only. */
  readonly subject: string
  /** The identifier's wallet in this environment; null without one. The response is the same. */
  readonly wallet: Wallet | null
  /** Returns the message with the code. */
  text(code: string): string
}

type StartOtp = CommandOf<'StartOtp'>
type VerifyOtp = CommandOf<'VerifyOtp'>

type OnChallenge = (challengeId: string) => void
type OtpCall = Pick<Call, 'once' | 'answerAs' | 'remoteAddress'>

export class OtpChallenges {
  readonly #parts: OtpParts

  constructor(parts: OtpParts) {
    this.#parts = parts
  }

  /**
   * Starts a challenge and sends its code. Answers the call when the country is not served or a limit is reached.
   * Known and unknown phones take the same path.
   */
  startSignIn(call: OtpCall & Pick<Call, 'browser'>, phone: string, purpose: 'signup' | 'login', onChallenge: OnChallenge): void {
    const { engine, limits, codes } = this.#parts
    if (!limits.serves(phone)) return call.answerAs(400, errorValue('unsupported_country', 'phone'), [])
    const environment = environmentOfPhone(phone)
    const origin = this.origin(call)
    const account = engine.query('wallets.byPhone', { phone })?.account ?? null
    const counted = environment === 'test' ? [] : [...this.#counted(`${PHONE}${phone}`, account, origin), addressLimit(origin)]
    const code = codes.draw(phone)
    const command = { purpose, environment, identifier: phone, subject: '', account: null, counted, origin }
    const message = this.#message(phone, otpText(code, purpose, acceptedLanguage(call.browser.acceptLanguage)))
    this.#start(call, { ...command, ...message }, { code, phone }, onChallenge)
  }

  /**
   * Starts a challenge for a payment. Rejections depend on the typed identifier and the network, never on the wallet.
   * A wallet over its phone's limit gets no code, and the response stays the same.
   */
  startPayment(call: OtpCall, { environment, identifier, subject, wallet, text }: PaymentOtp, onChallenge: OnChallenge): void {
    const { codes, limits } = this.#parts
    const typedPhone = identifier.startsWith(PHONE) ? identifier.slice(PHONE.length) : null
    if (typedPhone !== null && !limits.serves(typedPhone)) {
      return call.answerAs(400, errorValue('unsupported_country', 'identifier'), [])
    }
    const origin = this.origin(call)
    const isLive = environment === 'live'
    const account = wallet?.account ?? null
    const counted = isLive ? [...this.#counted(identifier, account, origin), addressLimit(origin)] : []
    const phone = wallet !== null && limits.serves(wallet.phone) ? wallet.phone : null
    const toPhone = isLive && phone !== null ? this.#counted(`${PHONE}${phone}`, account, origin) : []
    const mayReach = toPhone.every((send) => this.#waitMs(send) === 0)
    const typed = new Set(counted.map(({ key }) => key))
    if (mayReach) counted.push(...toPhone.filter(({ key }) => !typed.has(key)))
    // Without a wallet the code is never sent, but made and checked in the same time.
    const code = phone !== null && mayReach ? codes.draw(phone) : randomBytes(16).toString('base64url')
    const command = { purpose: 'payment' as const, environment, identifier, subject, account, counted, origin }
    // Sealed in any case, so that the time does not depend on the wallet.
    const message = this.#message(phone ?? NO_PHONE, text(code))
    const sent = phone !== null && mayReach ? message : {}
    this.#start(call, { ...command, ...sent }, { code, phone: typedPhone }, onChallenge)
  }

  /**
   * Returns the command that checks a code. Without `challengeId`: the newest challenge of phone and purpose from the
   * caller's address.
   */
  verification(
    shown: Pick<VerifyOtp, 'purpose' | 'identifier' | 'subject' | 'tokenHash'> & {
      readonly code: string
      readonly challengeId: string | null
      readonly from: Pick<Call, 'remoteAddress'>
    },
  ): VerifyOtp {
    const { code, challengeId, from, ...rest } = shown
    const { purpose, identifier } = rest
    const id = challengeId ?? this.#newestChallenge({ purpose, identifier, address: this.origin(from).address })
    return { type: 'VerifyOtp', challengeId: id, ...rest, codeHash: this.#parts.codes.hash(id, code) }
  }

  /** Returns address and network of a call as keyed hashes. */
  origin({ remoteAddress }: Pick<Call, 'remoteAddress'>): Origin {
    return { address: this.#keyed(remoteAddress), network: this.#keyed(siteOf(remoteAddress)) }
  }

  /** Returns the mailbox of commands of callers without an account. */
  mailbox(environment: Environment): number {
    return this.#parts.engine.query('accounts.settlement', { environment })
  }

  #start(
    call: OtpCall,
    command: Omit<StartOtp, 'type' | 'challengeId' | 'codeHash'>,
    { code, phone }: { readonly code: string; readonly phone: string | null },
    onChallenge: OnChallenge,
  ): void {
    const { ids, codes, limits, now } = this.#parts
    const request: CodeRequest = { environment: command.environment, address: call.remoteAddress, phone }
    const waitS = limits.takeCode(request)
    if (waitS > 0) return answerRefusal(call, { kind: 'rate_limited', body: errorValue('rate_limited') }, waitS)
    const challengeId = ids.next(now())
    const start: StartOtp = { type: 'StartOtp', challengeId, ...command, codeHash: codes.hash(challengeId, code) }
    call.once(start, this.mailbox(command.environment), '', (outcome) => {
      if (outcome.kind !== 'ok' || outcome.replayed) limits.giveBackCode(request)
      if (outcome.kind === 'ok') onChallenge(challengeIdOf(outcome))
      else answerRefusal(call, outcome, outcome.retryAfterS ?? this.#waitS(command.counted))
    })
  }

  /** Returns the text message of a command; none for a test phone. */
  #message(phone: string, text: string): Pick<StartOtp, 'message'> {
    const message = sealText(this.#parts.seal, phone, text)
    return environmentOfPhone(phone) === 'test' ? {} : { message }
  }

  #waitS(counted: readonly CountedSend[]): number {
    return Math.max(1, ...counted.map((send) => Math.ceil(this.#waitMs(send) / 1000)))
  }

  #waitMs(send: CountedSend): number {
    return this.#parts.engine.query('codes.waitMs', send)
  }

  /** Returns the id of the newest challenge; empty without one. */
  #newestChallenge(from: QueryInput<'challenges.newest'>): string {
    return this.#parts.engine.query('challenges.newest', from)?.id ?? ''
  }

  /**
   * Returns the counters of a send. A network where the phone's owner has signed in has no ceiling, so that requests
   * from elsewhere cannot use up the owner's codes.
   */
  #counted(identifier: string, account: AccountNumber | null, origin: Origin): readonly CountedSend[] {
    const own: CountedSend = { key: `${identifier}@${origin.network}`, limit: SENDS_PER_PHONE }
    if (account !== null && this.#parts.engine.query('wallets.knowsNetwork', { account, network: origin.network })) return [own]
    return [own, { key: identifier, limit: SENDS_PER_PHONE_CEILING }]
  }

  #keyed(address: string): string {
    return createHmac('sha256', this.#parts.addressKey).update(address).digest('base64url').slice(0, 22)
  }
}

/** Stands for the phone of an identifier without a wallet. Nothing is sent to it. */
const NO_PHONE = '+221000000000'

/** Prefix of an identifier that is a phone. */
const PHONE = 'phone:'

function addressLimit({ address }: Origin): CountedSend {
  return { key: `address:${address}`, limit: SENDS_PER_ADDRESS }
}

/** Returns the challenge id of a StartOtp outcome. */
export function challengeIdOf({ body }: Outcome): string {
  return (JSON.parse(body) as { challenge_id: string }).challenge_id
}

export const OTP_EXPIRES_IN_S = OTP_LIFETIME_MS / 1000
export const OTP_RESEND_IN_S = OTP_RESEND_MS / 1000
