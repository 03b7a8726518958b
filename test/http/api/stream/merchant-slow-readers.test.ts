// Merchants' readers that take less than they are given: cut off at a maximum of text or of time, and resumed from the log.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { heldQuotas } from '../../../../http/api/operator/served-quotas.ts'
import { MerchantHub, type StreamRejection } from '../../../../http/api/stream/merchant-hub.ts'
import {
  MERCHANT_BEHIND_LENGTH_MAX,
  REPLAYS_PER_MERCHANT_MAX,
  STALLED_MAX_MS,
  STREAMS_PER_MERCHANT_MAX,
} from '../../../../http/api/stream/stream-limits.ts'
import { openMerchant, payout } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { PHONE, Reader } from '../../../support/stream-fixture.ts'
import { unpaced } from '../../../support/unpaced.ts'
import { signUp } from '../../../support/wallet-engine.ts'

before(unpaced)

const LONG_NOTE = 'n'.repeat(500)

/** A merchant who pays a wallet, and a hub on the engine's durable records. */
class Fixture {
  readonly failures: unknown[] = []
  readonly hub: MerchantHub
  readonly #engine: EngineFixture
  readonly #account: AccountNumber
  #recordsSeen: number
  isValid = true

  private constructor(engine: EngineFixture, account: AccountNumber) {
    this.#engine = engine
    this.#account = account
    this.#recordsSeen = engine.records.length
    const { loop } = engine
    this.hub = new MerchantHub({
      engine: engine.engine,
      clock: loop,
      scheduler: loop,
      quotas: heldQuotas(),
      onFailure: (error) => this.failures.push(error),
    })
  }

  static async open(): Promise<Fixture> {
    const engine = await EngineFixture.open()
    const { test } = openMerchant(engine, 'boutique', 1_000_000)
    signUp(engine, PHONE, 'awa')
    return new Fixture(engine, test)
  }

  listen(lastEventId: number | null = null, more: { readonly withChanges?: true } = {}): Reader {
    const reader = new Reader()
    assert.equal(this.tryListen(reader, lastEventId, more), null)
    return reader
  }

