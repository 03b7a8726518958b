// Mandates in the engine: who may move them where, what they collect and when, and what they never do.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { BatchesToAppend } from '../../../../engine/actor/ports.ts'
import { MANDATE_STATES } from '../../../../engine/contract/mandate.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { PENDING_PER_CUSTOMER_MAX } from '../../../../engine/domain/mandate/mandate-limits.ts'
import type { MandateState } from '../../../../engine/domain/mandate/mandate-state.ts'
import { mayMove } from '../../../../engine/domain/mandate/mandate-versions.ts'
import { nextOccurrence } from '../../../../engine/kernel/calendar.ts'
import { openMerchant, openWallet } from '../../../support/commands.ts'
import { DAY_MS, MandateFixture } from '../../../support/mandate-engine.ts'
import { MemoryLog } from '../../../support/memory-log.ts'

const at = (ms: number): string => new Date(ms).toISOString()
const monthAfter = (startMs: number, afterMs = startMs): number => nextOccurrence(startMs, 'monthly', afterMs) as number

describe('a mandate', () => {
  it('a mandate is pending until its customer approves, and sends the wallet a frame', async () => {
    const setup = await MandateFixture.open(1000)
    const mandate = setup.create()
    assert.deepEqual([mandate.state, mandate.next_charge_at, mandate.approved_at, mandate.payments_count], ['pending', null, null, 0])
    assert.deepEqual(setup.fixture.records.at(-1)?.frames, [{ account: setup.awa, type: 'mandate.requested', eventIndex: 0, id: 3 }])
    setup.pass(DAY_MS)
    assert.deepEqual(setup.balances, [1000, 0])
  })

  it('a mandate expires without an answer for seven days, or at its own end before that', async () => {
    const setup = await MandateFixture.open(1000)
    const [long, short] = [setup.create(), setup.create({ endMs: setup.nowMs + 2 * DAY_MS })]
    setup.pass(2 * DAY_MS - 1)
    assert.equal(setup.read(short.id).state, 'pending')
    setup.pass(1)
    assert.deepEqual([setup.read(short.id).state, setup.read(long.id).state], ['expired', 'pending'])
    setup.pass(5 * DAY_MS)
    assert.equal(setup.read(long.id).state, 'expired')
    assert.equal(setup.fixture.state.mandates.live.size, 0)
  })

  it('a mandate with an end after seven days is pending for seven days, and cannot be approved then, its timer fired or not', async () => {
    for (const endDays of [7, 8, 30]) {
      const setup = await MandateFixture.open(1000)
      const mandates = Array.from({ length: 3 }, () => setup.create({ interval: 'on_demand', endMs: setup.nowMs + endDays * DAY_MS }))
      const [early, late, silent] = mandates.map(({ id }) => id)
      const approve = (id = ''): Command => ({ type: 'ApproveMandate', customer: setup.awa, id, challengeId: null })
      setup.pass(7 * DAY_MS - 1)
      assert.deepEqual(setup.ask(approve(early)), [200, 'active'])
      setup.fixture.loop.nowMs += 1
      assert.deepEqual(setup.ask(approve(late)), [409, 'mandate_not_active'])
      setup.pass(0)
      assert.deepEqual([setup.read(late ?? '').state, setup.read(silent ?? '').state], ['expired', 'expired'])
      assert.equal(setup.read(early ?? '').state, endDays === 7 ? 'expired' : 'active')
    }
  })

  it('a mandate is refused without an amount, above its own maximum, with an end before its start, for an unknown customer', async () => {
    const setup = await MandateFixture.open(0)
    const rows: readonly (readonly [change: Parameters<MandateFixture['command']>[0], status: number, code: string])[] = [
      [{ amount: null }, 400, 'amount_required'],
      [{ amount: 101, maxAmount: 100 }, 400, 'amount_out_of_bounds'],
      [{ endMs: setup.nowMs }, 400, 'invalid_request'],
      [{ startMs: setup.nowMs + 5, endMs: setup.nowMs + 5 }, 400, 'invalid_request'],
      [{ customerTag: 'ghost' }, 404, 'customer_not_found'],
    ]
    for (const [change, ...then] of rows) assert.deepEqual(setup.ask(setup.command(change)), then)
  })
})

