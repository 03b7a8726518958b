// Mandates in the engine: who may move them where, what they collect and when, and what they never do.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { BatchToAppend } from '../../../../engine/actor/ports.ts'
import { MANDATE_STATES } from '../../../../engine/contract/mandate.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { PENDING_PER_CUSTOMER_MAX } from '../../../../engine/domain/mandate/mandate-limits.ts'
import type { MandateState } from '../../../../engine/domain/mandate/mandate-state.ts'
import { mayMove } from '../../../../engine/domain/mandate/mandate-versions.ts'
import { nextOccurrence } from '../../../../engine/kernel/calendar.ts'
import { MemoryLog } from '../../../../wal/log/memory-log.ts'
import { openMerchant, openWallet } from '../../../support/commands.ts'
import { DAY_MS, MandateFixture } from '../../../support/mandate-engine.ts'

const at = (ms: number): string => new Date(ms).toISOString()
const monthAfter = (startMs: number, afterMs = startMs): number => nextOccurrence(startMs, 'monthly', afterMs) as number

describe('a mandate', () => {
  it('a mandate is pending until its customer approves, and sends the wallet a frame', async () => {
    const scene = await MandateFixture.open(1000)
    const mandate = scene.create()
    assert.deepEqual([mandate.state, mandate.next_charge_at, mandate.approved_at, mandate.payments_count], ['pending', null, null, 0])
    assert.deepEqual(scene.stage.records.at(-1)?.frames, [{ account: scene.awa, type: 'mandate.requested', eventIndex: 0, id: 3 }])
    scene.pass(DAY_MS)
    assert.deepEqual(scene.balances, [1000, 0])
  })

  it('a mandate expires without an answer for seven days, or at its own end before that', async () => {
    const scene = await MandateFixture.open(1000)
    const [long, short] = [scene.create(), scene.create({ endMs: scene.nowMs + 2 * DAY_MS })]
    scene.pass(2 * DAY_MS - 1)
    assert.equal(scene.read(short.id).state, 'pending')
    scene.pass(1)
    assert.deepEqual([scene.read(short.id).state, scene.read(long.id).state], ['expired', 'pending'])
    scene.pass(5 * DAY_MS)
    assert.equal(scene.read(long.id).state, 'expired')
    assert.equal(scene.stage.state.mandates.live.size, 0)
  })

  it('a mandate is refused without an amount, above its own maximum, with an end before its start, for an unknown customer', async () => {
    const scene = await MandateFixture.open(0)
    const rows: readonly (readonly [change: Parameters<MandateFixture['command']>[0], status: number, code: string])[] = [
      [{ amount: null }, 400, 'amount_required'],
      [{ amount: 101, maxAmount: 100 }, 400, 'amount_out_of_bounds'],
      [{ endMs: scene.nowMs }, 400, 'invalid_request'],
      [{ startMs: scene.nowMs + 5, endMs: scene.nowMs + 5 }, 400, 'invalid_request'],
      [{ customerTag: 'ghost' }, 404, 'customer_not_found'],
    ]
    for (const [change, ...then] of rows) assert.deepEqual(scene.ask(scene.command(change)), then)
  })
})

describe('requests of one merchant to one wallet', () => {
  it('requests of one merchant to one wallet wait twenty at most; an answer makes room, and others may still ask', async () => {
    const scene = await MandateFixture.open(1000)
    const refused = [429, 'rate_limited']
    const [first, second, third] = Array.from({ length: PENDING_PER_CUSTOMER_MAX }, () => scene.create())
    assert.deepEqual(scene.ask(scene.command()), refused)
    openWallet(scene.stage, 'kofi')
    scene.create({ customerTag: 'kofi' })
    const other = openMerchant(scene.stage, 'acacia')
    assert.equal(scene.stage.do(scene.command({ merchant: other.test })).kind, 'created')
    const answers: readonly Command[] = [
      { type: 'ApproveMandate', customer: scene.awa, id: first?.id ?? '', challengeId: null },
      { type: 'RejectMandate', customer: scene.awa, id: second?.id ?? '' },
      { type: 'CancelMandate', by: scene.merchant.test, id: third?.id ?? '' },
    ]
    for (const answer of answers) {
      assert.equal(scene.do(answer).status, 200)
      scene.create()
      assert.deepEqual(scene.ask(scene.command()), refused, answer.type)
    }
    scene.pass(7 * DAY_MS)
    scene.create()
  })
})

