// Operators with a name over the API: what each role may do, tokens that end, and movements that need a second person.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { OperatorRole } from '../../../../engine/contract/operator.ts'
import { OPERATOR_ROLES } from '../../../../engine/contract/operator.ts'
import { newEmail } from '../../../support/dashboard-callers.ts'
import { mailedCount, mailedOperatorToken } from '../../../support/member-callers.ts'
import { type NamedOperator, newOperator } from '../../../support/operator-callers.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'

const ABOVE = 100_000
let server: TestServer
let merchant: Merchant
let operators: Readonly<Record<OperatorRole, NamedOperator>>

before(async () => {
  server = await ownServer({ OPERATOR_DUAL_CONTROL: String(ABOVE), OPERATOR_DAY_CONTROL: String(ABOVE) })
  merchant = await server.merchant()
  const named: [OperatorRole, NamedOperator][] = []
  for (const role of ['admin', 'finance', 'curator', 'support'] as const) named.push([role, await newOperator(server, role)])
  operators = Object.fromEntries(named) as typeof operators
})

after(() => server.close())

interface Waiting {
  readonly id: string
  readonly state: string
  readonly requested_by: { readonly name: string }
}

const live = ({ id }: Merchant, amount: number): object => ({ merchant_id: id, environment: 'live', amount })

function deposit(client: NamedOperator['client'], amount: number, environment = 'live') {
  return client.post<Waiting>('/v1/operator/deposits', { merchant_id: merchant.id, environment, amount }, newKey())
}

const WRITES: readonly { readonly name: string; readonly role: OperatorRole; readonly path: string; readonly body: () => object }[] = [
  { name: 'a merchant', role: 'admin', path: '/v1/operator/merchants', body: () => ({ name: 'Boutique', email: newEmail() }) },
  {
    name: 'an operator',
    role: 'admin',
    path: '/v1/operator/operators',
    body: () => ({ name: 'Awa', email: newEmail(), role: 'support' }),
  },
  {
    name: 'a deposit',
    role: 'finance',
    path: '/v1/operator/deposits',
    body: () => ({ merchant_id: merchant.id, environment: 'test', amount: 5 }),
  },
  { name: 'a decision about a biller', role: 'curator', path: '/v1/operator/billers/none/reinstate', body: () => ({}) },
]

for (const { name, role, path, body } of WRITES) {
  test(`${name} is for the role ${role} alone`, async () => {
    for (const other of OPERATOR_ROLES) {
      const { status, body: answer } = await operators[other].client.post(path, body(), newKey())
      if (other === role) assert.ok([201, 404].includes(status), `${other}: ${status}`)
      else assert.deepEqual([status, answer.code], [403, 'insufficient_role'], other)
    }
  })
}

test('every role reads, and the lists hold no token', async () => {
  for (const path of ['merchants', 'operators', 'approvals', 'audit', 'ledger/trial-balance', 'billers']) {
    for (const { client } of Object.values(operators)) {
      const { status, text } = await client.get(`/v1/operator/${path}`)
      assert.equal(status, 200, path)
      assert.doesNotMatch(text, /operator_[A-Za-z0-9_-]{43}|token_hash/)
    }
  }
})

test('support alone reads the phone of a wallet masked, until it asks for it with a reason', async () => {
  const tag = await server.wallet(merchant)
  const find = async (role: OperatorRole): Promise<string> => {
    const { body } = await operators[role].client.get<{ data: { phone: string }[] }>(`/v1/operator/wallets?q=${tag}`)
    return body.data[0]?.phone ?? ''
  }
  const phone = await find('finance')
  assert.match(phone, /^\+\d{13}$/)
  assert.deepEqual([await find('admin'), await find('curator')], [phone, phone])
  assert.equal(await find('support'), `${phone.slice(0, 4)}••••••••${phone.slice(-2)}`)
  const show = (body: object) => operators.support.client.post<Record<string, unknown>>(`/v1/operator/wallets/${tag}/phone`, body, newKey())
  assert.deepEqual([(await show({ environment: 'test' })).status, (await show({ reason: 'Rappel' })).status], [400, 404])
  const shown = await show({ reason: 'Rappel', environment: 'test' })
  assert.deepEqual([shown.status, shown.body], [200, { tag, phone, environment: 'test' }])
  const { body } = await operators.admin.client.get<{ data: Record<string, unknown>[] }>(`/v1/operator/audit?tag=${tag}`)
  const { id, name } = operators.support
  assert.deepEqual(
    body.data.map(({ action, details, operator }) => [action, details, operator]),
    [['wallet.phone', { reason: 'Rappel' }, { id, name }]],
  )
})

