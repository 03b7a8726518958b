// Ends of a merchant's streams with their key or session, at the record that ends it: no heartbeat comes in these tests.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Command } from '../../../../engine/domain/command.ts'
import { heldQuotas } from '../../../../http/api/operator/served-quotas.ts'
import { MerchantHub } from '../../../../http/api/stream/merchant-hub.ts'
import { openMerchantStream } from '../../../../http/api/stream/merchant-stream-routes.ts'
import type { MerchantPrincipal, SessionPrincipal } from '../../../../http/server/principal.ts'
import { CALLER } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { Reader } from '../../../support/stream-fixture.ts'
import { unpaced } from '../../../support/unpaced.ts'

before(unpaced)

const EMAIL = 'awa@boutique.example'
const session = (name: string) => ({ tokenHash: `session ${name}`, userAgent: 'Firefox' })

/** A merchant with two keys and two sessions, each with a stream, and a hub on the engine's durable records. */
async function openStreams() {
  const fixture = await EngineFixture.open()
  const { engine, loop, state } = fixture
  const confirmation = { tokenHash: 'confirm', email: { to: EMAIL, sealed: 'sealed' } }
  fixture.do({ type: 'SignUpMerchant', merchantName: 'Boutique', email: EMAIL, passwordHash: 'p', session: session('one'), confirmation })
  const user = state.dashboard.userByEmail(EMAIL)
  const merchant = user === undefined ? null : engine.query('merchants.byId', { id: user.merchant_id })
  assert.ok(user !== undefined && merchant !== null)
  const userId = user.id
  fixture.do({ type: 'OpenDashboardSession', userId, countKey: 'count', generation: 1, session: session('two') })
  const keyOf = (publicKey: string): string => {
    const key = { environment: 'test', scopes: [], label: '', publicKey, secretHash: 'hash', sealedSecret: 'sealed' } as const
    const { kind, body } = fixture.do({ type: 'CreateApiKey', merchantId: merchant.id, ...key, by: 'dashboard' })
    assert.equal(kind, 'created')
    return (JSON.parse(body) as { id: string }).id
  }
  const keyId = keyOf('pk_test_one')
  keyOf('pk_test_two')
  const sessionOf = (name: string) => engine.query('dashboardSessions.byToken', { tokenHash: session(name).tokenHash })
  const hub = new MerchantHub({
    engine,
    clock: loop,
    scheduler: loop,
    quotas: heldQuotas(),
    onFailure: (error) => assert.fail(String(error)),
  })
  const parts = { engine, outside: { merchantStreams: hub } }
  const listen = (principal: object): Reader => {
    const reader = new Reader()
    const common = { kind: 'merchant', merchant, environment: 'test', account: merchant.accounts.test, scopes: [], caller: CALLER }
    const call = { lastEventId: '', stream: () => reader, refuse: (code: string) => assert.fail(code) }
    openMerchantStream(parts, call as never, { ...common, ...principal } as MerchantPrincipal | SessionPrincipal, { lastEventId: null })
    return reader
  }
  const streams = {
    'key one': listen({ publicKey: 'pk_test_one' }),
    'key two': listen({ publicKey: 'pk_test_two' }),
    'session one': listen({ session: sessionOf('one') }),
    'session two': listen({ session: sessionOf('two') }),
  }
  /** Returns the streams that have ended. */
  const endedBy = (command: Command): string[] => {
    const seen = fixture.records.length
    const { kind, body } = fixture.do(command)
    assert.ok(kind === 'ok' || kind === 'created', body)
    for (const record of fixture.records.slice(seen)) hub.record(record)
    return Object.entries(streams).flatMap(([name, { ended }]) => (ended === null ? [] : [name]))
  }
  return { endedBy, userId, merchantId: merchant.id, keyId, sessionId: sessionOf('two')?.id ?? '', ownId: sessionOf('one')?.id ?? '' }
}

for (const by of ['dashboard', 'operator'] as const) {
  test(`the stream of a key ends with its revocation by the ${by}, before any heartbeat, and no other does`, async () => {
    const { endedBy, merchantId, keyId } = await openStreams()
    assert.deepEqual(endedBy({ type: 'RevokeApiKey', merchantId, keyId, by }), ['key one'])
  })
}

test('the stream of a session ends with its logout, before any heartbeat, and no other does', async () => {
  const { endedBy, userId, sessionId } = await openStreams()
  assert.deepEqual(endedBy({ type: 'CloseDashboardSession', userId, sessionId }), ['session two'])
})

test('the streams of other sessions end with a new password, before any heartbeat', async () => {
  const { endedBy, userId, ownId } = await openStreams()
  const change = { type: 'ChangePassword', userId, generation: 1, countKey: 'count', passwordHash: 'q', sessionId: ownId } as const
  assert.deepEqual(endedBy(change), ['session two'])
})
