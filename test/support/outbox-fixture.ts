// An outbox on an engine fixture: loop and clock move only when the test moves them, and the gateways answer what the test says.
import assert from 'node:assert/strict'
import type { MessageChannel } from '../../engine/api.ts'
import { Seal } from '../../http/crypto/seal.ts'
import type { GatewayAnswer } from '../../http/workers/gateways/gateway.ts'
import type { Inbox } from '../../http/workers/gateways/inbox.ts'
import type { OutgoingMessage } from '../../http/workers/gateways/message.ts'
import { Outbox } from '../../http/workers/gateways/outbox.ts'
import { sealText } from '../../http/workers/gateways/sms.ts'
import { EngineFixture, type EngineFixtureParts } from './engine-fixture.ts'
import { LIVE_PHONE, startOtp } from './wallet-engine.ts'

export interface GatewayCall {
  readonly message: OutgoingMessage
  readonly attempt: number
  answer(answer: GatewayAnswer): void
}

export function answeredBy(httpStatus: number, more: Partial<GatewayAnswer> = {}): GatewayAnswer {
  return { httpStatus, error: null, durationMs: 5, retryAfterMs: null, ...more }
}

export const NO_ANSWER: GatewayAnswer = { httpStatus: null, error: 'timeout', durationMs: 10_000, retryAfterMs: null }

interface OutboxOptions {
  /** Channels with a gateway; all of them when absent. */
  readonly channels?: readonly MessageChannel[]
  readonly inbox?: Inbox
  readonly engine?: EngineFixtureParts
}

export class OutboxFixture {
  readonly fixture: EngineFixture
  readonly seal = new Seal(new Uint8Array(32).fill(7))
  /** Every call so far. */
  readonly calls: GatewayCall[] = []
  /** Calls that have no answer yet, unless `answering` answers at once. */
  readonly held: GatewayCall[] = []
  readonly givenUp: string[] = []
  readonly bugs: unknown[] = []
  answering: ((message: OutgoingMessage) => GatewayAnswer) | null = () => answeredBy(202)
  canWrite = true
  outbox: Outbox
  #recordsSeen: number
  readonly #options: OutboxOptions

  private constructor(fixture: EngineFixture, options: OutboxOptions) {
    this.fixture = fixture
    this.#options = options
    this.#recordsSeen = fixture.records.length
    this.outbox = this.#newOutbox()
    this.outbox.start()
  }

  static async open(options: OutboxOptions = {}, prepare: (fixture: EngineFixture) => void = () => {}): Promise<OutboxFixture> {
    const fixture = await EngineFixture.open(options.engine)
    prepare(fixture)
    return new OutboxFixture(fixture, options)
  }

  /** Ids of the messages of all calls, in order. */
  get sent(): string[] {
    return this.calls.map(({ message }) => message.id)
  }

  /** A code to the phone; returns the id of its message. */
  sendCode(phone = LIVE_PHONE, text = 'Votre code : 123456'): string {
    const before = new Set([...this.fixture.state.messages.open.values()].map(({ id }) => id))
    const { kind } = this.fixture.do(startOtp(phone, 'login', { message: sealText(this.seal, phone, text) }))
    assert.equal(kind, 'ok')
    const fresh = [...this.fixture.state.messages.open.values()].filter(({ id }) => !before.has(id))
    assert.equal(fresh.length, 1)
    return fresh[0]?.id ?? ''
  }

  /** Lets everything through that waits now: turns, disk, calls that are answered, and what that brings. */
  async settle(): Promise<void> {
    const { fixture } = this
    for (let quiet = 0; quiet < 3; ) {
      fixture.settle()
      const fresh = fixture.records.slice(this.#recordsSeen)
      this.#recordsSeen = fixture.records.length
      for (const record of fresh) this.outbox.record(record)
      fixture.loop.advance(1)
      await new Promise((resolve) => setImmediate(resolve))
      quiet = fresh.length === 0 && fixture.loop.soonCount === 0 ? quiet + 1 : 0
    }
    // Results of pushes are gathered for some milliseconds.
    fixture.loop.advance(20)
    fixture.settle()
    if (fixture.records.length > this.#recordsSeen) return this.settle()
    assert.deepEqual(this.bugs, [])
    assert.deepEqual(fixture.fatals, [])
  }

  async advance(byMs: number): Promise<void> {
    this.fixture.loop.advance(byMs)
    await this.settle()
  }

  /** Answers the oldest call that is held. */
  async answer(answer: GatewayAnswer): Promise<void> {
    const held = this.held.shift()
    assert.ok(held !== undefined, 'a call is held')
    held.answer(answer)
    await this.settle()
  }

  /** The process dies and starts again: what is under way is lost. */
  async restart(): Promise<void> {
    this.held.length = 0
    await this.fixture.start()
    this.#recordsSeen = this.fixture.records.length
    this.outbox = this.#newOutbox()
    this.outbox.start()
    await this.settle()
  }

  #newOutbox(): Outbox {
    const { fixture, seal } = this
    const { channels = ['sms', 'push', 'email'], inbox = null } = this.#options
    const gatewayOf = (channel: MessageChannel) =>
      channels.includes(channel) ? { send: (message: OutgoingMessage, attempt: number) => this.#call(message, attempt) } : null
    return new Outbox({
      engine: fixture.engine,
      seal,
      gateways: { sms: gatewayOf('sms'), push: gatewayOf('push'), email: gatewayOf('email') },
      inbox,
      baseUrl: () => 'https://cauri.example',
      canWrite: () => this.canWrite,
      clock: fixture.loop,
      scheduler: fixture.loop,
      random: () => 0.5,
      onGiveUp: ({ id, reason }) => this.givenUp.push(`${id}: ${reason}`),
      onBug: (error) => this.bugs.push(error),
    })
  }

  #call(message: OutgoingMessage, attempt: number): Promise<GatewayAnswer> {
    const { answering } = this
    const call: GatewayCall = { message, attempt, answer: () => {} }
    this.calls.push(call)
    if (answering !== null) return Promise.resolve(answering(message))
    return new Promise((resolve) => this.held.push({ ...call, answer: resolve }))
  }
}
