// Push notifications for received money and mandate requests. They are made from durable records and sent to the
// gateway, or stored in the development inbox. The gateway gets messages only for wallets with a device.
import {
  type AccountNumber,
  type AppliedPosting,
  type EngineApi,
  type Frame,
  type LogRecord,
  type MandateVersion,
  payloadOf,
  type Transaction,
  type Wallet,
} from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { rfc3339 } from '../../../engine/kernel/time.ts'
import { CallLimit } from '../../server/call-limit.ts'
import { PUSH_COUNTS_MAX, REQUEST_PUSHES_OF_MERCHANT_PER_HOUR, REQUEST_PUSHES_PER_HOUR } from '../../server/server-limits.ts'
import type { Gateway } from './gateway.ts'
import type { Inbox } from './inbox.ts'
import { requestedText } from './mandate-text.ts'
import { nameInMessages } from './merchant-name.ts'
import { type Message, receivedText } from './message.ts'

type PushEngine = Pick<EngineApi, 'query'>

const REQUEST_LIMIT = { windowMs: 3_600_000, keysMax: PUSH_COUNTS_MAX }

export class PushNotices {
  readonly #engine: PushEngine
  /** Null: messages go to the inbox, if there is one. */
  readonly #gateway: Gateway | null
  readonly #inbox: Inbox | null
  /**
   * Limits of mandate requests by merchant and wallet, and by wallet, because any merchant may send requests to any
   * wallet.
   */
  readonly #requestsOfPair = new CallLimit<string>(REQUEST_PUSHES_OF_MERCHANT_PER_HOUR, REQUEST_LIMIT)
  readonly #requestsToWallet = new CallLimit<AccountNumber>(REQUEST_PUSHES_PER_HOUR, REQUEST_LIMIT)

  constructor(engine: PushEngine, gateway: Gateway | null, inbox: Inbox | null) {
    this.#engine = engine
    this.#gateway = gateway
    this.#inbox = inbox
  }

  /** Receives each durable record in order: 30 000 a second under load, so it reads live state only. */
  record(record: LogRecord): void {
    for (const frame of record.frames) {
      if (frame.type === 'payment.received') this.#push(received, record, frame)
      else if (frame.type === 'mandate.requested' && this.#mayRequest(record, frame)) this.#push(requested, record, frame)
    }
  }

  /** Returns whether a request is pushed. Beyond the limits it is in the app's list and stream only. */
  #mayRequest({ events, timeMs }: LogRecord, { account, eventIndex }: Frame): boolean {
    if (this.#requestsOfPair.take(`${events[eventIndex]?.account}:${account}`, timeMs) > 0) return false
    return this.#requestsToWallet.take(account, timeMs) === 0
  }

  #push(notice: Notice, record: LogRecord, frame: Frame): void {
    const engine = this.#engine
    const wallet = engine.query('wallets.byAccount', { account: frame.account })
    if (wallet === null) return
    if (this.#gateway === null) this.#inbox?.add(() => messageOf(engine, { wallet, record, frame }, notice, devicesOf(engine, wallet)))
    else {
      const devices = devicesOf(engine, wallet)
      if (devices.length > 0) this.#gateway.send(messageOf(engine, { wallet, record, frame }, notice, devices))
    }
  }
}

/** Builds the text of a push from a frame. */
type Notice = (engine: PushEngine, record: LogRecord, frame: Frame) => Pick<Message, 'title' | 'text' | 'data'>

function received(engine: PushEngine, record: LogRecord, frame: Frame): ReturnType<Notice> {
  const { transaction, posting } = incoming(record, frame)
  return {
    ...receivedText(posting.amount, senderText(engine, posting), posting.creditBalance),
    data: { type: frame.type, transaction_id: transaction.id },
  }
}

function requested(engine: PushEngine, record: LogRecord, frame: Frame): ReturnType<Notice> {
  const asked = record.events[frame.eventIndex]
  assert(asked !== undefined, 'a frame is about an event of its record')
  const { mandate } = payloadOf<MandateVersion>(asked)
  return { ...requestedText(mandate, nameInMessages(engine, asked.account)), data: { type: frame.type, mandate_id: mandate.id } }
}

interface Reported {
  readonly wallet: Wallet
  readonly record: LogRecord
  readonly frame: Frame
}

function devicesOf(engine: PushEngine, wallet: Wallet): string[] {
  return engine.query('devices.idsOf', { account: wallet.account })
}

function messageOf(engine: PushEngine, { wallet, record, frame }: Reported, notice: Notice, devices: readonly string[]): Message {
  return {
    id: `${wallet.id}:${frame.id}`,
    channel: 'push',
    environment: environmentOfPhone(wallet.phone),
    phone: wallet.phone,
    ...notice(engine, record, frame),
    devices,
    created_at: rfc3339(record.timeMs),
  }
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

/** Returns the sender as it follows the amount; empty for external money. */
function senderText(engine: PushEngine, { debit }: AppliedPosting): string {
  const wallet = engine.query('wallets.byAccount', { account: debit })
  if (wallet !== null) return `de @${wallet.tag}`
  if (engine.query('merchants.byAccount', { account: debit }) === null) return ''
  const name = nameInMessages(engine, debit)
  return name === null ? 'd’un marchand' : `de ${name}`
}
