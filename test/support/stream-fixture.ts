// Streams on an engine fixture: a real engine whose disk and clock move when the test says so, and readers that take what they
// are given for as long as they want to.
import assert from 'node:assert/strict'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { StreamHub } from '../../http/api/stream/wallet-hub.ts'
import type { OpenStream, StreamListener } from '../../http/server/route.ts'
import { deposit, openMerchant, payout } from './commands.ts'
import { EngineFixture, START_MS } from './engine-fixture.ts'
import { signUp } from './wallet-engine.ts'

export const HOUR_MS = 3_600_000
export const PHONE = '+2250000099001'

export interface SeenFrame {
  /** Of the frame; the one inside its data is the same, or `read` fails. */
  readonly id: number
  readonly event: string
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The other end of a stream: what arrived, and whether it takes more. */
export class Reader implements OpenStream {
  text = ''
  /** False: nothing more leaves towards it, as when its window is full. */
  takes = true
  ended: 'end' | 'cut' | null = null
  listener: StreamListener | null = null

  write(text: string): boolean {
    assert.equal(this.ended, null, 'nothing is written after the end')
    this.text += text
    return this.takes
  }

  end(): void {
    this.ended = 'end'
  }

  cut(): void {
    this.ended = 'cut'
  }

  drain(): void {
    this.takes = true
    this.listener?.onWritable()
  }

  get frames(): SeenFrame[] {
    return readFrames(this.text)
  }

  get ids(): number[] {
    return this.frames.map(({ id }) => id)
  }

  get beats(): number {
    return this.text.split(': heartbeat\n\n').length - 1
  }
}

/** Whole frames of a stream's text (HTML, section 9.2.6), comments left out. */
export function readFrames(text: string): SeenFrame[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .filter((block) => block.startsWith('id: '))
    .map((block) => {
      const [, id, event, json] = /^id: ([0-9]+)\nevent: ([a-z_.]+)\ndata: ([^\r\n]+)$/.exec(block) ?? []
      const { data, created_at, ...head } = JSON.parse(String(json)) as { data: SeenFrame['data']; created_at: string }
      assert.deepEqual(head, { id: Number(id), type: event }, block)
      return { id: Number(id), event: String(event), created_at, data }
    })
}

/** A merchant who pays, the wallet `awa` that listens, and a hub on the engine's durable records. */
export class StreamFixture {
  readonly fixture: EngineFixture
  readonly merchant: AccountNumber
  readonly awa: AccountNumber
  readonly failures: unknown[] = []
  hub: StreamHub
  #recordsSeen = 0

  private constructor(fixture: EngineFixture, merchant: AccountNumber, awa: AccountNumber) {
    this.fixture = fixture
    this.merchant = merchant
    this.awa = awa
    this.hub = this.#newHub()
    this.#recordsSeen = fixture.records.length
  }

  static async open(): Promise<StreamFixture> {
    const fixture = await EngineFixture.open()
    const { test: merchant } = openMerchant(fixture, 'boutique', 1_000_000)
    return new StreamFixture(fixture, merchant, signUp(fixture, PHONE, 'awa'))
  }

  get sessionId(): string {
    return this.fixture.state.auth.devicesOf(this.awa)[0]?.session_id ?? ''
  }

  listen(lastEventId: number | null = null, more: { deviceId?: string; sessionId?: string; expiresAtMs?: number } = {}): Reader {
    const reader = new Reader()
    const { deviceId = 'one', sessionId = this.sessionId, expiresAtMs = START_MS + 1000 * HOUR_MS } = more
    const isOpen = this.hub.open({
      holder: { account: this.awa, deviceId, sessionId, expiresAtMs },
      lastEventId,
      open: (listener) => {
        reader.listener = listener
        return reader
      },
    })
    assert.ok(isOpen)
    return reader
  }

  /** Two frames each. */
  pay(times = 1): void {
    for (let time = 0; time < times; time++) assert.equal(this.fixture.do(payout(this.merchant, 'awa', 1, 'REF', 'un mot')).kind, 'created')
    // All at once, as from one flush.
    this.#hear()
  }

  /** Lets everything through that waits: turns, the disk, readings of the log. */
  async settle(): Promise<void> {
    for (let round = 0; round < 40; round++) {
      this.fixture.settle()
      this.#hear()
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.deepEqual([this.failures, this.fixture.fatals], [[], []])
  }

  advance(byMs: number): void {
    this.fixture.loop.advance(byMs)
  }

  deposit(amount: number): void {
    assert.equal(this.fixture.do(deposit({ tag: 'awa' }, amount)).kind, 'created')
    this.#hear()
  }

  /** The process dies and starts again: streams are gone, the log is not. */
  async restart(): Promise<void> {
    await this.fixture.start()
    this.#recordsSeen = this.fixture.records.length
    this.hub = this.#newHub()
  }

  /** What the engine says is durable by now reaches the hub. */
  #hear(): void {
    const fresh = this.fixture.records.slice(this.#recordsSeen)
    this.#recordsSeen = this.fixture.records.length
    for (const record of fresh) this.hub.record(record)
  }

  #newHub(): StreamHub {
    const { engine, loop } = this.fixture
    return new StreamHub({ engine, clock: loop, scheduler: loop, onFailure: (error) => this.failures.push(error) })
  }
}
