// Notices by e-mail: each event leaves once, a storm is one mail in ten minutes, and nothing is lost by a restart.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { QueuedMessage } from '../../../engine/domain/message/message-events.ts'
import { OPEN_MESSAGES } from '../../../engine/domain/message/message-limits.ts'
import { hasEmailRoom } from '../../../engine/domain/message/outgoing.ts'
import { payloadOf } from '../../../engine/domain/record.ts'
import { readBatchLines } from '../../support/batch-lines.ts'
import { confirmTopUp, requested, requestTopUp } from '../../support/cash-request-commands.ts'
import { openLiveWallet } from '../../support/commands.ts'
import { DisbursementSteps } from '../../support/disbursement-steps.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { fillQuota } from '../../support/filled-quota.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const EMAIL = 'compta@boutique.example'

interface Shop {
  readonly fixture: EngineFixture
  readonly userId: string
  readonly live: number
  readonly test: number
}

async function openShop(): Promise<Shop> {
  const fixture = await EngineFixture.open()
  const session = { tokenHash: 'session', userAgent: 'Firefox' }
  fixture.do({ type: 'SignUpMerchant', merchantName: 'Boutique', email: EMAIL, passwordHash: 'password', session })
  const user = fixture.state.dashboard.userByEmail(EMAIL)
  const { live = 0, test = 0 } = fixture.state.merchants.merchants.get(user?.merchant_id ?? '')?.accounts ?? {}
  return { fixture, userId: user?.id ?? '', live, test }
}

/** Address, kind and number of events of each notice so far. */
function sent({ fixture }: Shop): string[] {
  return fixture.records
    .flatMap(({ events }) => events)
    .filter(({ type }) => type === 'message.queued')
    .map((event) => payloadOf<QueuedMessage>(event))
    .flatMap(({ to, notice }) => (notice === undefined ? [] : [`${to} ${notice.kind} ${notice.count}`]))
}

function credit({ fixture }: Shop, account: number): void {
  fixture.do(confirmTopUp(requested(fixture, requestTopUp(account, 500))))
  fixture.loop.advance(1)
  fixture.settle()
}

function pass({ fixture }: Shop, byMs: number): void {
  fixture.loop.advance(byMs)
  fixture.settle()
}

