// What one command leaves behind: the unit of the log. Replay needs nothing else.
import type { OutcomeKind } from '../contract/outcome-kind.ts'
import type { Amount } from '../kernel/amount.ts'
import { assert } from '../kernel/assert.ts'
import type { ByteWriter } from '../kernel/byte-writer.ts'
import type { Environment } from '../kernel/environment.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AccountNumber, Transaction } from '../ledger/transaction.ts'
import type { Frame } from './stream/stream-state.ts'

/** What happened, in the past tense. `type` and `version` choose the evolve function; a released pair never changes. */
export interface StoredEvent {
  readonly type: string
  readonly version: number
  /** The account whose lists contain the event. */
  readonly account: AccountNumber
  /** JSON text of the payload. Most payloads are rarely parsed, so they stay text until then. */
  readonly text: string
  /** The payload where it is parsed, else null. Read it by `payloadOf`: old versions have another shape. */
  payload: object | null
  /** What the log keeps in the place of `text`, where that is less (see `PackedForm` in noun-module.ts). Empty: another event of the record carries this one. */
  readonly packed?: string
}

/** An event of this process that writes its text without making it. */
export interface WrittenEvent extends StoredEvent {
  writeText(out: ByteWriter): void
}

export function isWritten(event: StoredEvent): event is WrittenEvent {
  return 'writeText' in event
}

/** What an API key paid by the record. */
export interface KeySpend {
  readonly keyId: string
  readonly amount: Amount
}

/** The result that a key stands for, for ever. */
export interface IdempotencyEntry {
  /** Whose key: the account number of a merchant or wallet in its environment, `operator`, or `web:` and the account that pays on the web. */
  readonly scope: string
  readonly key: string
  /** Hash of method, path with query, and body. */
  readonly fingerprint: string
  readonly kind: OutcomeKind
  /**
   * The body to answer byte for byte: its own text, or the index of the event whose document it is (see documents.ts). Where a
   * secret belongs to the answer, its sealed text stands in front (`withSealed`).
   */
  readonly body: string | number
}

export interface LogRecord {
  readonly sequence: number
  readonly timeMs: TimeMs
  /** The command's name, for people who read the log. */
  readonly command: string
  readonly environment: Environment
  readonly transactions: readonly Transaction[]
  readonly events: readonly StoredEvent[]
  /** What the streams of the wallets concerned carry of it. */
  readonly frames: readonly Frame[]
  readonly idempotency: IdempotencyEntry | null
  /** The API key that paid its payouts, and what. Absent or null: no key did. */
  readonly spend?: KeySpend | null
}

/** Parses the payload once. Its shape is that of the newest version of the event's type, whichever version was written. */
export function payloadOf<Payload extends object>(event: StoredEvent): Payload {
  event.payload ??= JSON.parse(event.text) as object
  return event.payload as Payload
}

/** JSON text of the payload in the shape of the newest version. */
export function textOf(event: StoredEvent): string {
  return event instanceof UpcastEvent ? event.newestText : event.text
}

/** The event as its version was released: for appliers, and for what is repeated byte for byte. */
export function storedForm(event: StoredEvent): StoredEvent {
  return event instanceof UpcastEvent ? event.stored : event
}

/** An event of an old version, read in the shape of the newest one. Its own type and version stay what they are. */
export class UpcastEvent implements StoredEvent {
  readonly stored: StoredEvent
  readonly #upcast: (payload: never) => object
  #payload: object | null = null

  constructor(stored: StoredEvent, upcast: (payload: never) => object) {
    this.stored = stored
    this.#upcast = upcast
  }

  get type(): string {
    return this.stored.type
  }

  get version(): number {
    return this.stored.version
  }

  get account(): AccountNumber {
    return this.stored.account
  }

  get text(): string {
    return this.stored.text
  }

  get packed(): string {
    return this.stored.packed ?? this.stored.text
  }

  get payload(): object {
    this.#payload ??= this.#upcast(payloadOf(this.stored) as never)
    return this.#payload
  }

  get newestText(): string {
    return JSON.stringify(this.payload)
  }
}

const SEALED = 'sealed:'

/** Body of an idempotency entry: the sealed secret, a space, the outcome's own text. JSON text never begins like that. */
export function withSealed(sealed: string, body: string): string {
  assert(sealed.startsWith(SEALED) && !sealed.includes(' '), 'a secret is stored sealed')
  return `${sealed} ${body}`
}

/** The two parts of a body that `withSealed` made; `sealed` is null in every other body. */
export function splitSealed(text: string): { readonly sealed: string | null; readonly body: string } {
  if (!text.startsWith(SEALED)) return { sealed: null, body: text }
  const end = text.indexOf(' ')
  return { sealed: text.slice(0, end), body: text.slice(end + 1) }
}