test('the audit trail names the operator', async () => {
  await deposit(operators.finance.client, 7, 'test')
  const { body } = await operators.support.client.get<{ data: { action: string; operator: object }[] }>('/v1/operator/audit?limit=1')
  const { id, name } = operators.finance
  assert.deepEqual([body.data[0]?.action, body.data[0]?.operator], ['deposit.create', { id, name }])
})

test('a revoked operator is unauthorized at once', async () => {
  const { id, client } = await newOperator(server, 'support')
  assert.equal((await client.get('/v1/operator/audit')).status, 200)
  assert.equal((await server.operator.request('DELETE', `/v1/operator/operators/${id}`)).status, 200)
  assert.equal((await client.get('/v1/operator/audit')).status, 401)
})

test('a repeated creation shows the same token, another operator with the key gets one of its own', async () => {
  const key = newKey()
  const body = { name: 'Awa', email: newEmail(), role: 'support' }
  const first = await server.operator.post('/v1/operator/operators', body, key)
  const again = await server.operator.post('/v1/operator/operators', body, key)
  assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [201, first.text, 'true'])
  const taken = await operators.admin.client.post('/v1/operator/operators', body, key)
  assert.deepEqual([taken.status, taken.body.code], [409, 'email_taken'])
})

test('an operator for finance waits for another person, who is sent no token, and of two approvals one wins', async () => {
  const body = { name: 'Fatou', email: newEmail(), role: 'finance' }
  const key = newKey()
  const asked = await server.operator.post<{ id: string }>('/v1/operator/operators', body, key)
  assert.deepEqual([asked.status, asked.text.includes('token')], [202, false], 'who asks gets no token')
  assert.equal((await server.operator.post('/v1/operator/operators', body, key)).text, asked.text)
  const approve = (client: NamedOperator['client'], more = newKey()) =>
    client.post(`/v1/operator/operator-requests/${asked.body.id}/approve`, undefined, more)
  assert.equal((await approve(server.operator)).body.code, 'second_person_required')
  assert.equal((await approve(operators.finance.client)).body.code, 'insufficient_role')
  const list = await operators.support.client.get<{ data: Waiting[] }>('/v1/operator/operator-requests')
  assert.deepEqual([list.body.data[0]?.id, /operator_[\w-]{43}|token/.test(list.text)], [asked.body.id, false])
  const second = await newOperator(server, 'admin')
  const keys = [newKey(), newKey()]
  const answers = await Promise.all([approve(operators.admin.client, keys[0]), approve(second.client, keys[1])])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const winner = answers.findIndex(({ status }) => status === 200)
  const again = await approve(winner === 0 ? operators.admin.client : second.client, keys[winner])
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [answers[winner]?.text, 'true'])
  assert.doesNotMatch(again.text, /operator_[\w-]{43}/, 'who approves gets no token either')
  const token = await mailedOperatorToken(server, body.email)
  assert.equal((await server.anybody.with({ authorization: `Bearer ${token}` }).get('/v1/operator/audit')).status, 200)
})

test('a refused request for an operator sends no token', async () => {
  const email = newEmail()
  const { body } = await server.operator.post<{ id: string }>('/v1/operator/operators', { name: 'Moussa', email, role: 'admin' })
  const refuse = `/v1/operator/operator-requests/${body.id}/refuse`
  const refused = await operators.admin.client.post(refuse, { reason: 'Inconnu.' }, newKey())
  assert.deepEqual([refused.status, refused.body.state, refused.body.reason], [200, 'refused', 'Inconnu.'])
  assert.equal(await mailedCount(server, email), 0)
  assert.equal((await operators.admin.client.post(refuse, { reason: 'Inconnu.' }, newKey())).body.code, 'approval_not_waiting')
})

