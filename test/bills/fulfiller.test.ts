// The merchant's code after a payment: once at most, never before the payment is on disk, never in anybody's way, and the
// merchant is told of the payment whatever comes of it. Across restarts and kills.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxFault, SandboxRequest, SandboxResult } from '../../engine/actor/ports.ts'
import { Fulfiller } from '../../http/fulfillment/fulfiller.ts'
import { BillScene, DUE, FUNDS, METER } from './scene.ts'

const TRACE = { durationMs: 40, fetches: [], logs: [] }
const GOOD: SandboxResult = { ...TRACE, ok: true, value: 'null' }

function bad(error: string, fault: SandboxFault = 'code'): SandboxResult {
  return { ...TRACE, ok: false, fault, started: fault !== 'busy', error }
}

/** One run that waits for its end. */
interface HeldRun {
  readonly request: SandboxRequest
  readonly end: (result: SandboxResult) => void
}

class FulfillScene {
  readonly scene: BillScene
  readonly runs: SandboxRequest[] = []
  readonly held: HeldRun[] = []
  readonly bugs: unknown[] = []
  /** Null: each run waits until the test ends it. */
  answering: ((request: SandboxRequest) => SandboxResult) | null = () => GOOD
  canWrite = true
  fulfiller: Fulfiller
  #seen = 0

  private constructor(scene: BillScene) {
    this.scene = scene
    this.fulfiller = this.#newFulfiller()
  }

  static async open(): Promise<FulfillScene> {
    return new FulfillScene(await BillScene.open())
  }

  /** Lets everything through that waits now: turns, disk, runs that have ended, and what that brings. */
  async settle(): Promise<void> {
    const { stage } = this.scene
    for (let quiet = 0; quiet < 3; ) {
      stage.settle()
      const fresh = stage.records.slice(this.#seen)
      this.#seen = stage.records.length
      for (const record of fresh) this.fulfiller.record(record)
      await new Promise((resolve) => setImmediate(resolve))
      quiet = fresh.length === 0 && stage.loop.soonCount === 0 ? quiet + 1 : 0
    }
    assert.deepEqual(this.bugs, [])
    assert.equal(this.scene.sum(), 0)
  }

  async advance(byMs: number): Promise<void> {
    this.scene.stage.loop.advance(byMs)
    await this.settle()
  }

  /** Pays, and answers the charge id. */
  async paid(): Promise<string> {
    const id = this.scene.paidJeton()
    await this.settle()
    return id
  }

  async end(result: SandboxResult): Promise<void> {
    const held = this.held.shift()
    assert.ok(held !== undefined, 'a run is held')
    held.end(result)
    await this.settle()
  }

  /** The process dies: what runs is lost, and another one starts on what the disk holds. */
  async restart(): Promise<void> {
    this.held.length = 0
    await this.scene.stage.start()
    this.#seen = this.scene.stage.records.length
    this.fulfiller = this.#newFulfiller()
    this.fulfiller.start()
    await this.settle()
  }

  #newFulfiller(): Fulfiller {
    const { stage } = this.scene
    return new Fulfiller({
      engine: stage.engine,
      code: { run: (request) => this.#run(request) },
      threads: 8,
      canWrite: () => this.canWrite,
      clock: stage.loop,
      scheduler: stage.loop,
      onBug: (error) => this.bugs.push(error),
    })
  }

  #run(request: SandboxRequest): Promise<SandboxResult> {
    this.runs.push(request)
    if (this.answering !== null) return Promise.resolve(this.answering(request))
    return new Promise((end) => this.held.push({ request, end }))
  }
}

