// Who is calling: key pairs, the operator's token, and what stands between a caller and a route.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { EngineApi } from '../../../../engine/api.ts'
import type { ApiKeyRow, Merchants, Scope } from '../../../../engine/domain/merchant/merchant-state.ts'
import type { Environment } from '../../../../engine/kernel/environment.ts'
import { Authenticator } from '../../../../http/auth/authenticate.ts'
import { ApiKeys, newApiKey } from '../../../../http/auth/keys/api-keys.ts'
import { ROOT_PRINCIPAL } from '../../../../http/auth/operator/operator.ts'
import type { MerchantPrincipal, RouteShape } from '../../../../http/server/route.ts'
import { forbidden, idempotencyScope } from '../../../../http/server/route-guards.ts'
import type { Credentials } from '../../../../http/server/server-context.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

const CREATED_AT = '2026-11-20T10:00:00.000Z'

interface Pair {
  readonly publicKey: string
  readonly secretKey: string
}

interface OneMerchant {
  readonly engine: EngineApi
  readonly merchants: Merchants
}

async function newMerchants(): Promise<OneMerchant> {
  const fixture = await EngineFixture.open()
  const { merchants } = fixture.state
  merchants.merchants.set('m1', {
    id: 'm1',
    name: 'Awa',
    email: 'awa@example.com',
    currency: 'XOF',
    accounts: { live: 4, test: 5 },
    created_at: CREATED_AT,
  })
  return { engine: fixture.engine, merchants }
}

function addKey(merchants: Merchants, environment: Environment, scopes: readonly Scope[]): Pair {
  const { publicKey, secretKey, secretHash } = newApiKey(environment)
  const row: ApiKeyRow = {
    id: publicKey,
    merchant_id: 'm1',
    environment,
    scopes,
    label: '',
    public_key: publicKey,
    secret_hash: secretHash,
    created_at: CREATED_AT,
  }
  merchants.apiKeys.set(publicKey, row)
  return { publicKey, secretKey }
}

test('a new pair says its environment, has 256 random bits, and leaves only a hash', () => {
  const one = newApiKey('test')
  const other = newApiKey('live')
  assert.match(one.publicKey, /^pk_test_[A-Za-z0-9_-]{24}$/)
  assert.match(one.secretKey, /^sk_test_[A-Za-z0-9_-]{43}$/)
  assert.match(other.secretKey, /^sk_live_/)
  assert.notEqual(one.secretKey.slice(8), other.secretKey.slice(8))
  assert.equal(one.secretHash, createHash('sha256').update(one.secretKey).digest('hex'))
})

test('a right pair is its merchant, in the environment of the key', async () => {
  const { engine, merchants } = await newMerchants()
  const { publicKey, secretKey } = addKey(merchants, 'test', ['billers.write'])
  const principal = new ApiKeys(engine).check(publicKey, secretKey)
  assert.equal(principal?.merchant.id, 'm1')
  assert.equal(principal.environment, 'test')
  assert.equal(principal.account, 5)
  assert.deepEqual(principal.scopes, ['billers.write'])
})

test('every other credential is rejected', async () => {
  const { engine, merchants } = await newMerchants()
  const mine = addKey(merchants, 'test', [])
  const other = addKey(merchants, 'live', [])
  const keys = new ApiKeys(engine)
  const rows: readonly (readonly [name: string, publicKey: string, secret: string])[] = [
    ['neither', '', ''],
    ['no secret', mine.publicKey, ''],
    ['no key', '', mine.secretKey],
    ['the secret of another key', mine.publicKey, other.secretKey],
    ['an unknown key', 'pk_test_unknown', mine.secretKey],
    ['both swapped', mine.secretKey, mine.publicKey],
    ['a secret with something behind it', mine.publicKey, `${mine.secretKey}x`],
    ['a secret cut short', mine.publicKey, mine.secretKey.slice(0, -1)],
    ['a secret in capitals', mine.publicKey, mine.secretKey.toUpperCase()],
    ['a name of Object.prototype', 'constructor', mine.secretKey],
    ['a key longer than any', 'p'.repeat(10_000), mine.secretKey],
    ['a secret longer than any', mine.publicKey, 's'.repeat(10_000)],
    ['the hash itself', mine.publicKey, createHash('sha256').update(mine.secretKey).digest('hex')],
  ]
  for (const [name, publicKey, secret] of rows) assert.equal(keys.check(publicKey, secret), null, name)
  assert.notEqual(keys.check(mine.publicKey, mine.secretKey), null)
})

