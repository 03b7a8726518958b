// Every command by which a merchant without money writes, with the largest values that it takes and a new key each time: each
// ends at the daily budget, and what it is counted for is no less than what the log has of it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import { readDefinition } from '../../../engine/domain/biller/biller-definition.ts'
import type { Command } from '../../../engine/domain/command.ts'
import { readBatchLines } from '../../support/batch-lines.ts'
import { createCharge } from '../../support/charge-engine.ts'
import { MEMBER, openMerchant, openWallet, payout, testWallet } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

const BUDGET = 1024 * 1024
const DAY_MS = 86_400_000
/** More than the budget takes of the smallest. */
const SENDS_MAX = 12_000
const LOGOS = 'https://cauri.example/logos/'
const METADATA = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, 'é'.repeat(250)]))
const NOTE = '€'.repeat(500)
const LINES = Array.from({ length: 500 }, () => ({ recipient: 'nobody', amount: 1, reference: 'r'.repeat(255), note: NOTE }))

interface Setup {
  readonly fixture: EngineFixture
  readonly merchant: number
  readonly merchantId: string
  /** Sends as the merchant. */
  readonly send: (command: Command, key: string) => Outcome
}

type Write = (setup: Setup, count: number) => Command

async function openSetup(): Promise<Setup> {
  const fixture = await EngineFixture.open({ logBudgets: { live: BUDGET, test: BUDGET, unproven: 0 } })
  const { id, test: merchant } = openMerchant(fixture, 'boutique')
  openWallet(fixture, 'awa')
  const send = (command: Command, key: string): Outcome => fixture.do(command, { mailbox: merchant, key, fingerprint: 'f'.repeat(64) })
  send({ type: 'SaveBiller', merchant, ...PROFILE }, 'profile')
  return { fixture, merchant, merchantId: id, send }
}

const PROFILE = { displayName: 'É'.repeat(80), category: 'electricity', shortDesc: '€'.repeat(500), logosBase: LOGOS }
const ENDPOINT = { url: `https://a.example/${'u'.repeat(2000)}`, events: ['charge.succeeded'], description: NOTE } as const
const LOGO = { contentType: 'image/png', base64: 'A'.repeat(680_000), logosBase: LOGOS }
const CODE = 'x'.repeat(65_000)
const DEFINITION = readDefinition({
  ...{ title: 'Facture', amount_mode: 'lookup', lookup_integration: 'code', lookup_code: CODE, fulfillment_mode: 'code' },
  ...{ fulfillment_code: CODE, schema: { steps: [{ action: 'resolve', fields: [{ id: 'a', label: 'A', type: 'text' }] }] } },
})
const RUN = { product: 'facture', kind: 'lookup', test: true, ok: true, error: null, duration_ms: 1, fetches: [], logs: [NOTE] } as const

/** What was made by the first send; the later ones repeat something about it. */
function madeOnce(make: Write, then: (setup: Setup, id: string, count: number) => Command): Write {
  let id = ''
  return (setup, count) => {
    if (count === 0) id = (JSON.parse(setup.send(make(setup, count), 'made once').body) as { token?: string; id: string }).id
    return then(setup, id, count)
  }
}

const charge: Write = ({ merchant }) =>
  createCharge(merchant, { metadata: METADATA, description: NOTE, redirectUrl: ENDPOINT.url, reference: 'r'.repeat(255) })
const mandate: Write = ({ merchant }, count) => ({
  ...{ type: 'CreateMandate', merchant, token: `token ${count}`, customerTag: 'awa', amount: 1, maxAmount: null, interval: 'monthly' },
  ...{ startMs: null, endMs: null, maxPayments: null, reference: 'r'.repeat(255), description: NOTE },
  ...{ redirectUrl: ENDPOINT.url, approvalUrl: 'https://a.example' },
})
const schedule: Write = ({ merchant, fixture }) => ({
  ...{ type: 'CreateSchedule', merchant, recurrence: 'weekly', startMs: fixture.loop.nowMs + DAY_MS, reference: '' },
  ...{ lines: LINES, by: MEMBER },
})
const endpoint: Write = ({ merchant }) => ({ type: 'CreateEndpoint', merchant, ...ENDPOINT, sealedSecret: 's'.repeat(100) })

