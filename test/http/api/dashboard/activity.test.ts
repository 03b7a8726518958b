// Activity of a merchant over HTTP: who did what, for owners.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ActivityRow } from '../../../../engine/contract/activity.ts'
import { signUp } from '../../../support/dashboard-callers.ts'
import { DISBURSEMENTS, newDisbursement, openPayroll, type Payroll } from '../../../support/disbursement-callers.ts'
import { joined } from '../../../support/member-callers.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

interface Page {
  readonly data: readonly ActivityRow[]
  readonly next_cursor: string | null
}

const PATH = '/v1/dashboard/activity'
let server: TestServer

before(async () => {
  server = await ownServer()
})

after(() => server.close())

async function rows({ owner }: Payroll, query = ''): Promise<readonly ActivityRow[]> {
  const { status, body, text } = await owner.get<Page>(`${PATH}${query}`)
  assert.equal(status, 200, text)
  return body.data
}

test('an owner reads who made, started and rejected a bulk payout, who set the policy, and who made, limited and revoked a key', async () => {
  const payroll = await openPayroll(server, 0)
  const { owner, key, other, tag } = payroll
  const { id } = await newDisbursement(key, { reference: 'PAIE', items: [{ recipient: tag, amount: 100 }] })
  await ok(owner.post(`${DISBURSEMENTS}/${id}/start`, {}, newKey()))
  await ok(other.post(`${DISBURSEMENTS}/${id}/reject`, { reason: 'Trop tôt' }, newKey()))
  const made = await ok(owner.post('/v1/dashboard/api-keys', { environment: 'test', scopes: [], label: 'Caisse' }))
  await ok(owner.request('PUT', `/v1/dashboard/api-keys/${made.body.id}/limits`, { json: { day_max: 10 } }))
  await ok(owner.request('DELETE', `/v1/dashboard/api-keys/${made.body.id}`))
  const all = await rows(payroll)
  assert.deepEqual(
    all.map(({ action, by }) => `${action} ${by.kind}`),
    [
      'api_key.revoke member',
      'api_key.limits_set member',
      'api_key.create member',
      'disbursement.reject key',
      'disbursement.start member',
      'disbursement.create key',
      'payout_policy.set member',
      'api_key.create member',
      'session.open member',
    ],
  )
  const { at: _at, by, ...rejected } = all[3] as ActivityRow
  assert.deepEqual(rejected, {
    action: 'disbursement.reject',
    summary: 'Versement groupé rejeté',
    environment: 'test',
    disbursement_id: id,
    ...{ amount: 100, currency: 'XOF' },
    reference: 'PAIE',
    reason: 'Trop tôt',
  })
  assert.deepEqual(
    (await rows(payroll, `?by=${by.id}`)).map(({ action }) => action),
    ['disbursement.reject'],
  )
  assert.equal((await rows(payroll, '?action=api_key.create')).length, 2)
})

test('pages follow each other without a gap, and the other environment and another merchant see none of the acts', async () => {
  const payroll = await openPayroll(server, 0)
  const all = await rows(payroll)
  const first = await payroll.owner.get<Page>(`${PATH}?limit=1`)
  const second = await payroll.owner.get<Page>(`${PATH}?limit=100&cursor=${first.body.next_cursor}`)
  assert.deepEqual([...first.body.data, ...second.body.data], all)
  const live = await payroll.owner.with({ 'x-environment': 'live' }).get<Page>(PATH)
  assert.deepEqual(
    live.body.data.map(({ action }) => action),
    ['session.open'],
  )
  const stranger = await signUp(server)
  const theirs = await stranger.browser.with({ 'x-environment': 'test' }).get<Page>(PATH)
  assert.deepEqual(
    theirs.body.data.map(({ action }) => action),
    ['session.open'],
  )
})

test('a manager, a cashier and a viewer are refused', async () => {
  const owner = await signUp(server)
  for (const role of ['manager', 'cashier', 'viewer'] as const) {
    const { browser } = await joined(server, owner, role)
    const { status, body } = await browser.get<{ code?: string }>(PATH)
    assert.equal(`${status} ${body.code}`, '403 insufficient_role')
  }
})