describe('requests of one merchant to one wallet', () => {
  it('requests of one merchant to one wallet wait twenty at most; an answer makes room, and others may still ask', async () => {
    const setup = await MandateFixture.open(1000)
    const refused = [429, 'rate_limited']
    const [first, second, third] = Array.from({ length: PENDING_PER_CUSTOMER_MAX }, () => setup.create())
    assert.deepEqual(setup.ask(setup.command()), refused)
    openWallet(setup.fixture, 'kofi')
    setup.create({ customerTag: 'kofi' })
    const other = openMerchant(setup.fixture, 'acacia')
    assert.equal(setup.fixture.do(setup.command({ merchant: other.test })).kind, 'created')
    const answers: readonly Command[] = [
      { type: 'ApproveMandate', customer: setup.awa, id: first?.id ?? '', challengeId: null },
      { type: 'RejectMandate', customer: setup.awa, id: second?.id ?? '' },
      { type: 'CancelMandate', by: setup.merchant.test, id: third?.id ?? '' },
    ]
    for (const answer of answers) {
      assert.equal(setup.do(answer).status, 200)
      setup.create()
      assert.deepEqual(setup.ask(setup.command()), refused, answer.type)
    }
    setup.pass(7 * DAY_MS)
    setup.create()
  })
})

describe('collecting', () => {
  it('collecting begins with the approval, then every month on that day', async () => {
    const setup = await MandateFixture.open(1000)
    const startMs = setup.nowMs
    const { id, next_charge_at } = setup.approved()
    assert.equal(next_charge_at, at(startMs))
    setup.pass(0)
    const [payment] = setup.payments(id)
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
    assert.deepEqual(setup.balances, [900, 100])
    const record = setup.fixture.records.at(-1)
    assert.deepEqual([record?.transactions[0]?.type, record?.transactions[0]?.id], ['mandate', payment?.transaction_id])
    assert.deepEqual(
      record?.frames.map(({ account, type }) => [account, type]),
      [
        [setup.awa, 'payment.sent'],
        [setup.awa, 'balance.updated'],
      ],
    )
    assert.equal(setup.read(id).next_charge_at, at(monthAfter(startMs)))
    setup.pass(monthAfter(startMs) - startMs - 1)
    assert.equal(setup.payments(id).length, 1)
    setup.pass(1)
    assert.equal(setup.payments(id).length, 2)
    assert.deepEqual(setup.balances, [800, 200])
  })

  it('collecting begins at start_at when that is later', async () => {
    const setup = await MandateFixture.open(1000)
    const startMs = setup.nowMs + 10 * DAY_MS
    const { id, next_charge_at } = setup.approved({ startMs })
    assert.equal(next_charge_at, at(startMs))
    setup.pass(10 * DAY_MS - 1)
    assert.deepEqual(setup.payments(id), [])
    setup.pass(1)
    assert.equal(setup.payments(id).length, 1)
  })

  it('collecting on the 31st takes the last day of a shorter month, and the 31st again after it', async () => {
    const setup = await MandateFixture.open(1000)
    const startMs = Date.UTC(2027, 0, 31, 6)
    const { id } = setup.approved({ startMs })
    for (let payment = 0; payment < 5; payment++) setup.pass(Date.parse(String(setup.read(id).next_charge_at)) - setup.nowMs)
    assert.deepEqual(
      setup.payments(id).map(({ created_at }) => created_at.slice(0, 10)),
      ['2027-05-31', '2027-04-30', '2027-03-31', '2027-02-28', '2027-01-31'],
    )
  })

  it('collecting ends with the last payment of max_payments, and with end_at', async () => {
    const setup = await MandateFixture.open(10_000)
    const counted = setup.approved({ maxPayments: 3, interval: 'weekly' })
    const ended = setup.approved({ endMs: setup.nowMs + 15 * DAY_MS, interval: 'weekly' })
    setup.pass(0)
    for (let week = 0; week < 5; week++) setup.pass(7 * DAY_MS)
    assert.deepEqual([setup.payments(counted.id).length, setup.payments(ended.id).length], [3, 3])
    assert.deepEqual([setup.read(counted.id).state, setup.read(ended.id).state], ['expired', 'expired'])
    assert.equal(setup.read(counted.id).payments_count, 3)
    assert.deepEqual(setup.balances, [9400, 600])
    assert.equal(setup.fixture.state.timers.size, 0)
  })

  it('collecting from a short wallet is tried again on three next days, then pauses; the customer approves again and it goes on', async () => {
    const setup = await MandateFixture.open(50)
    const startMs = setup.nowMs
    const { id } = setup.approved()
    setup.pass(0)
    for (let day = 1; day <= 3; day++) {
      const { state, failed_attempts, next_charge_at } = setup.read(id)
      assert.deepEqual([state, failed_attempts, next_charge_at], ['active', day, at(startMs + day * DAY_MS)])
      setup.pass(DAY_MS)
    }
    const paused = setup.read(id)
    assert.deepEqual([paused.state, paused.failed_attempts, paused.next_charge_at], ['paused', 4, null])
    assert.deepEqual(
      setup.payments(id).map(({ state, failure_code }) => [state, failure_code]),
      Array.from({ length: 4 }, () => ['failed', 'insufficient_balance']),
    )
    setup.fill(1000)
    setup.pass(DAY_MS)
    assert.deepEqual(setup.balances, [1050, 0])
    assert.deepEqual(setup.ask({ type: 'ApproveMandate', customer: setup.awa, id, challengeId: null }), [200, 'active'])
    assert.equal(setup.read(id).next_charge_at, at(monthAfter(startMs)))
    setup.pass(monthAfter(startMs) - setup.nowMs)
    assert.deepEqual(setup.balances, [950, 100])
  })

  it('a retry that succeeds counts once, and the day of the month stays', async () => {
    const setup = await MandateFixture.open(50)
    const startMs = setup.nowMs
    const { id } = setup.approved()
    setup.pass(0)
    setup.pass(DAY_MS)
    setup.fill(100)
    setup.pass(DAY_MS)
    const { payments_count, failed_attempts, next_charge_at } = setup.read(id)
    assert.deepEqual([payments_count, failed_attempts, next_charge_at], [1, 0, at(monthAfter(startMs))])
  })

  it('a collection missed while nothing ran is one payment, late', async () => {
    const setup = await MandateFixture.open(1000)
    const startMs = setup.nowMs + DAY_MS
    const { id } = setup.approved({ startMs })
    setup.fixture.loop.nowMs += 80 * DAY_MS
    await setup.fixture.start()
    setup.pass(0)
    assert.equal(setup.payments(id).length, 1)
    assert.equal(setup.read(id).next_charge_at, at(monthAfter(startMs, setup.nowMs)))
  })
})