test('every byte of the stored hash is compared', async () => {
  const { engine, merchants } = await newMerchants()
  const { publicKey, secretKey } = addKey(merchants, 'test', [])
  const keys = new ApiKeys(engine)
  const row = merchants.apiKeys.get(publicKey) as ApiKeyRow
  for (let at = 0; at < 32; at++) {
    const changed = Buffer.from(row.secret_hash, 'hex')
    changed[at] = (changed[at] as number) ^ 1
    merchants.apiKeys.set(publicKey, { ...row, secret_hash: changed.toString('hex') })
    assert.equal(keys.check(publicKey, secretKey), null, `byte ${at}`)
  }
  merchants.apiKeys.set(publicKey, row)
  assert.notEqual(keys.check(publicKey, secretKey), null)
})

test('a hash matches as a whole, not as the beginning or the end of a longer one', async () => {
  const { engine, merchants } = await newMerchants()
  const { publicKey, secretKey } = addKey(merchants, 'test', [])
  const keys = new ApiKeys(engine)
  const row = merchants.apiKeys.get(publicKey) as ApiKeyRow
  const hash = Buffer.from(row.secret_hash, 'hex').toString('base64url')
  assert.notEqual(keys.check(publicKey, secretKey, hash), null)
  for (const other of [`${hash}A`, hash.slice(0, -1), hash.slice(1)]) assert.equal(keys.check(publicKey, secretKey, other), null, other)
  for (const stored of [row.secret_hash.slice(0, -2), '']) {
    merchants.apiKeys.set(publicKey, { ...row, secret_hash: stored })
    assert.equal(keys.check(publicKey, secretKey, hash), null, `stored: ${stored}`)
  }
})

test('the zero hash that unknown keys are compared with opens nothing', async () => {
  const { engine, merchants } = await newMerchants()
  const { publicKey } = addKey(merchants, 'test', [])
  merchants.apiKeys.set(publicKey, { ...(merchants.apiKeys.get(publicKey) as ApiKeyRow), secret_hash: '00'.repeat(32) })
  assert.equal(new ApiKeys(engine).check('pk_test_unknown', 'anything'), null)
})

test('an empty secret opens nothing, also where the stored hash is that of an empty text', async () => {
  const { engine, merchants } = await newMerchants()
  const { publicKey } = addKey(merchants, 'test', [])
  const ofNothing = createHash('sha256').update('').digest('hex')
  merchants.apiKeys.set(publicKey, { ...(merchants.apiKeys.get(publicKey) as ApiKeyRow), secret_hash: ofNothing })
  assert.equal(new ApiKeys(engine).check(publicKey, ''), null)
})

test('a key that is gone, or whose secret changed, stops working at once', async () => {
  const { engine, merchants } = await newMerchants()
  const { publicKey, secretKey } = addKey(merchants, 'test', [])
  const keys = new ApiKeys(engine)
  assert.notEqual(keys.check(publicKey, secretKey), null)
  const renewed = newApiKey('test')
  merchants.apiKeys.set(publicKey, { ...(merchants.apiKeys.get(publicKey) as ApiKeyRow), secret_hash: renewed.secretHash })
  assert.equal(keys.check(publicKey, secretKey), null)
  assert.notEqual(keys.check(publicKey, renewed.secretKey), null)
  merchants.apiKeys.delete(publicKey)
  assert.equal(keys.check(publicKey, renewed.secretKey), null)
})

test('a merchant that was changed is seen as it is now', async () => {
  const { engine, merchants } = await newMerchants()
  const { publicKey, secretKey } = addKey(merchants, 'test', [])
  const keys = new ApiKeys(engine)
  const before = keys.check(publicKey, secretKey)
  assert.equal(keys.check(publicKey, secretKey), before, 'nothing is made anew while nothing changes')
  merchants.merchants.set('m1', { ...(before as MerchantPrincipal).merchant, name: 'Awa et fils' })
  assert.equal(keys.check(publicKey, secretKey)?.merchant.name, 'Awa et fils')
})