test('no one person revokes an administrator, and the administrator stops no one', async () => {
  const [asking, target] = [await newOperator(server, 'admin'), await newOperator(server, 'admin')]
  const revoke = (client: NamedOperator['client'], id = target.id) => client.request('DELETE', `/v1/operator/operators/${id}`)
  const asked = await revoke(asking.client)
  assert.deepEqual([asked.status, asked.body.kind, asked.body.operator_id, asked.body.state], [202, 'revoke', target.id, 'waiting'])
  assert.equal((await target.client.get('/v1/operator/audit')).status, 200)
  assert.equal((await revoke(server.operator)).body.code, 'approval_waiting')
  const path = `/v1/operator/operator-requests/${asked.body.id}`
  for (const client of [asking.client, target.client])
    assert.equal((await client.post(`${path}/approve`, undefined, newKey())).body.code, 'second_person_required')
  assert.equal((await target.client.post(`${path}/refuse`, { reason: 'Non.' }, newKey())).body.code, 'second_person_required')
  const approved = await server.operator.post(`${path}/approve`, undefined, newKey())
  assert.deepEqual([approved.status, approved.body.state], [200, 'approved'])
  assert.equal((await target.client.get('/v1/operator/audit')).status, 401)
})

test('what a revoked operator asked for is refused', async () => {
  const [teller, second] = [await newOperator(server, 'finance'), await newOperator(server, 'finance')]
  const asked = await deposit(teller.client, ABOVE + 1)
  assert.equal(asked.status, 202)
  assert.equal((await operators.admin.client.request('DELETE', `/v1/operator/operators/${teller.id}`)).status, 200)
  const path = `/v1/operator/approvals/${asked.body.id}`
  assert.equal((await second.client.post(`${path}/approve`, undefined, newKey())).body.code, 'approval_not_waiting')
  assert.equal((await second.client.get(path)).body.state, 'refused')
})

test('parts of a large amount wait for a second operator when their sum is above the limit, also at the same moment', async () => {
  const { client } = await newOperator(server, 'finance')
  const shop = await server.merchant()
  const parts = await Promise.all([1, 2, 3].map(() => client.post('/v1/operator/deposits', live(shop, ABOVE / 2), newKey())))
  assert.deepEqual(parts.map(({ status }) => status).sort(), [201, 201, 202])
  const waiting = parts.find(({ status }) => status === 202)?.body.id
  await client.post(`/v1/operator/approvals/${waiting}/refuse`, { reason: 'Une fois de trop.' }, newKey())
  assert.equal((await shop.live.get('/v1/biz/balance')).body.available, ABOVE)
})

test('a live deposit above the limit waits for a second finance operator, and of two approvals one wins', async () => {
  const [first, second, third] = [operators.finance, await newOperator(server, 'finance'), await newOperator(server, 'finance')]
  const asked = await deposit(first.client, ABOVE + 1)
  assert.deepEqual([asked.status, asked.body.state, asked.body.requested_by.name], [202, 'waiting', first.name])
  const approve = (client: NamedOperator['client'], key = newKey()) =>
    client.post<Record<string, unknown>>(`/v1/operator/approvals/${asked.body.id}/approve`, undefined, key)
  assert.deepEqual((await approve(first.client)).body.code, 'second_person_required')
  assert.deepEqual((await approve(operators.admin.client)).body.code, 'insufficient_role')
  const listed = await operators.support.client.get<{ data: Waiting[] }>('/v1/operator/approvals')
  assert.deepEqual(
    listed.body.data.map(({ id }) => id),
    [asked.body.id],
  )
  const keys = [newKey(), newKey()]
  const answers = await Promise.all([approve(second.client, keys[0]), approve(third.client, keys[1])])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const winner = answers.findIndex(({ status }) => status === 200)
  const again = await approve(winner === 0 ? second.client : third.client, keys[winner])
  assert.equal(again.text, answers[winner]?.text)
  const { body } = await merchant.live.get('/v1/biz/balance')
  assert.equal(body.available, ABOVE + 1)
  const found = await operators.support.client.get(`/v1/operator/approvals/${asked.body.id}`)
  assert.deepEqual([found.body.state, found.body.transaction_id], ['approved', answers[winner]?.body.transaction_id])
  const approved = await operators.support.client.get<{ data: Waiting[] }>('/v1/operator/approvals?state=approved')
  assert.equal(approved.body.data[0]?.id, asked.body.id)
})

test('a refused movement moves nothing and says why', async () => {
  const asked = await deposit(operators.finance.client, ABOVE + 2)
  const reason = 'Le virement n’est pas arrivé.'
  const refused = await server.operator.post(`/v1/operator/approvals/${asked.body.id}/refuse`, { reason }, newKey())
  assert.deepEqual([refused.status, refused.body.state, refused.body.reason], [200, 'refused', reason])
  const late = await server.operator.post(`/v1/operator/approvals/${asked.body.id}/approve`, undefined, newKey())
  assert.deepEqual([late.status, late.body.code], [409, 'approval_not_waiting'])
  assert.equal((await server.operator.get(`/v1/operator/approvals/${randomUUID()}`)).status, 404)
})