describe('a payment that the merchant asks for', () => {
  const charge = (setup: MandateFixture, id: string, amount: number | null = null): Command => ({
    type: 'ChargeMandate',
    merchant: setup.merchant.test,
    id,
    amount,
    reference: '',
  })

  it('a payment that the merchant asks for is taken up to max_amount, as often as max_payments', async () => {
    const setup = await MandateFixture.open(1000)
    const { id } = setup.approved({ interval: 'on_demand', amount: null, maxAmount: 201, maxPayments: 2 })
    assert.deepEqual(setup.ask(charge(setup, id)), [400, 'amount_required'])
    assert.deepEqual(setup.ask(charge(setup, id, 202)), [400, 'amount_out_of_bounds'])
    assert.deepEqual(setup.ask(charge(setup, id, 200)), [201, 'paid'])
    assert.deepEqual(setup.ask(charge(setup, id, 1)), [201, 'paid'])
    assert.deepEqual(setup.ask(charge(setup, id, 1)), [409, 'mandate_not_active'])
    assert.equal(setup.read(id).state, 'expired')
    assert.deepEqual(setup.balances, [799, 201])
  })

  it('payments on demand of one month are at most max_amount together, also after a restart, a pause and a new approval', async () => {
    const setup = await MandateFixture.open(1000)
    const { id } = setup.approved({ interval: 'on_demand', amount: null, maxAmount: 200 })
    assert.deepEqual(setup.ask(charge(setup, id, 150)), [201, 'paid'])
    await setup.fixture.start()
    assert.deepEqual(setup.ask(charge(setup, id, 51)), [400, 'amount_out_of_bounds'])
    assert.deepEqual(setup.ask(charge(setup, id, 50)), [201, 'paid'])
    assert.deepEqual(setup.ask(charge(setup, id, 1)), [400, 'amount_out_of_bounds'])
    setup.pass(31 * DAY_MS)
    assert.deepEqual(setup.ask(charge(setup, id, 200)), [201, 'paid'], 'another month')
    assert.deepEqual(setup.ask(charge(setup, id, 1)), [400, 'amount_out_of_bounds'])
  })

  it('a payment that the merchant asks for of a mandate with an amount is that amount, and never more', async () => {
    const setup = await MandateFixture.open(150)
    const { id } = setup.approved({ interval: 'on_demand', amount: 100 })
    assert.deepEqual(setup.ask(charge(setup, id, 101)), [400, 'amount_out_of_bounds'])
    assert.deepEqual(setup.ask(charge(setup, id)), [201, 'paid'])
    assert.deepEqual(setup.ask(charge(setup, id)), [402, 'insufficient_balance'])
    assert.deepEqual(setup.ask(charge(setup, id, 50)), [201, 'paid'])
    assert.deepEqual(setup.balances, [0, 150])
  })

  it('a payment that the merchant asks for of a weekly mandate without an amount is taken once a week', async () => {
    const setup = await MandateFixture.open(1000)
    const startMs = setup.nowMs
    const { id } = setup.approved({ interval: 'weekly', amount: null, maxAmount: 200 })
    setup.pass(DAY_MS)
    assert.deepEqual(setup.payments(id), [], 'nothing is collected by itself')
    assert.deepEqual(setup.ask(charge(setup, id, 20)), [201, 'paid'])
    assert.deepEqual(setup.ask(charge(setup, id, 20)), [409, 'mandate_not_due'])
    assert.equal(setup.read(id).next_charge_at, at(startMs + 7 * DAY_MS))
    setup.pass(6 * DAY_MS)
    assert.deepEqual(setup.ask(charge(setup, id, 30)), [201, 'paid'])
  })

  it('a payment that the merchant asks for of a mandate on demand waits for its start', async () => {
    const setup = await MandateFixture.open(1000)
    const { id } = setup.approved({ interval: 'on_demand', startMs: setup.nowMs + DAY_MS })
    assert.deepEqual(setup.ask(charge(setup, id, 20)), [409, 'mandate_not_due'])
    setup.pass(DAY_MS)
    assert.deepEqual(setup.ask(charge(setup, id, 20)), [201, 'paid'])
  })

  it('a payment that the merchant asks for is refused where the mandate collects by itself, is not active, is over, or is another merchant’s', async () => {
    const setup = await MandateFixture.open(1000)
    const automatic = setup.approved()
    const pending = setup.create({ interval: 'on_demand' })
    const over = setup.approved({ interval: 'on_demand', endMs: setup.nowMs + 5 })
    assert.deepEqual(setup.ask(charge(setup, automatic.id)), [409, 'mandate_not_on_demand'])
    assert.deepEqual(setup.ask(charge(setup, pending.id)), [409, 'mandate_not_active'])
    assert.deepEqual(setup.ask({ ...charge(setup, automatic.id), merchant: setup.merchant.live } as Command), [404, 'not_found'])
    setup.fixture.loop.nowMs += 5
    assert.deepEqual(setup.ask(charge(setup, over.id)), [409, 'mandate_not_active'])
  })
})