const NOTHING: Credentials = { apiKey: '', apiSecret: '', authorization: '', cookie: '', environment: '' }
const TOKEN = 'a-token-of-the-operator'
const HERE = { remoteAddress: '192.0.2.1' }

test('the operator is who holds the token', async () => {
  const authenticator = new Authenticator((await newMerchants()).engine, TOKEN)
  const answer = (authorization: string) => authenticator.authenticate('operator', { ...NOTHING, authorization }, HERE)
  assert.equal(answer(`Bearer ${TOKEN}`), ROOT_PRINCIPAL)
  assert.equal(answer(`bearer  ${TOKEN} `), ROOT_PRINCIPAL)
  for (const wrong of [
    '',
    'Bearer',
    'Bearer ',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN} ${TOKEN}`,
  ]) {
    assert.equal(answer(wrong), 'unauthorized', wrong)
  }
})

for (const setting of [null, '']) {
  test(`with the token ${JSON.stringify(setting)} the operator's routes do not exist for any request`, async () => {
    const authenticator = new Authenticator((await newMerchants()).engine, setting)
    for (const authorization of ['', 'Bearer ', 'Bearer null', 'Bearer x']) {
      assert.equal(authenticator.authenticate('operator', { ...NOTHING, authorization }, HERE), 'not_found')
    }
  })
}

test('a key pair opens key routes and no others, the operator token opens no key route', async () => {
  const { engine, merchants } = await newMerchants()
  const { publicKey, secretKey } = addKey(merchants, 'live', [])
  const authenticator = new Authenticator(engine, TOKEN)
  const pair = { ...NOTHING, apiKey: publicKey, apiSecret: secretKey }
  assert.equal((authenticator.authenticate('key', pair, HERE) as MerchantPrincipal).kind, 'merchant')
  assert.equal((authenticator.authenticate('key-or-session', pair, HERE) as MerchantPrincipal).kind, 'merchant')
  assert.equal(authenticator.authenticate('operator', pair, HERE), 'unauthorized')
  assert.equal(authenticator.authenticate('wallet', pair, HERE), 'unauthorized')
  assert.equal(authenticator.authenticate('session', pair, HERE), 'unauthorized')
  assert.equal(authenticator.authenticate('key', { ...NOTHING, authorization: `Bearer ${TOKEN}` }, HERE), 'unauthorized')
  assert.deepEqual(authenticator.authenticate('public', pair, HERE), { kind: 'public' })
})

test('scopes and test-only routes are enforced', async () => {
  const { engine, merchants } = await newMerchants()
  const keys = new ApiKeys(engine)
  const principalOf = (environment: Environment, scopes: readonly Scope[]) => {
    const { publicKey, secretKey } = addKey(merchants, environment, scopes)
    return keys.check(publicKey, secretKey) as MerchantPrincipal
  }
  const payouts = { scope: 'disbursements.write' } as RouteShape
  const helpers = { testOnly: true } as RouteShape
  const both = { ...payouts, ...helpers }
  assert.equal(forbidden(payouts, principalOf('live', ['disbursements.write'])), null)
  assert.equal(forbidden(payouts, principalOf('live', ['billers.write'])), 'insufficient_scope')
  assert.equal(forbidden(helpers, principalOf('test', [])), null)
  assert.equal(forbidden(helpers, principalOf('live', [])), 'test_only')
  assert.equal(forbidden(both, principalOf('live', [])), 'insufficient_scope')
  assert.equal(forbidden(both, ROOT_PRINCIPAL), null)
})

test('Idempotency-Keys belong to merchant and environment, to the operator, or to no caller', async () => {
  const { engine, merchants } = await newMerchants()
  const keys = new ApiKeys(engine)
  const scopes = (['live', 'test'] as const).map((environment) => {
    const { publicKey, secretKey } = addKey(merchants, environment, [])
    return idempotencyScope(keys.check(publicKey, secretKey) as MerchantPrincipal)
  })
  const all = [...scopes, idempotencyScope(ROOT_PRINCIPAL)]
  assert.equal(new Set(all).size, 3)
  assert.ok(all.every((scope) => scope !== null && scope !== ''))
  assert.equal(idempotencyScope({ kind: 'public' }), null)
})