test('after the payment the code runs with the context of the specification, then the merchant is told', async () => {
  const scenery = await FulfillScene.open()
  scenery.answering = null
  const { scene } = scenery
  const id = await scenery.paid()
  assert.deepEqual(scene.balances(), { awa: FUNDS - DUE.amount, merchant: DUE.amount }, 'the money does not wait')
  assert.deepEqual(scene.fulfillment(id), { state: 'pending', error: null, duration_ms: null })
  assert.deepEqual(scene.told(), [], 'the merchant is told behind it')
  const [run, ...more] = scenery.runs
  assert.ok(run !== undefined && more.length === 0)
  const { argument, ...asked } = run
  const { id: merchantId, test: account } = scene.billers.merchant
  const about = { merchantId, account, product: 'jeton', purpose: 'test' }
  assert.deepEqual(asked, { ...about, entry: 'onPaid', source: 'async function onPaid(ctx) {}', timeoutMs: 10_000 })
  const [payment] = scene.payments()
  assert.ok(payment !== undefined)
  assert.deepEqual(JSON.parse(argument), {
    ...{
      biller: scene.biller,
      product: 'jeton',
      amount: DUE.amount,
      currency: 'XOF',
      biller_ref: 'F-11',
      form_values: { compteur: METER },
    },
    ...{ transaction_id: payment.transaction_id, charge_id: id, merchant_id: merchantId },
    paid_at: Math.floor(Date.parse(payment.paid_at) / 1000),
  })
  await scenery.end(GOOD)
  assert.deepEqual(scene.fulfillment(id), { state: 'succeeded', error: null, duration_ms: 40 })
  assert.equal(scene.told().length, 1)
  assert.equal(scene.stage.state.bills.fulfilling.size, 0)
})

const FAILURES: readonly (readonly [string, SandboxResult, string])[] = [
  ['throws', bad('Error: réseau\n    at onPaid\u0007'), 'Error: réseau at onPaid'],
  ['takes too long', bad('The code took longer than 10 s.', 'timeout'), 'The code took longer than 10 s.'],
  ['throws a book', bad('x'.repeat(1000)), `${'x'.repeat(499)}…`],
  ['finds no sandbox', bad('No sandbox.', 'unavailable'), 'No sandbox.'],
]

for (const [name, result, error] of FAILURES) {
  test(`code that ${name}: the payment stands, the failure is written down, nothing is tried again, the merchant is told`, async () => {
    const scenery = await FulfillScene.open()
    scenery.answering = () => result
    const id = await scenery.paid()
    await scenery.advance(24 * 3_600_000)
    assert.equal(scenery.runs.length, 1)
    assert.deepEqual(scenery.scene.fulfillment(id), { state: 'failed', error, duration_ms: 40 })
    assert.equal(scenery.scene.told().length, 1)
    assert.equal(scenery.scene.balances().merchant, DUE.amount)
  })
}

test('without code nothing runs, and the merchant is told in the same record', async () => {
  const scenery = await FulfillScene.open()
  const { scene } = scenery
  assert.deepEqual(scene.ask(scene.pay('don', { amount: 500 })), [200])
  await scenery.settle()
  assert.equal(scenery.runs.length, 0)
  assert.deepEqual(
    scene.stage.records.at(-1)?.events.map(({ type }) => type),
    ['bill.paid', 'merchant_event.recorded'],
  )
  assert.equal(scene.fulfillment(String(scene.payments()[0]?.charge_id)).state, 'none')
})

test('nothing runs before the payment is on disk', async () => {
  const scenery = await FulfillScene.open()
  const { scene } = scenery
  const quoteId = scene.quoted({ product: 'jeton' })
  const sent = scene.stage.send(scene.pay('jeton', { quoteId }), { mailbox: scene.awa })
  scene.stage.loop.turn()
  assert.equal(sent.outcome, null)
  scene.stage.kill()
  await scenery.restart()
  assert.equal(scenery.runs.length, 0)
  assert.deepEqual(scene.balances(), { awa: FUNDS, merchant: 0 })
  assert.deepEqual(scene.ask(scene.pay('jeton', { quoteId })), [200], 'the quote was not used up')
})

test('killed between the payment and the code: it runs after the restart, once', async () => {
  const scenery = await FulfillScene.open()
  const { scene } = scenery
  const id = scene.paidJeton()
  await scenery.restart()
  assert.equal(scenery.runs.length, 1)
  await scenery.restart()
  assert.equal(scenery.runs.length, 1)
  assert.equal(scene.fulfillment(id).state, 'succeeded')
  assert.equal(scene.told().length, 1)
})