describe('notices', () => {
  it('sends the first event at once and all others of ten minutes in one mail', async () => {
    const shop = await openShop()
    credit(shop, shop.live)
    assert.deepEqual(sent(shop), [`${EMAIL} top_up 1`])
    for (let times = 0; times < 7; times++) credit(shop, shop.live)
    pass(shop, 9 * MINUTE_MS)
    assert.deepEqual(sent(shop), [`${EMAIL} top_up 1`])
    pass(shop, MINUTE_MS)
    assert.deepEqual(sent(shop), [`${EMAIL} top_up 1`, `${EMAIL} top_up 7`])
  })

  it('forgets the kind after ten minutes without an event, so that the next leaves at once', async () => {
    const shop = await openShop()
    credit(shop, shop.live)
    pass(shop, 11 * MINUTE_MS)
    assert.equal(shop.fixture.state.notices.rows.size, 0)
    credit(shop, shop.live)
    assert.equal(sent(shop).length, 2)
  })

  it('waits at half the share of its merchant in open e-mails, which leaves the rest for links', async () => {
    const shop = await openShop()
    const { state } = shop.fixture
    const merchantId = state.dashboard.userByEmail(EMAIL)?.merchant_id ?? ''
    const half = OPEN_MESSAGES.email.share / 2
    fillQuota(state, OPEN_MESSAGES.email, { part: 'both', holder: 'another merchant', rows: half })
    fillQuota(state, OPEN_MESSAGES.email, { part: 'both', holder: merchantId, rows: half })
    credit(shop, shop.live)
    assert.deepEqual(sent(shop), [])
    assert.ok(hasEmailRoom(state, merchantId))
    state.quotas.use(OPEN_MESSAGES.email).change('both', merchantId, -1)
    pass(shop, MINUTE_MS)
    assert.deepEqual(sent(shop), [`${EMAIL} top_up 1`])
  })

  it('says nothing about the test environment', async () => {
    const shop = await openShop()
    credit(shop, shop.test)
    pass(shop, HOUR_MS)
    assert.deepEqual(sent(shop), [])
  })

  it('keeps what waits over a crash, and sends it once', async () => {
    const shop = await openShop()
    credit(shop, shop.live)
    credit(shop, shop.live)
    await shop.fixture.start()
    pass(shop, 11 * MINUTE_MS)
    assert.deepEqual(sent(shop), [`${EMAIL} top_up 1`, `${EMAIL} top_up 1`])
    await shop.fixture.startWithoutArchive()
    pass(shop, HOUR_MS)
    assert.equal(sent(shop).length, 2)
  })

  it('sends nothing that the member does not want', async () => {
    const shop = await openShop()
    shop.fixture.do({ type: 'SetNotices', userId: shop.userId, email: { top_up: false } })
    credit(shop, shop.live)
    pass(shop, HOUR_MS)
    assert.deepEqual(sent(shop), [])
  })

  it('tells a member about a new device, and not about the browser of its sign-up or one that it has used', async () => {
    const shop = await openShop()
    const { fixture, userId } = shop
    const open = (isNewDevice: boolean): void => {
      const session = { tokenHash: `session ${isNewDevice}`, userAgent: 'Firefox', isNewDevice }
      fixture.do({ type: 'OpenDashboardSession', userId, countKey: 'count', generation: 1, session })
      pass(shop, 1)
    }
    open(false)
    assert.deepEqual(sent(shop), [])
    open(true)
    assert.deepEqual(sent(shop), [`${EMAIL} new_device 1`])
  })

  it('sends the daily summary each morning at seven from the day on which a member wants it', async () => {
    const shop = await openShop()
    shop.fixture.do({ type: 'SetNotices', userId: shop.userId, email: { daily_summary: true } })
    for (let hours = 0; hours < 49; hours++) pass(shop, HOUR_MS)
    assert.deepEqual(sent(shop), Array(2).fill(`${EMAIL} daily_summary 1`))
    shop.fixture.do({ type: 'SetNotices', userId: shop.userId, email: { daily_summary: false } })
    for (let hours = 0; hours < 49; hours++) pass(shop, HOUR_MS)
    assert.equal(sent(shop).length, 2)
    assert.equal(shop.fixture.state.notices.rows.size, 0)
  })

  for (const [zone, hour] of [
    ['Africa/Lagos', 6],
    ['Atlantic/Cape_Verde', 8],
  ] as const) {
    it(`sends the daily summary at seven in ${zone}, about the day there, and none twice when the time zone changes`, async () => {
      const shop = await openShop()
      const { fixture, userId } = shop
      fixture.do({ type: 'SetNotices', userId, email: { daily_summary: true } })
      const { id: merchantId = '' } = fixture.state.merchants.byAccount(shop.live) ?? {}
      const actedBy = { kind: 'member', id: userId, name: EMAIL } as const
      fixture.do({ type: 'SetMerchantAccount', merchantId, timeZone: zone, actedBy, logosBase: '' })
      const leftAt: number[] = []
      for (let minutes = 0; minutes < 48 * 60; minutes += 30) {
        const before = sent(shop).length
        pass(shop, 30 * MINUTE_MS)
        if (sent(shop).length > before) leftAt.push(Math.floor((fixture.loop.nowMs % (24 * HOUR_MS)) / HOUR_MS))
      }
      assert.deepEqual(leftAt, [hour, hour])
      fixture.do({ type: 'SetMerchantAccount', merchantId, timeZone: 'Africa/Dakar', actedBy, logosBase: '' })
      assert.equal(([...fixture.state.notices.rows.values()][0]?.due_ms ?? 0) % (24 * HOUR_MS), 7 * HOUR_MS)
      assert.equal(sent(shop).length, 2, 'a change sends nothing')
    })
  }

  it('tells who may approve a disbursement that it waits, and all that it is short of money and done', async () => {
    const shop = await openShop()
    const { fixture, live } = shop
    openLiveWallet(fixture, '+221770000001', 'fatou')
    const steps = new DisbursementSteps(fixture, live)
    const [line] = readBatchLines([{ recipient: '+221770000001', amount: 300 }])
    const lines = line === undefined ? [] : [line]
    steps.start(steps.create({ lines }).id)
    pass(shop, 1)
    assert.deepEqual(sent(shop), [`${EMAIL} disbursement 1`])
    pass(shop, 11 * MINUTE_MS)
    fixture.do({ type: 'SetPayoutPolicy', merchant: live, approvalAbove: 100 })
    steps.start(steps.create({ lines }).id)
    pass(shop, 1)
    assert.deepEqual(sent(shop).at(-1), `${EMAIL} approval_wanted 1`)
  })

  it('lets a cashier choose notices of its own logins alone', async () => {
    const { fixture, userId } = await openShop()
    const link = { tokenHash: 'link', email: { to: 'caisse@boutique.example', sealed: 'sealed' } }
    fixture.do({ type: 'InviteMember', userId, email: 'caisse@boutique.example', role: 'cashier', link })
    const session = { tokenHash: 'session c', userAgent: 'Firefox' }
    fixture.do({ type: 'AcceptInvitation', tokenHash: 'link', passwordHash: 'password', session })
    const cashier = fixture.state.dashboard.userByEmail('caisse@boutique.example')?.id ?? ''
    const set = (email: object) => outcomeStatus(fixture.do({ type: 'SetNotices', userId: cashier, email }))
    assert.equal(set({ new_device: true }), 200)
    assert.equal(set({ withdrawal: true }), 403)
  })
})