describe('collecting', () => {
  it('collecting begins with the approval, then every month on that day', async () => {
    const scene = await MandateFixture.open(1000)
    const startMs = scene.nowMs
    const { id, next_charge_at } = scene.approved()
    assert.equal(next_charge_at, at(startMs))
    scene.pass(0)
    const [payment] = scene.payments(id)
    assert.deepEqual(
      { ...payment, id: '', transaction_id: '' },
      {
        id: '',
        mandate_id: id,
        state: 'paid',
        amount: 100,
        currency: 'XOF',
        transaction_id: '',
        reference: 'ABO',
        environment: 'test',
        created_at: at(startMs),
      },
    )
    assert.deepEqual(scene.balances, [900, 100])
    const record = scene.stage.records.at(-1)
    assert.deepEqual([record?.transactions[0]?.type, record?.transactions[0]?.id], ['mandate', payment?.transaction_id])
    assert.deepEqual(
      record?.frames.map(({ account, type }) => [account, type]),
      [
        [scene.awa, 'payment.sent'],
        [scene.awa, 'balance.updated'],
      ],
    )
    assert.equal(scene.read(id).next_charge_at, at(monthAfter(startMs)))
    scene.pass(monthAfter(startMs) - startMs - 1)
    assert.equal(scene.payments(id).length, 1)
    scene.pass(1)
    assert.equal(scene.payments(id).length, 2)
    assert.deepEqual(scene.balances, [800, 200])
  })

  it('collecting begins at start_at when that is later', async () => {
    const scene = await MandateFixture.open(1000)
    const startMs = scene.nowMs + 10 * DAY_MS
    const { id, next_charge_at } = scene.approved({ startMs })
    assert.equal(next_charge_at, at(startMs))
    scene.pass(10 * DAY_MS - 1)
    assert.deepEqual(scene.payments(id), [])
    scene.pass(1)
    assert.equal(scene.payments(id).length, 1)
  })

  it('collecting ends with the last payment of max_payments, and with end_at', async () => {
    const scene = await MandateFixture.open(10_000)
    const counted = scene.approved({ maxPayments: 3, interval: 'weekly' })
    const ended = scene.approved({ endMs: scene.nowMs + 15 * DAY_MS, interval: 'weekly' })
    scene.pass(0)
    for (let week = 0; week < 5; week++) scene.pass(7 * DAY_MS)
    assert.deepEqual([scene.payments(counted.id).length, scene.payments(ended.id).length], [3, 3])
    assert.deepEqual([scene.read(counted.id).state, scene.read(ended.id).state], ['expired', 'expired'])
    assert.equal(scene.read(counted.id).payments_count, 3)
    assert.deepEqual(scene.balances, [9400, 600])
    assert.equal(scene.stage.state.timers.size, 0)
  })

  it('collecting from a short wallet is tried again on three next days, then pauses; the customer approves again and it goes on', async () => {
    const scene = await MandateFixture.open(50)
    const startMs = scene.nowMs
    const { id } = scene.approved()
    scene.pass(0)
    for (let day = 1; day <= 3; day++) {
      const { state, failed_attempts, next_charge_at } = scene.read(id)
      assert.deepEqual([state, failed_attempts, next_charge_at], ['active', day, at(startMs + day * DAY_MS)])
      scene.pass(DAY_MS)
    }
    const paused = scene.read(id)
    assert.deepEqual([paused.state, paused.failed_attempts, paused.next_charge_at], ['paused', 4, null])
    assert.deepEqual(
      scene.payments(id).map(({ state, failure_code }) => [state, failure_code]),
      Array.from({ length: 4 }, () => ['failed', 'insufficient_balance']),
    )
    scene.fill(1000)
    scene.pass(DAY_MS)
    assert.deepEqual(scene.balances, [1050, 0])
    assert.deepEqual(scene.ask({ type: 'ApproveMandate', customer: scene.awa, id, challengeId: null }), [200, 'active'])
    assert.equal(scene.read(id).next_charge_at, at(monthAfter(startMs)))
    scene.pass(monthAfter(startMs) - scene.nowMs)
    assert.deepEqual(scene.balances, [950, 100])
  })

  it('a retry that succeeds counts once, and the day of the month stays', async () => {
    const scene = await MandateFixture.open(50)
    const startMs = scene.nowMs
    const { id } = scene.approved()
    scene.pass(0)
    scene.pass(DAY_MS)
    scene.fill(100)
    scene.pass(DAY_MS)
    const { payments_count, failed_attempts, next_charge_at } = scene.read(id)
    assert.deepEqual([payments_count, failed_attempts, next_charge_at], [1, 0, at(monthAfter(startMs))])
  })

  it('a collection missed while nothing ran is one payment, late', async () => {
    const scene = await MandateFixture.open(1000)
    const startMs = scene.nowMs + DAY_MS
    const { id } = scene.approved({ startMs })
    scene.stage.loop.nowMs += 80 * DAY_MS
    await scene.stage.start()
    scene.pass(0)
    assert.equal(scene.payments(id).length, 1)
    assert.equal(scene.read(id).next_charge_at, at(monthAfter(startMs, scene.nowMs)))
  })
})

