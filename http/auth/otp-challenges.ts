// Asking for a one-time code and showing it, for sign-in and for payments on the web. Makes code and hash, lets the
// engine decide and count, and sends the code once that is on disk. Who asks learns nothing of whom the phone belongs to.
import { createHmac, randomBytes } from 'node:crypto'
import type { Outcome } from '../../engine/actor/envelope.ts'
import { errorBody } from '../../engine/contract/errors.ts'
import { OTP_LIFETIME_MS, OTP_RESEND_MS, SENDS_PER_ADDRESS, SENDS_PER_PHONE } from '../../engine/domain/auth/limits.ts'
import { type CountedSend, type StartOtp, sendWaitMs, type VerifyOtp } from '../../engine/domain/auth/otp-decide.ts'
import type { State } from '../../engine/domain/state.ts'
import type { Wallet } from '../../engine/domain/wallet/state.ts'
import { type Environment, environmentOfPhone } from '../../engine/kernel/environment.ts'
import type { IdSource } from '../../engine/kernel/ids.ts'
import type { TimeMs } from '../../engine/kernel/time.ts'
import { otpText } from '../gateways/message.ts'
import type { TextMessages } from '../gateways/sms.ts'
import type { Call } from '../route.ts'
import type { OtpCodes } from './otp-codes.ts'

export interface OtpParts {
  readonly state: State
  readonly now: () => TimeMs
  readonly codes: OtpCodes
  /** Addresses are counted under their keyed hash: the log keeps no list of who came from where. */
  readonly addressKey: Buffer
  readonly ids: IdSource
  readonly texts: TextMessages
}

/** A code for the web's payment page. */
export interface PaymentOtp {
  readonly environment: Environment
  /** What the payer typed: a normalized tag or a phone, `kind` in front: `tag:awa`, `phone:+221…`. */
  readonly identifier: string
  /** What the code is good for: the charge's token. A code for one charge pays no other. */
  readonly subject: string
  /** Whom the identifier leads to in this environment, null for nobody: the answer is the same. */
  readonly wallet: Wallet | null
  /** The message with the code in it. */
  text(code: string): string
}

type Hear = (challengeId: string) => void
/** `isNew`: of a key that was sent before, the code has left already. */
type HearStarted = (challengeId: string, isNew: boolean) => void
type OtpCall = Pick<Call, 'once' | 'answerAs' | 'remoteAddress'>

export class OtpChallenges {
  readonly #parts: OtpParts

  constructor(parts: OtpParts) {
    this.#parts = parts
  }

  /** Starts a challenge and sends its code; answers the call itself when a limit is reached. Known and unknown phones take the same way. */
  startSignIn(call: OtpCall, phone: string, purpose: 'signup' | 'login', hear: Hear): void {
    const environment = environmentOfPhone(phone)
    const counted = environment === 'test' ? [] : [this.#phone(phone), this.#address(call)]
    const code = this.#parts.codes.draw(phone)
    const command = { purpose, environment, identifier: phone, subject: '', account: null, counted }
    this.#start(call, command, code, (challengeId, isNew) => {
      if (isNew) this.#parts.texts.send(phone, otpText(code, purpose))
      hear(challengeId)
    })
  }

  /**
   * The same for a payment. What is refused is counted by what the payer typed and where they are, never by whom that
   * leads to; a wallet whose phone has had its codes gets none, and nobody is told.
   */
  startPayment(call: OtpCall, { environment, identifier, subject, wallet, text }: PaymentOtp, hear: Hear): void {
    const { state, now, codes, texts } = this.#parts
    const isLive = environment === 'live'
    const counted = isLive ? [this.#identifier(identifier), this.#address(call)] : []
    const phone = wallet?.phone ?? null
    const toPhone = isLive && phone !== null ? this.#phone(phone) : null
    const mayReach = toPhone === null || sendWaitMs(state, toPhone, now()) === 0
    if (toPhone !== null && mayReach && toPhone.key !== counted[0]?.key) counted.push(toPhone)
    // A code that nobody has: it is as long in the making and in the checking as any other.
    const code = phone !== null && mayReach ? codes.draw(phone) : randomBytes(16).toString('base64url')
    const command = { purpose: 'payment' as const, environment, identifier, subject, account: wallet?.account ?? null, counted }
    this.#start(call, command, code, (challengeId, isNew) => {
      if (phone !== null && mayReach && isNew) texts.send(phone, text(code))
      hear(challengeId)
    })
  }

  /** The command that checks a code. `challengeId` null: the newest challenge of the phone and purpose. */
  verification(
    shown: Pick<VerifyOtp, 'purpose' | 'identifier' | 'subject' | 'tokenHash'> & {
      readonly code: string
      readonly challengeId: string | null
    },
  ): VerifyOtp {
    const { code, challengeId, ...rest } = shown
    const id = challengeId ?? this.#parts.state.auth.challengesOf(shown.purpose, shown.identifier).at(-1)?.id ?? ''
    return { type: 'VerifyOtp', challengeId: id, ...rest, codeHash: this.#parts.codes.hash(id, code) }
  }

  /** Where commands about people without an account wait for their turn. */
  mailbox(environment: Environment): number {
    return this.#parts.state.settlementAccount(environment)
  }

  #start(call: OtpCall, command: Omit<StartOtp, 'type' | 'challengeId' | 'codeHash'>, code: string, hear: HearStarted): void {
    const { ids, codes, now } = this.#parts
    const challengeId = ids.next(now())
    const start: StartOtp = { type: 'StartOtp', challengeId, ...command, codeHash: codes.hash(challengeId, code) }
    call.once(start, this.mailbox(command.environment), '', (outcome) => {
      if (outcome.status === 200) hear(challengeIdOf(outcome), !outcome.replayed)
      else answerRefusal(call, outcome, this.#waitS(command.counted))
    })
  }

  #waitS(counted: readonly CountedSend[]): number {
    const { state, now } = this.#parts
    return Math.max(1, ...counted.map((send) => Math.ceil(sendWaitMs(state, send, now()) / 1000)))
  }

  #phone(phone: string): CountedSend {
    return { key: `phone:${phone}`, limit: SENDS_PER_PHONE }
  }

  #identifier(identifier: string): CountedSend {
    return { key: identifier, limit: SENDS_PER_PHONE }
  }

  #address(call: OtpCall): CountedSend {
    const name = createHmac('sha256', this.#parts.addressKey).update(call.remoteAddress).digest('base64url').slice(0, 22)
    return { key: `address:${name}`, limit: SENDS_PER_ADDRESS }
  }
}

/** Of an outcome of StartOtp. */
export function challengeIdOf({ body }: Outcome): string {
  return (JSON.parse(body) as { challenge_id: string }).challenge_id
}

export const OTP_EXPIRES_IN_S = OTP_LIFETIME_MS / 1000
export const OTP_RESEND_IN_S = OTP_RESEND_MS / 1000

/** What an outcome of VerifyOtp other than 200 is answered with. */
export function answerRefusal(call: Pick<Call, 'answerAs'>, { status, body }: Outcome, waitS: number = OTP_RESEND_IN_S): void {
  const mayComeBack = status === 429 || status === 503
  call.answerAs(status, body === '' ? errorBody('internal_error') : body, mayComeBack ? [['Retry-After', String(waitS)]] : [])
}