test('killed while the code runs: it has failed, never runs again, and the merchant is told once', async () => {
  const scenery = await FulfillScene.open()
  const { scene } = scenery
  scenery.answering = null
  const id = await scenery.paid()
  assert.equal(scenery.runs.length, 1)
  await scenery.restart()
  assert.equal(scenery.runs.length, 1)
  const { state, error } = scene.fulfillment(id)
  assert.equal(state, 'failed')
  assert.match(String(error), /stopped/)
  assert.equal(scene.told().length, 1)
  await scenery.restart()
  assert.equal(scene.told().length, 1)
  assert.deepEqual(scene.balances(), { awa: FUNDS - DUE.amount, merchant: DUE.amount })
})

test('the code that was there when the bill was paid is the code that runs', async () => {
  const scenery = await FulfillScene.open()
  const { scene } = scenery
  scene.paidJeton()
  const { billers } = scene
  const lookup = { title: 'x', amount_mode: 'lookup', schema: { steps: [{ fields: [{ id: 'a', label: 'A', type: 'text' }] }] } }
  billers.must(billers.product('jeton', { ...lookup, lookup_url: 'https://a.example/' }, { mode: 'replace' }), 200)
  await scenery.settle()
  assert.equal(scenery.runs[0]?.source, 'async function onPaid(ctx) {}')
})

test('a merchant whose code hangs has two runs, the others wait in order and end when they have waited too long', async () => {
  const scenery = await FulfillScene.open()
  scenery.answering = null
  const { scene } = scenery
  scene.stage.do({ type: 'Deposit', target: { tag: 'awa' }, environment: 'test', amount: 1_000_000, reference: '', by: 'operator' })
  const ids: string[] = []
  for (let index = 0; index < 5; index++) ids.push(await scenery.paid())
  assert.equal(scenery.runs.length, 2)
  await scenery.advance(10_000)
  await scenery.end(bad('too long', 'timeout'))
  assert.equal(scenery.runs.length, 2, 'from now on one at a time')
  await scenery.end(bad('too long', 'timeout'))
  assert.equal(scenery.runs.length, 3)
  await scenery.advance(61_000)
  await scenery.end(bad('too long', 'timeout'))
  assert.equal(scenery.runs.length, 3)
  for (const id of ids.slice(3)) assert.match(String(scene.fulfillment(id).error), /waited for 60 s/)
  assert.equal(scene.told().length, 5)
})

test('code that found no free sandbox was not begun: it waits, and runs', async () => {
  const scenery = await FulfillScene.open()
  let busy = 3
  scenery.answering = () => (busy-- > 0 ? bad('busy', 'busy') : GOOD)
  const id = await scenery.paid()
  for (let beat = 0; beat < 4; beat++) await scenery.advance(250)
  assert.equal(scenery.runs.length, 4)
  assert.equal(scenery.scene.fulfillment(id).state, 'succeeded')
})

test('on a disk that is nearly full the code waits', async () => {
  const scenery = await FulfillScene.open()
  scenery.canWrite = false
  const id = await scenery.paid()
  await scenery.advance(5_000)
  assert.equal(scenery.runs.length, 0)
  scenery.canWrite = true
  await scenery.advance(250)
  assert.equal(scenery.scene.fulfillment(id).state, 'succeeded')
})

test('a stop waits for what runs, and begins nothing', async () => {
  const scenery = await FulfillScene.open()
  scenery.answering = null
  const id = await scenery.paid()
  let isStopped = false
  const stopped = scenery.fulfiller.stop(5_000).then(() => {
    isStopped = true
  })
  await scenery.paid()
  assert.equal(scenery.runs.length, 1)
  assert.equal(isStopped, false)
  await scenery.end(GOOD)
  await stopped
  assert.equal(scenery.scene.fulfillment(id).state, 'succeeded')
  scenery.answering = () => GOOD
  await scenery.restart()
  assert.equal(scenery.runs.length, 2, 'the other one runs after the start')
})

test('a stop does not wait for ever', async () => {
  const scenery = await FulfillScene.open()
  scenery.answering = null
  await scenery.paid()
  const stopped = scenery.fulfiller.stop(5_000)
  await scenery.advance(5_000)
  await stopped
})