describe('a payment that the merchant asks for', () => {
  const charge = (scene: MandateFixture, id: string, amount: number | null = null): Command => ({
    type: 'ChargeMandate',
    merchant: scene.merchant.test,
    id,
    amount,
    reference: '',
  })

  it('a payment that the merchant asks for is taken up to max_amount, as often as max_payments', async () => {
    const scene = await MandateFixture.open(1000)
    const { id } = scene.approved({ interval: 'on_demand', amount: null, maxAmount: 200, maxPayments: 2 })
    assert.deepEqual(scene.ask(charge(scene, id)), [400, 'amount_required'])
    assert.deepEqual(scene.ask(charge(scene, id, 201)), [400, 'amount_out_of_bounds'])
    assert.deepEqual(scene.ask(charge(scene, id, 200)), [201, 'paid'])
    assert.deepEqual(scene.ask(charge(scene, id, 1)), [201, 'paid'])
    assert.deepEqual(scene.ask(charge(scene, id, 1)), [409, 'mandate_not_active'])
    assert.equal(scene.read(id).state, 'expired')
    assert.deepEqual(scene.balances, [799, 201])
  })

  it('a payment that the merchant asks for of a mandate with an amount is that amount, and never more', async () => {
    const scene = await MandateFixture.open(150)
    const { id } = scene.approved({ interval: 'on_demand', amount: 100 })
    assert.deepEqual(scene.ask(charge(scene, id, 101)), [400, 'amount_out_of_bounds'])
    assert.deepEqual(scene.ask(charge(scene, id)), [201, 'paid'])
    assert.deepEqual(scene.ask(charge(scene, id)), [402, 'insufficient_balance'])
    assert.deepEqual(scene.ask(charge(scene, id, 50)), [201, 'paid'])
    assert.deepEqual(scene.balances, [0, 150])
  })

  it('a payment that the merchant asks for of a weekly mandate without an amount is taken once a week', async () => {
    const scene = await MandateFixture.open(1000)
    const startMs = scene.nowMs
    const { id } = scene.approved({ interval: 'weekly', amount: null, maxAmount: 200 })
    scene.pass(DAY_MS)
    assert.deepEqual(scene.payments(id), [], 'nothing is collected by itself')
    assert.deepEqual(scene.ask(charge(scene, id, 20)), [201, 'paid'])
    assert.deepEqual(scene.ask(charge(scene, id, 20)), [409, 'mandate_not_due'])
    assert.equal(scene.read(id).next_charge_at, at(startMs + 7 * DAY_MS))
    scene.pass(6 * DAY_MS)
    assert.deepEqual(scene.ask(charge(scene, id, 30)), [201, 'paid'])
  })

  it('a payment that the merchant asks for of a mandate on demand waits for its start', async () => {
    const scene = await MandateFixture.open(1000)
    const { id } = scene.approved({ interval: 'on_demand', startMs: scene.nowMs + DAY_MS })
    assert.deepEqual(scene.ask(charge(scene, id, 20)), [409, 'mandate_not_due'])
    scene.pass(DAY_MS)
    assert.deepEqual(scene.ask(charge(scene, id, 20)), [201, 'paid'])
  })

  it('a payment that the merchant asks for is refused where the mandate collects by itself, is not active, is over, or is another merchant’s', async () => {
    const scene = await MandateFixture.open(1000)
    const automatic = scene.approved()
    const pending = scene.create({ interval: 'on_demand' })
    const over = scene.approved({ interval: 'on_demand', endMs: scene.nowMs + 5 })
    assert.deepEqual(scene.ask(charge(scene, automatic.id)), [409, 'mandate_not_on_demand'])
    assert.deepEqual(scene.ask(charge(scene, pending.id)), [409, 'mandate_not_active'])
    assert.deepEqual(scene.ask({ ...charge(scene, automatic.id), merchant: scene.merchant.live } as Command), [404, 'not_found'])
    scene.stage.loop.nowMs += 5
    assert.deepEqual(scene.ask(charge(scene, over.id)), [409, 'mandate_not_active'])
  })
})

