// Push notifications for received money and mandate requests: which frames of a record are pushed, and their content. A
// push is derived from its record, so a payment writes nothing for it.
import {
  type AccountNumber,
  type AppliedPosting,
  type EngineApi,
  type Frame,
  type LimitNear,
  type LogRecord,
  type MandateVersion,
  type ProblemAnswered,
  payloadOf,
  type Transaction,
} from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { type Environment, environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { rfc3339 } from '../../../engine/kernel/time.ts'
import { CallLimit } from '../../server/call-limit.ts'
import { PUSH_COUNTS_MAX, REQUEST_PUSHES_OF_MERCHANT_PER_HOUR, REQUEST_PUSHES_PER_HOUR } from '../../server/server-limits.ts'
import { DEFAULT_LANGUAGE, type Language } from '../../text/language.ts'
import { requestedText } from './mandate-text.ts'
import { nameInMessages } from './merchant-name.ts'
import {
  answeredText,
  depositedText,
  type Message,
  nearLimitText,
  type PushMessage,
  type PushText,
  receivedText,
  refundedText,
} from './message.ts'

type PushEngine = Pick<EngineApi, 'query'>

const REQUEST_LIMIT = { windowMs: 3_600_000, keysMax: PUSH_COUNTS_MAX }

/** A push of a record: the frame that it is about, by its index among the record's frames. */
export interface PlannedPush {
  readonly id: string
  readonly environment: Environment
  readonly frameIndex: number
}

/** Chooses the pushes of records, which are derived from the records' frames. */
export class PushSelection {
  readonly #engine: PushEngine
  /**
   * Limits of mandate requests by merchant and wallet, and by wallet, because any merchant may send requests to any
   * wallet.
   */
  readonly #requestsOfPair = new CallLimit<string>(REQUEST_PUSHES_OF_MERCHANT_PER_HOUR, REQUEST_LIMIT)
  readonly #requestsToWallet = new CallLimit<AccountNumber>(REQUEST_PUSHES_PER_HOUR, REQUEST_LIMIT)
  readonly #mayLackDevice: boolean

  /** `all`: also wallets without a device, for the development inbox. */
  constructor(engine: PushEngine, audience: 'devices' | 'all') {
    this.#engine = engine
    this.#mayLackDevice = audience === 'all'
  }

  /** Returns the pushes of a durable record: 30 000 records a second under load, so it reads live state only. */
  of(record: LogRecord): readonly PlannedPush[] {
    const { frames } = record
    let pushes: PlannedPush[] | null = null
    for (let index = 0; index < frames.length; index++) {
      const frame = frames[index] as Frame
      if (!this.#isPushed(record, frame)) continue
      const wallet = this.#engine.query('wallets.byAccount', { account: frame.account })
      if (wallet === null) continue
      pushes ??= []
      pushes.push({ id: `${wallet.id}:${frame.id}`, environment: environmentOfPhone(wallet.phone), frameIndex: index })
    }
    return pushes ?? NOTHING
  }

  #isPushed(record: LogRecord, frame: Frame): boolean {
    if (noticeOf(frame) === null) return false
    if (!this.#mayLackDevice && !this.#engine.query('devices.has', { account: frame.account })) return false
    return frame.type !== 'mandate.requested' || this.#mayRequest(record, frame)
  }

  /** Returns whether a request is pushed. Beyond the limits it is in the app's list and stream only. */
  #mayRequest({ events, timeMs }: LogRecord, { account, eventIndex }: Frame): boolean {
    if (this.#requestsOfPair.take(`${events[eventIndex]?.account}:${account}`, timeMs) > 0) return false
    return this.#requestsToWallet.take(account, timeMs) === 0
  }
}

const NOTHING: readonly PlannedPush[] = []

/** Returns the push of a record's frame, with the wallet's devices of now. */
export function pushMessage(engine: PushEngine, record: LogRecord, frameIndex: number): PushMessage {
  const frame = record.frames[frameIndex]
  assert(frame !== undefined, 'a push is about a frame of its record')
  const wallet = engine.query('wallets.byAccount', { account: frame.account })
  assert(wallet !== null, 'a push is for a wallet')
  const devices = engine.query('devices.forPush', { account: wallet.account })
  const notice = noticeOf(frame)
  assert(notice !== null, 'a push is about a frame that is pushed')
  const language = languageFor(devices.flatMap((device) => device.language ?? []))
  return {
    id: `${wallet.id}:${frame.id}`,
    channel: 'push',
    environment: environmentOfPhone(wallet.phone),
    phone: wallet.phone,
    ...notice(engine, record, frame, language),
    devices: devices.map(({ id }) => id),
    push_tokens: devices.flatMap(({ id, push }) => (push === null ? [] : [{ device_id: id, ...push }])),
    created_at: rfc3339(record.timeMs),
  }
}

/** Builds the text of a push from a frame. */
type Notice = (engine: PushEngine, record: LogRecord, frame: Frame, language: Language) => Pick<Message, 'title' | 'text' | 'data'>

/** Returns null for a frame that is not pushed. */
function noticeOf({ type }: Frame): Notice | null {
  if (type === 'payment.received') return received
  if (type === 'mandate.requested') return requested
  if (type === 'problem.answered') return answered
  return type === 'limit.near' ? nearLimit : null
}

/** A push goes to all devices of its wallet: it is in English where every app that sent a token prefers it. */
function languageFor(languages: readonly Language[]): Language {
  return languages.length > 0 && languages.every((language) => language === 'en') ? 'en' : DEFAULT_LANGUAGE
}

function received(engine: PushEngine, record: LogRecord, frame: Frame, language: Language): ReturnType<Notice> {
  const { transaction, posting } = incoming(record, frame)
  return {
    ...paymentText(engine, transaction, posting, language),
    data: { type: frame.type, transaction_id: transaction.id },
  }
}

function requested(engine: PushEngine, record: LogRecord, frame: Frame, language: Language): ReturnType<Notice> {
  const asked = record.events[frame.eventIndex]
  assert(asked !== undefined, 'a frame is about an event of its record')
  const { mandate } = payloadOf<MandateVersion>(asked)
  const text = requestedText(mandate, nameInMessages(engine, asked.account), language)
  return { ...text, data: { type: frame.type, mandate_id: mandate.id } }
}

function answered(engine: PushEngine, record: LogRecord, frame: Frame, language: Language): ReturnType<Notice> {
  const event = record.events[frame.eventIndex]
  assert(event !== undefined, 'a frame is about an event of its record')
  const { id, transaction_id } = payloadOf<ProblemAnswered>(event)
  const text = answeredText(nameInMessages(engine, event.account), language)
  return { ...text, data: { type: frame.type, problem_id: id, transaction_id } }
}

function nearLimit(_engine: PushEngine, record: LogRecord, frame: Frame, language: Language): ReturnType<Notice> {
  const event = record.events[frame.eventIndex]
  assert(event !== undefined, 'a frame is about an event of its record')
  const { limit, left, currency } = payloadOf<LimitNear>(event)
  return { ...nearLimitText(limit, { amount: left, currency }, language), data: { type: frame.type, limit } }
}

/** Returns the posting that credits the frame's account. */
function incoming(record: LogRecord, frame: Frame): { readonly transaction: Transaction; readonly posting: AppliedPosting } {
  for (const transaction of record.transactions) {
    if (transaction.eventIndex !== frame.eventIndex) continue
    const posting = transaction.postings.find(({ credit }) => credit === frame.account)
    if (posting !== undefined) return { transaction, posting }
  }
  throw new Error(`record ${record.sequence} pays nothing to account ${frame.account}`)
}

/** Returns the text for the kind of movement. */
function paymentText(
  engine: PushEngine,
  { type, currency }: Pick<Transaction, 'type' | 'currency'>,
  posting: AppliedPosting,
  language: Language,
): PushText {
  const { amount, creditBalance } = posting
  const sum = { amount, currency }
  if (type === 'deposit') return depositedText(sum, creditBalance, language)
  if (type === 'refund') return refundedText(sum, senderText(engine, posting, REFUNDED_BY[language]), creditBalance, language)
  return receivedText(sum, senderText(engine, posting, SENT_FROM[language]), creditBalance, language)
}

/** The word before the sender, and the whole for a merchant whose name is not plain. */
interface Relation {
  readonly before: string
  readonly merchant: string
}

const SENT_FROM: Readonly<Record<Language, Relation>> = {
  fr: { before: 'de', merchant: 'd’un marchand' },
  en: { before: 'from', merchant: 'from a merchant' },
}
const REFUNDED_BY: Readonly<Record<Language, Relation>> = {
  fr: { before: 'par', merchant: 'par un marchand' },
  en: { before: 'by', merchant: 'by a merchant' },
}

/** Returns the sender as it follows the amount; empty for external money. */
function senderText(engine: PushEngine, { debit }: AppliedPosting, { before, merchant }: Relation): string {
  const wallet = engine.query('wallets.byAccount', { account: debit })
  if (wallet !== null) return `${before} @${wallet.tag}`
  if (engine.query('merchants.byAccount', { account: debit }) === null) return ''
  const name = nameInMessages(engine, debit)
  return name === null ? merchant : `${before} ${name}`
}
