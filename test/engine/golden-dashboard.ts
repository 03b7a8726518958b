// The scenario behind the golden file of the dashboard's accounts.

import type { EngineFixture } from '../support/engine-fixture.ts'
import { must, newestId } from './golden-steps.ts'

const MINUTE_MS = 60_000

export function playDashboard(fixture: EngineFixture): void {
  const session = (name: string) => ({ tokenHash: `session ${name}`, userAgent: 'Firefox' })
  const email = 'compta@boutique.example'
  const signUp = { type: 'SignUpMerchant', merchantName: 'Boutique "Baobab"', email, passwordHash: 'password 1' } as const
  must(fixture, { ...signUp, session: session('a') }, 201)
  must(fixture, { ...signUp, session: session('b') }, 409)
  const user = fixture.state.dashboard.userByEmail(email)
  const userId = user?.id ?? ''
  const merchantId = user?.merchant_id ?? ''
  const open = { type: 'OpenDashboardSession', userId, countKey: 'count', generation: 1 } as const
  const wrong = { type: 'CountWrongPassword', countKey: 'count' } as const
  must(fixture, wrong, 401)
  must(fixture, { ...open, session: session('b') }, 200)
  for (let tries = 1; tries < 10; tries++) must(fixture, wrong, 401)
  must(fixture, wrong, 429)
  must(fixture, { ...open, session: session('c') }, 429)
  fixture.loop.nowMs += 16 * MINUTE_MS
  must(fixture, { ...open, session: session('c') }, 200)
  const [first, second] = fixture.state.dashboard.sessionsOf(userId)
  must(fixture, { type: 'CloseDashboardSession', userId, sessionId: first?.id ?? '' }, 200)
  const change = { type: 'ChangePassword', userId, countKey: 'count', generation: 1, passwordHash: 'password 2' } as const
  must(fixture, { ...change, sessionId: second?.id ?? '' }, 200)
  must(fixture, { ...open, session: session('d') }, 401)
  const key = { merchantId, environment: 'live', label: '', publicKey: 'pk_live_golden', secretHash: 'ab'.repeat(32) } as const
  must(fixture, { type: 'CreateApiKey', ...key, scopes: [], sealedSecret: 'sealed', by: 'dashboard' }, 201)
  must(fixture, { type: 'RevokeApiKey', merchantId, keyId: newestId(fixture), by: 'dashboard' }, 200)
  must(fixture, wrong, 401)
}

export function playKeyUses(fixture: EngineFixture): void {
  const email = 'compta@boutique.example'
  const session = { tokenHash: 'session a', userAgent: 'Firefox' }
  must(fixture, { type: 'SignUpMerchant', merchantName: 'Boutique', email, passwordHash: 'password 1', session }, 201)
  const merchantId = fixture.state.dashboard.userByEmail(email)?.merchant_id ?? ''
  const key = (name: string) => ({ merchantId, environment: 'test', label: '', publicKey: name, secretHash: 'ab'.repeat(32) }) as const
  const made = { type: 'CreateApiKey', scopes: [], sealedSecret: 'sealed', by: 'dashboard' } as const
  must(fixture, { ...made, ...key('pk_test_one') }, 201)
  must(fixture, { ...made, ...key('pk_test_two') }, 201)
  must(fixture, { type: 'NoteKeyUses', publicKeys: ['pk_test_one', 'pk_test_two', 'pk_test_gone'] }, 200)
  must(fixture, { type: 'RevokeApiKey', merchantId, keyId: newestKeyId(fixture, 'pk_test_two'), by: 'dashboard' }, 200)
  must(fixture, { type: 'NoteKeyUses', publicKeys: ['pk_test_two'] }, 200)
}

function newestKeyId(fixture: EngineFixture, publicKey: string): string {
  return fixture.state.merchants.apiKeys.get(publicKey)?.id ?? ''
}