describe('moves', () => {
  const TO: Record<MandateState, (scene: MandateFixture) => string> = {
    pending: (scene) => scene.create().id,
    active: (scene) => scene.approved({ startMs: scene.nowMs + DAY_MS }).id,
    paused: (scene) => {
      const { id } = scene.approved()
      for (let day = 0; day < 5; day++) scene.pass(DAY_MS)
      return id
    },
    cancelled: (scene) => {
      const { id } = scene.create()
      scene.do({ type: 'CancelMandate', by: scene.merchant.test, id })
      return id
    },
    rejected: (scene) => {
      const { id } = scene.create()
      scene.do({ type: 'RejectMandate', customer: scene.awa, id })
      return id
    },
    expired: (scene) => {
      const { id } = scene.create()
      scene.pass(8 * DAY_MS)
      return id
    },
  }

  for (const from of MANDATE_STATES) {
    for (const [move, to] of [
      ['approved', 'active'],
      ['rejected', 'rejected'],
      ['cancelled', 'cancelled'],
    ] as const) {
      const then = from === to ? 'again' : mayMove(from, move) ? 'moves' : 'refused'
      it(`${from} → ${move}: ${then}`, async () => {
        const scene = await MandateFixture.open(0)
        const id = TO[from](scene)
        assert.equal(scene.read(id).state, from)
        const command: Command =
          move === 'approved'
            ? { type: 'ApproveMandate', customer: scene.awa, id, challengeId: null }
            : move === 'rejected'
              ? { type: 'RejectMandate', customer: scene.awa, id }
              : { type: 'CancelMandate', by: scene.merchant.test, id }
        assert.deepEqual(scene.ask(command), then === 'refused' ? [409, 'mandate_not_active'] : [200, to])
        assert.equal(scene.read(id).state, then === 'refused' ? from : to)
        assert.equal(scene.stage.state.mandates.live.get(id) !== undefined, ['pending', 'active', 'paused'].includes(scene.read(id).state))
      })
    }
  }

  it('only the customer approves and rejects; customer and merchant cancel, each seeing their own side', async () => {
    const scene = await MandateFixture.open(0)
    const moussa = openWallet(scene.stage, 'moussa')
    const { id } = scene.create()
    for (const customer of [moussa, scene.merchant.test]) {
      assert.deepEqual(scene.ask({ type: 'ApproveMandate', customer, id, challengeId: null }), [404, 'not_found'])
      assert.deepEqual(scene.ask({ type: 'RejectMandate', customer, id }), [404, 'not_found'])
    }
    assert.deepEqual(scene.ask({ type: 'CancelMandate', by: moussa, id }), [404, 'not_found'])
    const { body } = scene.do({ type: 'CancelMandate', by: scene.awa, id })
    const seen = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual([seen.state, seen.merchant_name, seen.token], ['cancelled', 'baobab', undefined])
    const again = JSON.parse(scene.do({ type: 'CancelMandate', by: scene.merchant.test, id }).body) as Record<string, unknown>
    assert.deepEqual([again.state, again.merchant_name, again.token], ['cancelled', undefined, 'token-0'])
  })

  it('when a mandate is cancelled while a payment is due, the cancellation or the payment is first, and nothing follows it', async () => {
    const scene = await MandateFixture.open(1000)
    const { id } = scene.approved({ startMs: scene.nowMs + DAY_MS })
    scene.stage.send({ type: 'CancelMandate', by: scene.awa, id }, { mailbox: scene.merchant.test })
    scene.pass(DAY_MS)
    scene.pass(60 * DAY_MS)
    assert.deepEqual(scene.balances, [1000, 0])
  })
})