const WRITES: Readonly<Record<string, Write>> = {
  'a charge': charge,
  'a cancellation, again and again': ({ merchant, send }, count) => {
    if (count === 0) send(createCharge(merchant, { metadata: METADATA, token: 'again' }), 'created')
    return { type: 'CancelCharge', merchant, token: 'again' }
  },
  'a refund of a charge that nobody paid': ({ merchant, send }, count) => {
    if (count === 0) send(createCharge(merchant, { token: 'unpaid' }), 'created')
    return { type: 'RefundCharge', merchant, token: 'unpaid' }
  },
  // A wallet takes few open requests of one merchant, so each is withdrawn before the next.
  'a mandate that is withdrawn': (setup, count) => {
    const made = setup.send(mandate(setup, count), `made ${count}`)
    if (made.kind !== 'created') return mandate(setup, count)
    return { type: 'CancelMandate', by: setup.merchant, id: (JSON.parse(made.body) as { id: string }).id }
  },
  'the end of a mandate, again and again': madeOnce(mandate, ({ merchant }, id) => ({ type: 'CancelMandate', by: merchant, id })),
  'a payment of a mandate that is not approved': madeOnce(mandate, ({ merchant }, id) => ({
    ...{ type: 'ChargeMandate', merchant, id, amount: 1, reference: '' },
  })),
  'a schedule of 500 lines': schedule,
  'a schedule that is paused and resumed': madeOnce(schedule, ({ merchant }, id, count) => ({
    ...{ type: count % 2 === 0 ? 'PauseSchedule' : 'ResumeSchedule', merchant, id },
  })),
  'a run of a schedule by hand': madeOnce(schedule, ({ merchant }, id) => ({ type: 'RunSchedule', merchant, id, dueMs: null })),
  'a payout without money': ({ merchant }) => payout(merchant, 'awa', 1, 'r'.repeat(255), NOTE),
  'a batch of 500 lines without money': ({ merchant }) => ({
    ...{ type: 'CreateBatch', merchant, lines: readBatchLines(LINES), reference: '', scheduleId: null },
  }),
  'a test wallet': (_scene, count) => testWallet(`w${count}`),
  'a key': ({ merchantId }, count) => ({
    ...{ type: 'CreateApiKey', merchantId, environment: 'test', label: 'é'.repeat(80), publicKey: `pk_test_${count}`, by: 'dashboard' },
    ...{ secretHash: 'a'.repeat(64), scopes: ['disbursements.write'], sealedSecret: 's'.repeat(100) },
  }),
  'a profile': ({ merchant }, count) => ({ type: 'SaveBiller', merchant, ...PROFILE, shortDesc: `${'€'.repeat(490)}${count}` }),
  'a logo': ({ merchant }, count) => ({ type: 'SetBillerLogo', merchant, file: `${count}.png`, ...LOGO }),
  'a product with code': ({ merchant }, count) => ({
    ...{ type: 'SaveProduct', merchant, slug: 'facture', mode: count === 0 ? 'create' : 'replace', definition: DEFINITION },
    sealedSecret: null,
  }),
  'a product that is switched on and off': ({ merchant, send }, count) => {
    const product = { type: 'SaveProduct', merchant, slug: 'facture', mode: 'create', definition: DEFINITION, sealedSecret: null } as const
    if (count === 0) send(product, 'created')
    return { type: 'SwitchProduct', merchant, slug: 'facture', to: count % 2 === 0 ? 'inactive' : 'active' }
  },
  'a webhook endpoint that changes': madeOnce(endpoint, ({ merchant }, id, count) => ({
    ...{ type: 'UpdateEndpoint', merchant, id, url: `${ENDPOINT.url}${count}`, events: null, description: null, status: null },
  })),
  'a webhook secret that rotates': madeOnce(endpoint, ({ merchant }, id) => ({
    ...{ type: 'RotateSecret', merchant, id, sealedSecret: 's'.repeat(100), overlapS: 60 },
  })),
  'a ping': madeOnce(endpoint, ({ merchant }, id) => ({ type: 'PingEndpoint', merchant, id })),
  'a trial of code': ({ merchant }) => ({
    ...{ type: 'EndTrial', merchant, run: RUN, requestId: 'r'.repeat(128), answer: JSON.stringify({ ok: false, error: NOTE }) },
  }),
}

describe('what a merchant without money writes in a day', () => {
  for (const [name, write] of Object.entries(WRITES)) {
    it(`${name}: at most the budget`, async () => {
      const setup = await openSetup()
      const { fixture, merchant, send } = setup
      const before = fixture.engine.figures.flushedBytes
      const counted = fixture.state.logBudget.writtenOn(merchant, fixture.loop.nowMs)
      let last: Outcome | null = null
      for (let count = 0; count < SENDS_MAX && last?.kind !== 'rate_limited'; count++) last = send(write(setup, count), `key ${count}`)
      assert.deepEqual([outcomeStatus(last), (last?.retryAfterS ?? 0) > 1], [429, true], `${last?.body.slice(0, 200)}`)
      const written = fixture.engine.figures.flushedBytes - before
      const added = fixture.state.logBudget.writtenOn(merchant, fixture.loop.nowMs) - counted
      assert.ok(written <= BUDGET, `${written} bytes are within the budget`)
      assert.ok(added >= written * 0.98, `${added} bytes are counted, ${written} are written`)
    })
  }
})