describe('moves', () => {
  const TO: Record<MandateState, (setup: MandateFixture) => string> = {
    pending: (setup) => setup.create().id,
    active: (setup) => setup.approved({ startMs: setup.nowMs + DAY_MS }).id,
    paused: (setup) => {
      const { id } = setup.approved()
      for (let day = 0; day < 5; day++) setup.pass(DAY_MS)
      return id
    },
    cancelled: (setup) => {
      const { id } = setup.create()
      setup.do({ type: 'CancelMandate', by: setup.merchant.test, id })
      return id
    },
    rejected: (setup) => {
      const { id } = setup.create()
      setup.do({ type: 'RejectMandate', customer: setup.awa, id })
      return id
    },
    expired: (setup) => {
      const { id } = setup.create()
      setup.pass(8 * DAY_MS)
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
        const setup = await MandateFixture.open(0)
        const id = TO[from](setup)
        assert.equal(setup.read(id).state, from)
        const command: Command =
          move === 'approved'
            ? { type: 'ApproveMandate', customer: setup.awa, id, challengeId: null }
            : move === 'rejected'
              ? { type: 'RejectMandate', customer: setup.awa, id }
              : { type: 'CancelMandate', by: setup.merchant.test, id }
        assert.deepEqual(setup.ask(command), then === 'refused' ? [409, 'mandate_not_active'] : [200, to])
        assert.equal(setup.read(id).state, then === 'refused' ? from : to)
        assert.equal(
          setup.fixture.state.mandates.live.get(id) !== undefined,
          ['pending', 'active', 'paused'].includes(setup.read(id).state),
        )
      })
    }
  }

  it('only the customer approves and rejects; customer and merchant cancel, each seeing their own side', async () => {
    const setup = await MandateFixture.open(0)
    const moussa = openWallet(setup.fixture, 'moussa')
    const { id } = setup.create()
    for (const customer of [moussa, setup.merchant.test]) {
      assert.deepEqual(setup.ask({ type: 'ApproveMandate', customer, id, challengeId: null }), [404, 'not_found'])
      assert.deepEqual(setup.ask({ type: 'RejectMandate', customer, id }), [404, 'not_found'])
    }
    assert.deepEqual(setup.ask({ type: 'CancelMandate', by: moussa, id }), [404, 'not_found'])
    const { body } = setup.do({ type: 'CancelMandate', by: setup.awa, id })
    const seen = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual([seen.state, seen.merchant_name, seen.token], ['cancelled', 'baobab', undefined])
    const again = JSON.parse(setup.do({ type: 'CancelMandate', by: setup.merchant.test, id }).body) as Record<string, unknown>
    assert.deepEqual([again.state, again.merchant_name, again.token], ['cancelled', undefined, 'token-0'])
  })

  it('when a mandate is cancelled while a payment is due, the cancellation or the payment is first, and nothing follows it', async () => {
    const setup = await MandateFixture.open(1000)
    const { id } = setup.approved({ startMs: setup.nowMs + DAY_MS })
    setup.fixture.send({ type: 'CancelMandate', by: setup.awa, id }, { mailbox: setup.merchant.test })
    setup.pass(DAY_MS)
    setup.pass(60 * DAY_MS)
    assert.deepEqual(setup.balances, [1000, 0])
  })
})