/** Dies in the middle of a write when the test says so. */
class DyingLog extends MemoryLog {
  dies = false

  override append(batch: BatchToAppend, done: (error: Error | null) => void): void {
    if (!this.dies) super.append(batch, done)
  }
}

describe('a mandate through crashes', () => {
  const STEP = fc.record({
    ms: fc.oneof(
      fc.integer({ min: 0, max: 9 }).map((days) => days * DAY_MS),
      fc.integer({ min: 0, max: 40 * DAY_MS }),
    ),
    end: fc.constantFrom('none', 'lost', 'written', 'down'),
    fill: fc.integer({ min: 0, max: 120 }),
  })

  it('a mandate takes no more than it may, and money and payments agree', async () => {
    let seen = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('weekly', 'monthly', 'yearly'),
        fc.option(fc.integer({ min: 1, max: 5 })),
        fc.array(STEP, { minLength: 1, maxLength: 15 }),
        async (interval, maxPayments, steps) => {
          const logs: DyingLog[] = []
          const scene = await MandateFixture.open(250, {
            log: (soon) => {
              logs.push(new DyingLog({ soon }))
              return logs[0] as DyingLog
            },
          })
          const log = logs[0] as DyingLog
          let filled = 250
          const startMs = scene.nowMs
          const { id } = scene.approved({ interval, maxPayments })
          for (const { ms, end, fill } of steps) {
            scene.fill(fill)
            filled += fill
            if (end === 'down') scene.stage.loop.nowMs += ms
            else if (end === 'none') scene.pass(ms)
            else {
              log.dies = end === 'lost'
              scene.stage.loop.advance(ms)
              scene.stage.disk.runAll()
              log.dies = false
            }
            if (end !== 'none') await scene.stage.start()
          }
          scene.pass(0)
          const payments = scene.payments(id)
          const paid = payments.filter(({ state }) => state === 'paid')
          seen += paid.length
          const mandate = scene.read(id)
          assert.equal(mandate.payments_count, paid.length)
          assert.ok(maxPayments === null || paid.length <= maxPayments)
          assert.deepEqual(scene.balances, [filled - 100 * paid.length, 100 * paid.length])
          assert.equal(new Set(payments.map((payment) => payment.id)).size, payments.length)
          // No two payments for one occurrence: each lies in an interval of its own.
          const occurrences = paid.map(({ created_at }) => nextOccurrence(startMs, interval, Date.parse(created_at)))
          assert.equal(new Set(occurrences).size, occurrences.length)
          const live = scene.stage.state.mandates.live.get(id)
          assert.equal(scene.stage.state.timers.nextDueMs(), live?.dueMs ?? null)
          assert.ok(live === undefined || live.dueMs === null || live.dueMs > scene.nowMs)
        },
      ),
      { numRuns: 120 },
    )
    assert.ok(seen > 100)
  })
})
