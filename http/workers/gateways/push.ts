// Push notifications for whoever receives money, or is asked for a mandate: made from durable records, to the gateway of the settings or into the
// development inbox. A gateway hears only of wallets that have a device.
import type { MandateVersion } from '../../../engine/domain/mandate/mandate-state.ts'
import { type LogRecord, payloadOf } from '../../../engine/domain/record.ts'
import type { State } from '../../../engine/domain/state.ts'
import type { Frame } from '../../../engine/domain/stream/stream-state.ts'
import type { Wallet } from '../../../engine/domain/wallet/wallet-state.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { rfc3339 } from '../../../engine/kernel/time.ts'
import type { AccountNumber, AppliedPosting, Transaction } from '../../../engine/ledger/transaction.ts'
import { CallLimit } from '../../server/call-limit.ts'
import { PUSH_COUNTS_MAX, REQUEST_PUSHES_OF_MERCHANT_PER_HOUR, REQUEST_PUSHES_PER_HOUR } from '../../server/server-limits.ts'
import type { Gateway } from './gateway.ts'
import type { Inbox } from './inbox.ts'
import { requestedText } from './mandate-text.ts'
import { nameInMessages } from './merchant-name.ts'
import { type Message, receivedText } from './message.ts'

const REQUEST_LIMIT = { windowMs: 3_600_000, keysMax: PUSH_COUNTS_MAX }

export class PushNotices {
  readonly #state: State
  /** Null: the inbox, where there is one. */
  readonly #gateway: Gateway | null
  readonly #inbox: Inbox | null
  /** Mandate requests by merchant and wallet, and by wallet: any merchant may ask any wallet. */
  readonly #requestsOfPair = new CallLimit<string>(REQUEST_PUSHES_OF_MERCHANT_PER_HOUR, REQUEST_LIMIT)
  readonly #requestsToWallet = new CallLimit<AccountNumber>(REQUEST_PUSHES_PER_HOUR, REQUEST_LIMIT)

  constructor(state: State, gateway: Gateway | null, inbox: Inbox | null) {
    this.#state = state
    this.#gateway = gateway
    this.#inbox = inbox
  }

  /** Called for each durable record, in order: 30 000 a second under load, so it only looks at what is there. */
  record(record: LogRecord): void {
    for (const frame of record.frames) {
      if (frame.type === 'payment.received') this.#push(received, record, frame)
      else if (frame.type === 'mandate.requested' && this.#mayRequest(record, frame)) this.#push(requested, record, frame)
    }
  }

  /** Beyond these limits a request is in the app's list and on its stream, without a push. */
  #mayRequest({ events, timeMs }: LogRecord, { account, eventIndex }: Frame): boolean {
    if (this.#requestsOfPair.take(`${events[eventIndex]?.account}:${account}`, timeMs) > 0) return false
    return this.#requestsToWallet.take(account, timeMs) === 0
  }

  #push(notice: Notice, record: LogRecord, frame: Frame): void {
    const wallet = this.#state.wallets.byAccount(frame.account)
    if (wallet === undefined) return
    if (this.#gateway === null) this.#inbox?.add(() => messageOf(this.#state, wallet, record, frame, notice))
    else if (this.#state.auth.hasDevices(frame.account)) this.#gateway.send(messageOf(this.#state, wallet, record, frame, notice))
  }
}

/** What is told of a frame. */
type Notice = (state: State, record: LogRecord, frame: Frame) => Pick<Message, 'title' | 'text' | 'data'>

function received(state: State, record: LogRecord, frame: Frame): ReturnType<Notice> {
  const { transaction, posting } = incoming(record, frame)
  return {
    ...receivedText(posting.amount, senderText(state, posting), posting.creditBalance),
    data: { type: frame.type, transaction_id: transaction.id },
  }
}

function requested(state: State, record: LogRecord, frame: Frame): ReturnType<Notice> {
  const asked = record.events[frame.eventIndex]
  assert(asked !== undefined, 'a frame is about an event of its record')
  const { mandate } = payloadOf<MandateVersion>(asked)
  return { ...requestedText(mandate, nameInMessages(state, asked.account)), data: { type: frame.type, mandate_id: mandate.id } }
}

function messageOf(state: State, wallet: Wallet, record: LogRecord, frame: Frame, notice: Notice): Message {
  return {
    id: `${wallet.id}:${frame.id}`,
    channel: 'push',
    environment: environmentOfPhone(wallet.phone),
    phone: wallet.phone,
    ...notice(state, record, frame),
    devices: state.auth.devicesOf(wallet.account).map((device) => device.id),
    created_at: rfc3339(record.timeMs),
  }
}

/** The posting that the frame tells of: the one of its event that credits its account. */
function incoming(record: LogRecord, frame: Frame): { readonly transaction: Transaction; readonly posting: AppliedPosting } {
  for (const transaction of record.transactions) {
    if (transaction.eventIndex !== frame.eventIndex) continue
    const posting = transaction.postings.find(({ credit }) => credit === frame.account)
    if (posting !== undefined) return { transaction, posting }
  }
  throw new Error(`record ${record.sequence} pays nothing to account ${frame.account}`)
}

/** As it follows the amount in the text; empty for money that came from outside. */
function senderText(state: State, { debit }: AppliedPosting): string {
  const wallet = state.wallets.byAccount(debit)
  if (wallet !== undefined) return `de @${wallet.tag}`
  if (state.merchants.byAccount(debit) === undefined) return ''
  const name = nameInMessages(state, debit)
  return name === null ? 'd’un marchand' : `de ${name}`
}