/** Dies in the middle of a write when the test says so. */
class DyingLog extends MemoryLog {
  dies = false

  override append(batches: BatchesToAppend, done: (error: Error | null) => void): void {
    if (!this.dies) super.append(batches, done)
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
          const setup = await MandateFixture.open(250, {
            log: (soon) => {
              logs.push(new DyingLog({ soon }))
              return logs[0] as DyingLog
            },
          })
          const log = logs[0] as DyingLog
          let filled = 250
          const startMs = setup.nowMs
          const { id } = setup.approved({ interval, maxPayments })
          for (const { ms, end, fill } of steps) {
            setup.fill(fill)
            filled += fill
            if (end === 'down') setup.fixture.loop.nowMs += ms
            else if (end === 'none') setup.pass(ms)
            else {
              log.dies = end === 'lost'
              setup.fixture.loop.advance(ms)
              setup.fixture.disk.runAll()
              log.dies = false
            }
            if (end !== 'none') await setup.fixture.start()
          }
          setup.pass(0)
          const payments = setup.payments(id)
          const paid = payments.filter(({ state }) => state === 'paid')
          seen += paid.length
          const mandate = setup.read(id)
          assert.equal(mandate.payments_count, paid.length)
          assert.ok(maxPayments === null || paid.length <= maxPayments)
          assert.deepEqual(setup.balances, [filled - 100 * paid.length, 100 * paid.length])
          assert.equal(new Set(payments.map((payment) => payment.id)).size, payments.length)
          // No two payments for one occurrence: each lies in an interval of its own.
          const occurrences = paid.map(({ created_at }) => nextOccurrence(startMs, interval, Date.parse(created_at)))
          assert.equal(new Set(occurrences).size, occurrences.length)
          const live = setup.fixture.state.mandates.live.get(id)
          assert.equal(setup.fixture.state.timers.nextDueMs(), live?.dueMs ?? null)
          assert.ok(live === undefined || live.dueMs === null || live.dueMs > setup.nowMs)
        },
      ),
      { numRuns: 120 },
    )
    assert.ok(seen > 100)
  })
})
