// The scenario behind the golden file of the dashboard's accounts.

import type { EngineFixture } from '../support/engine-fixture.ts'
import { must, newestId } from './golden-steps.ts'

const MINUTE_MS = 60_000

export function playDashboard(stage: EngineFixture): void {
  const session = (name: string) => ({ tokenHash: `session ${name}`, userAgent: 'Firefox' })
  const email = 'compta@boutique.example'
  const signUp = { type: 'SignUpMerchant', merchantName: 'Boutique "Baobab"', email, passwordHash: 'password 1' } as const
  must(stage, { ...signUp, session: session('a') }, 201)
  must(stage, { ...signUp, session: session('b') }, 409)
  const user = stage.state.dashboard.userByEmail(email)
  const userId = user?.id ?? ''
  const merchantId = user?.merchant_id ?? ''
  const open = { type: 'OpenDashboardSession', userId, countKey: 'count', generation: 1 } as const
  const wrong = { type: 'CountWrongPassword', countKey: 'count' } as const
  must(stage, wrong, 401)
  must(stage, { ...open, session: session('b') }, 200)
  for (let tries = 1; tries < 10; tries++) must(stage, wrong, 401)
  must(stage, wrong, 429)
  must(stage, { ...open, session: session('c') }, 429)
  stage.loop.nowMs += 16 * MINUTE_MS
  must(stage, { ...open, session: session('c') }, 200)
  const [first, second] = stage.state.dashboard.sessionsOf(userId)
  must(stage, { type: 'CloseDashboardSession', userId, sessionId: first?.id ?? '' }, 200)
  const change = { type: 'ChangePassword', userId, countKey: 'count', generation: 1, passwordHash: 'password 2' } as const
  must(stage, { ...change, sessionId: second?.id ?? '' }, 200)
  must(stage, { ...open, session: session('d') }, 401)
  const key = { merchantId, environment: 'live', label: '', publicKey: 'pk_live_golden', secretHash: 'ab'.repeat(32) } as const
  must(stage, { type: 'CreateApiKey', ...key, scopes: [], sealedSecret: 'sealed', by: 'dashboard' }, 201)
  must(stage, { type: 'RevokeApiKey', merchantId, keyId: newestId(stage) }, 200)
  must(stage, wrong, 401)
}

export function playKeyUses(stage: EngineFixture): void {
  const email = 'compta@boutique.example'
  const session = { tokenHash: 'session a', userAgent: 'Firefox' }
  must(stage, { type: 'SignUpMerchant', merchantName: 'Boutique', email, passwordHash: 'password 1', session }, 201)
  const merchantId = stage.state.dashboard.userByEmail(email)?.merchant_id ?? ''
  const key = (name: string) => ({ merchantId, environment: 'test', label: '', publicKey: name, secretHash: 'ab'.repeat(32) }) as const
  const made = { type: 'CreateApiKey', scopes: [], sealedSecret: 'sealed', by: 'dashboard' } as const
  must(stage, { ...made, ...key('pk_test_one') }, 201)
  must(stage, { ...made, ...key('pk_test_two') }, 201)
  must(stage, { type: 'NoteKeyUses', publicKeys: ['pk_test_one', 'pk_test_two', 'pk_test_gone'] }, 200)
  must(stage, { type: 'RevokeApiKey', merchantId, keyId: newestKeyId(stage, 'pk_test_two') }, 200)
  must(stage, { type: 'NoteKeyUses', publicKeys: ['pk_test_two'] }, 200)
}

function newestKeyId(stage: EngineFixture, publicKey: string): string {
  return stage.state.merchants.apiKeys.get(publicKey)?.id ?? ''
}