test('a live top-up confirmed above the limit waits for a second finance operator', async () => {
  const asked = await merchant.live.post<{ id: string }>('/v1/biz/top-ups', { amount: 5 }, newKey())
  assert.equal(asked.status, 201, asked.text)
  const confirmed = await operators.finance.client.post<Waiting & { request_id: string }>(
    `/v1/operator/top-ups/${asked.body.id}/confirm`,
    { amount: ABOVE + 1, reference: 'VIR-1' },
    newKey(),
  )
  const { state, request_id, requested_by } = confirmed.body
  assert.deepEqual([confirmed.status, state, request_id, requested_by.name], [202, 'waiting', asked.body.id, operators.finance.name])
  const second = await newOperator(server, 'finance')
  const { status, body } = await second.client.post(`/v1/operator/approvals/${confirmed.body.id}/approve`, undefined, newKey())
  assert.deepEqual([status, body.state], [200, 'approved'])
  const topUp = await merchant.live.get(`/v1/biz/top-ups/${asked.body.id}`)
  assert.deepEqual(
    [topUp.body.state, topUp.body.confirmed_amount, topUp.body.transaction_id],
    ['confirmed', ABOVE + 1, body.transaction_id],
  )
})

test('a confirmed top-up and a paid withdrawal above the limit wait, and the merchant cannot cancel them', async () => {
  const [first, second] = [operators.finance.client, (await newOperator(server, 'finance')).client]
  const shop = await server.merchant()
  assert.equal((await server.operator.post('/v1/operator/deposits', live(shop, ABOVE), newKey())).status, 201)
  const destination = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' }
  const rows = [
    {
      path: 'top-ups',
      verb: 'confirm',
      body: { amount: ABOVE + 1, reference: 'VIR-1' },
      kind: 'top_up_confirmation',
      after: 2 * ABOVE + 1,
    },
    { path: 'withdrawals', verb: 'pay', body: { reference: 'VIR-2' }, kind: 'withdrawal_payment', after: ABOVE - 1 },
  ]
  for (const { path, verb, body, kind, after: balance } of rows) {
    const amount = path === 'top-ups' ? ABOVE + 1 : ABOVE + 2
    const opened = await shop.live.post<{ id: string }>(
      `/v1/biz/${path}`,
      { amount, destination: path === 'top-ups' ? undefined : destination },
      newKey(),
    )
    assert.equal(opened.status, 201, opened.text)
    const address = `/v1/operator/${path}/${opened.body.id}`
    const key = newKey()
    const asked = await first.post<Waiting & { kind: string; request_id: string }>(`${address}/${verb}`, body, key)
    assert.deepEqual([asked.status, asked.body.state, asked.body.kind, asked.body.request_id], [202, 'waiting', kind, opened.body.id])
    const again = await first.post(`${address}/${verb}`, body, key)
    assert.deepEqual([again.status, again.text], [202, asked.text])
    const found = await operators.support.client.get(address)
    assert.deepEqual([found.body.state, found.body.approval_id], ['requested', asked.body.id])
    const others = [
      await second.post(`${address}/${verb}`, body, newKey()),
      await second.post(`${address}/refuse`, { reason: 'Non.' }, newKey()),
      await shop.live.post(`/v1/biz/${path}/${opened.body.id}/cancel`, undefined, newKey()),
    ]
    for (const answer of others) assert.deepEqual([answer.status, answer.body.code], [409, 'approval_waiting'])
    const approval = `/v1/operator/approvals/${asked.body.id}`
    assert.equal((await first.post(`${approval}/approve`, undefined, newKey())).body.code, 'second_person_required')
    const approved = await second.post(`${approval}/approve`, undefined, newKey())
    assert.deepEqual([approved.status, approved.body.state, approved.body.balance_after], [200, 'approved', balance])
    assert.equal((await shop.live.get('/v1/biz/balance')).body.available, balance)
    assert.equal((await shop.live.get(`/v1/biz/${path}/${opened.body.id}`)).body.transaction_id, approved.body.transaction_id)
  }
})
