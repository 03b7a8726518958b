// The golden scenario of notices: choices of members, one that leaves at once, one of two events, one that rests, and a daily summary.
import { confirmTopUp, requested, requestTopUp } from '../support/cash-request-commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export function playNotices(fixture: EngineFixture): void {
  const email = 'compta@boutique.example'
  const session = { tokenHash: 'session a', userAgent: 'Firefox' }
  must(fixture, { type: 'SignUpMerchant', merchantName: 'Boutique "Baobab"', email, passwordHash: 'password 1', session }, 201)
  const { id: userId = '', merchant_id = '' } = fixture.state.dashboard.userByEmail(email) ?? {}
  const live = fixture.state.merchants.merchants.get(merchant_id)?.accounts.live ?? 0
  must(fixture, { type: 'SetNotices', userId, email: { daily_summary: true, withdrawal: false } }, 200, 'choose')
  must(fixture, { type: 'SetNotices', userId, email: { daily_summary: true } }, 200, 'the same again')
  const topUp = (): string => requested(fixture, requestTopUp(live, 500))
  must(fixture, confirmTopUp(topUp()), 200, 'at once')
  must(fixture, confirmTopUp(topUp()), 200, 'gathered')
  must(fixture, { type: 'RefuseTopUp', id: topUp(), reason: 'Rien n’est arrivé.' }, 200, 'gathered too')
  pass(fixture, 11 * MINUTE_MS)
  pass(fixture, 11 * MINUTE_MS)
  pass(fixture, DAY_MS)
  const opened = { tokenHash: 'session b', userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0', isNewDevice: true }
  must(fixture, { type: 'OpenDashboardSession', userId, countKey: 'count', generation: 1, session: opened }, 200)
  must(fixture, { type: 'ReadNews', userId, merchantCount: 2, ownCount: 9 }, 200, 'read some')
  must(fixture, { type: 'ReadNews', userId: 'ghost', merchantCount: 2, ownCount: 0 }, 404, 'read without a member')
  must(fixture, confirmTopUp(topUp()), 200)
  must(fixture, confirmTopUp(topUp()), 200, 'waits')
}

function pass(fixture: EngineFixture, byMs: number): void {
  fixture.loop.advance(byMs)
  fixture.settle()
}