  /** Returns why the stream did not open. */
  tryListen(reader: Reader, lastEventId: number | null, more: { readonly withChanges?: true } = {}): StreamRejection | null {
    const open = (listener: NonNullable<Reader['listener']>): Reader => {
      reader.listener = listener
      return reader
    }
    return this.hub.open({ account: this.#account, isValid: () => this.isValid, lastEventId, ...more, open })
  }

  pay(note = 'un mot'): void {
    assert.equal(this.#engine.do(payout(this.#account, 'awa', 1, 'REF', note)).kind, 'created')
    const fresh = this.#engine.records.slice(this.#recordsSeen)
    this.#recordsSeen = this.#engine.records.length
    for (const record of fresh) this.hub.record(record)
  }

  advance(byMs: number): void {
    this.#engine.loop.advance(byMs)
  }

  /** Lets readings of the log go on until the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    for (let turn = 0; !condition(); turn++) {
      assert.ok(turn < 10_000, 'the reading of the log ends')
      this.#engine.settle()
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.deepEqual([this.failures, this.#engine.fatals], [[], []])
  }
}

/** Ids of the frames; the frames' own ids are the events'. */
const idsOf = ({ text }: Reader): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))

describe('slow readers of a merchant’s stream', () => {
  it('a reader that falls too far behind is cut off, and one beside it goes on', async () => {
    const at = await Fixture.open()
    const [slow, good] = [at.listen(), at.listen()]
    slow.takes = false
    let paid = 0
    while (slow.ended === null && paid < 10_000) {
      at.pay(LONG_NOTE)
      paid++
    }
    assert.equal(slow.ended, 'cut')
    assert.ok(slow.text.length < MERCHANT_BEHIND_LENGTH_MAX + 4000, String(slow.text.length))
    assert.equal(good.ended, null)
    assert.equal(idsOf(good).length, paid)
    const seen = idsOf(slow)
    const back = at.listen(seen.at(-1) ?? 0)
    at.pay()
    await at.until(() => idsOf(back).length >= paid + 1 - seen.length)
    assert.deepEqual([...seen, ...idsOf(back)], idsOf(good))
  })

  it('a reader that takes nothing for some seconds is cut off, one that was slow for less is not', async () => {
    const at = await Fixture.open()
    const [dead, slow] = [at.listen(), at.listen()]
    dead.takes = false
    slow.takes = false
    at.pay()
    at.advance(STALLED_MAX_MS - 1000)
    slow.drain()
    at.advance(2 * STALLED_MAX_MS)
    assert.deepEqual([dead.ended, slow.ended], ['cut', null])
    assert.ok(slow.beats > 0)
  })

  it('a reader that stalls while the log is read gets the rest in order once it takes more', async () => {
    const at = await Fixture.open()
    const good = at.listen()
    for (let count = 0; count < 40; count++) at.pay()
    const slow = new Reader()
    slow.takes = false
    assert.equal(at.tryListen(slow, 0), null)
    await at.until(() => idsOf(slow).length > 0)
    at.pay()
    for (let round = 0; round < 5; round++) {
      const before = idsOf(slow).length
      slow.listener?.onWritable()
      await at.until(() => idsOf(slow).length > before)
    }
    slow.drain()
    await at.until(() => idsOf(slow).length >= 41)
    assert.deepEqual(idsOf(slow), idsOf(good))
  })

  it('one replay more than the maximum is rejected, and a reader that has missed little needs none', async () => {
    const at = await Fixture.open()
    const good = at.listen()
    for (let count = 0; count < 200; count++) at.pay()
    const replays = Array.from({ length: REPLAYS_PER_MERCHANT_MAX }, () => {
      const reader = new Reader()
      reader.takes = false
      assert.equal(at.tryListen(reader, 0), null)
      return reader
    })
    const refused = new Reader()
    assert.equal(at.tryListen(refused, 0), 'quota_exceeded')
    assert.equal(refused.listener, null)
    const late = at.listen(idsOf(good).at(-3) ?? 0)
    assert.equal(idsOf(late).length, 2)
    for (const reader of replays) reader.drain()
    await at.until(() => replays.every((reader) => idsOf(reader).length >= 200))
    assert.deepEqual(idsOf(replays[0] as Reader), idsOf(good))
    const again = at.listen(0)
    at.pay()
    await at.until(() => idsOf(again).length >= 201)
    assert.deepEqual([idsOf(again), idsOf(late)], [idsOf(good), idsOf(good).slice(-3)])
  })

  it('the stream of a page has the names of changes, each once when it takes text again, and no other stream has them', async () => {
    const at = await Fixture.open()
    const [page, other] = [at.listen(null, { withChanges: true }), at.listen()]
    const changes = (): number => page.text.split('event: balance.changed\ndata: 1\n\n').length - 1
    at.pay()
    assert.equal(changes(), 1)
    page.takes = false
    at.pay()
    at.pay()
    assert.equal(changes(), 1)
    page.drain()
    assert.equal(changes(), 2)
    assert.doesNotMatch(other.text, /changed/)
    page.listener?.onClosed()
    at.pay()
    assert.equal(idsOf(other).length, 4)
  })

  it('a heartbeat ends the stream of a session that is over', async () => {
    const at = await Fixture.open()
    const reader = at.listen()
    at.isValid = false
    at.advance(2 * STALLED_MAX_MS)
    assert.equal(reader.ended, 'end')
  })

  it('one stream more than the maximum ends the oldest', async () => {
    const at = await Fixture.open()
    const readers = Array.from({ length: STREAMS_PER_MERCHANT_MAX + 1 }, () => at.listen())
    assert.deepEqual(
      readers.map(({ ended }) => ended),
      ['end', ...Array.from({ length: STREAMS_PER_MERCHANT_MAX }, () => null)],
    )
    at.hub.close()
    assert.ok(readers.every(({ ended }) => ended === 'end'))
  })
})
