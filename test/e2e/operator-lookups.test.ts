// What the operator looks up through the API: a merchant's keys, wallets by tag and phone.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Merchant, newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await sharedServer()
  merchant = await server.merchant()
})

interface List {
  readonly data: readonly Record<string, unknown>[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

test('keys of a merchant are listed newest first, page by page, without what is secret', async () => {
  const path = `/v1/operator/merchants/${merchant.id}/api-keys`
  await server.keyed(merchant.id, 'test', [])
  const all = await server.operator.get<List>(path)
  assert.deepEqual(
    all.body.data.map(({ environment, scopes }) => [environment, (scopes as string[]).length]),
    [
      ['test', 0],
      ['live', 2],
      ['test', 2],
    ],
  )
  for (const word of ['secret', 'hash', 'sk_']) assert.ok(!all.text.includes(word), word)
  const first = await server.operator.get<List>(`${path}?limit=2`)
  assert.deepEqual([first.body.data, first.body.has_more], [all.body.data.slice(0, 2), true])
  const second = await server.operator.get<List>(`${path}?limit=2&cursor=${first.body.next_cursor}`)
  assert.deepEqual([second.body.data, second.body.next_cursor], [all.body.data.slice(2), null])
  assert.deepEqual((await server.operator.get(`/v1/operator/merchants/${merchant.id.toUpperCase()}/api-keys`)).body, all.body)
  const other = await server.merchant()
  const others = await server.operator.get<List>(`/v1/operator/merchants/${other.id}/api-keys`)
  assert.ok(!others.body.data.some(({ id }) => all.body.data.some((mine) => mine.id === id)))
})

test('the keys of an unknown merchant are not found', async () => {
  for (const id of ['01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f', 'x']) {
    assert.equal((await server.operator.get(`/v1/operator/merchants/${id}/api-keys`)).status, 404)
  }
  assert.equal((await merchant.test.get(`/v1/operator/merchants/${merchant.id}/api-keys`)).status, 401)
  const wrong = await server.operator.get(`/v1/operator/merchants/${merchant.id}/api-keys?cursor=zz`)
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_parameter'])
})

test('a wallet is found by tag and by phone, with what it holds', async () => {
  const tag = newTag()
  const made = await merchant.test.post<{ phone: string }>('/v1/biz/test/wallets', { tag })
  await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 70 })
  const find = async (query: string): Promise<List> => {
    const answer = await server.operator.get<List>(`/v1/operator/wallets?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const byTag = await find(`q=${tag}`)
  assert.deepEqual([byTag.data.length, byTag.has_more, byTag.next_cursor], [1, false, null])
  const { id, ...rest } = byTag.data[0] ?? {}
  assert.match(String(id), /^[0-9a-f-]{36}$/)
  const names = { family_name: rest.family_name, given_name: rest.given_name }
  assert.deepEqual(rest, {
    tag,
    phone: made.body.phone,
    ...names,
    environment: 'test',
    blocked: false,
    block_reason: null,
    currency: 'XOF',
    available: 70,
    pending: 0,
  })
  assert.deepEqual(await find(`q=@${tag.toUpperCase()}`), byTag)
  assert.deepEqual(await find(`q=${encodeURIComponent(made.body.phone)}`), byTag)
  assert.deepEqual(await find(`q=${tag}&environment=test`), byTag)
  for (const nobody of [`q=${tag}&environment=live`, `q=${newTag()}`, 'q=%2B22999999999'])
    assert.deepEqual((await find(nobody)).data, [], nobody)
})

test('what is no tag and no phone', async () => {
  for (const query of ['', '?q=', '?q=a', '?q=%2B1', `?q=${'a'.repeat(256)}`, '?q=awa&environment=staging', '?tag=awa']) {
    const answer = await server.operator.get(`/v1/operator/wallets${query}`)
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_parameter'], query)
  }
  assert.equal((await server.anybody.get('/v1/operator/wallets?q=awa')).status, 401)
})

test('merchants and wallets are found by a part of name, e-mail address, phone or tag, in any case', async () => {
  const mark = newTag().slice(2)
  const made = await server.operator.post<{ id: string }>('/v1/operator/merchants', {
    name: `Épicerie ${mark}`,
    email: `${mark}@x.example`,
  })
  const ids = async (q: string, more = ''): Promise<readonly unknown[]> => {
    const { status, body, text } = await server.operator.get<List>(`/v1/operator/merchants?q=${encodeURIComponent(q)}${more}`)
    assert.equal(status, 200, text)
    return body.data.map(({ id }) => id)
  }
  for (const q of [`epicerie ${mark.toUpperCase()}`, mark.slice(2, 12), `${mark}@x`]) assert.deepEqual(await ids(q), [made.body.id], q)
  assert.deepEqual(await ids(mark, '&state=suspended'), [])
  await server.operator.post(`/v1/operator/merchants/${made.body.id}/suspend`, { reason: 'Plaintes' })
  assert.deepEqual(await ids(mark, '&state=suspended'), [made.body.id])
  for (const path of ['merchants?q=ab', 'wallets?q=ab', 'merchants?state=lost']) {
    assert.equal((await server.operator.get(`/v1/operator/${path}`)).status, 400, path)
  }
  const tags = [`${mark.slice(0, 12)}_a`, `${mark.slice(0, 12)}_b`]
  for (const tag of tags) await merchant.test.post('/v1/biz/test/wallets', { tag })
  const first = await server.operator.get<List>(`/v1/operator/wallets?q=${mark.slice(1, 12)}&limit=1`)
  const second = await server.operator.get<List>(`/v1/operator/wallets?q=${mark.slice(1, 12)}&limit=1&cursor=${first.body.next_cursor}`)
  assert.deepEqual(
    [...first.body.data, ...second.body.data].map(({ tag }) => tag),
    tags,
  )
  const phone = String(first.body.data[0]?.phone)
  for (const part of [phone.slice(-8), `${phone.slice(0, 4)} ${phone.slice(4, 6)} ${phone.slice(6)}`]) {
    const byPhone = await server.operator.get<List>(`/v1/operator/wallets?q=${encodeURIComponent(part)}`)
    assert.ok(
      byPhone.body.data.some(({ tag }) => tag === tags[0]),
      byPhone.text,
    )
  }
})

test('a timeline says why a payout failed, alone and in a batch', async () => {
  const merchant = await server.fundedMerchant(500)
  const recipient = await server.wallet(merchant)
  const pay = (amount: number, reference: string) => merchant.test.post('/v1/biz/payouts', { recipient, amount, reference }, newKey())
  assert.equal((await pay(900, 'PAIE-1')).body.state, 'failed')
  assert.equal((await pay(100, 'PAIE-2')).body.state, 'paid')
  const items = [{ recipient: newTag(), amount: 10, reference: 'PAIE-3' }]
  assert.equal((await merchant.test.post('/v1/biz/payouts/batch', { items }, newKey())).status, 201)
  const rows = async (type: string, language: string): Promise<readonly unknown[]> => {
    const path = `/v1/operator/merchants/${merchant.id}/timeline?environment=test&type=${type}`
    const { body } = await server.operator.get<List>(path, { headers: { 'accept-language': language } })
    return body.data.map(({ kind, summary, amount, reference }) => [kind, summary, amount, reference])
  }
  assert.deepEqual(await rows('request', 'fr'), [
    ['request', 'Versement échoué. Aucun portefeuille ne correspond à ce destinataire.', 10, 'PAIE-3'],
    ['request', 'Versement échoué. Le solde de versement était insuffisant.', 900, 'PAIE-1'],
  ])
  assert.deepEqual((await rows('request', 'en'))[1], ['request', 'Payout failed. The payout balance was not sufficient.', 900, 'PAIE-1'])
  assert.deepEqual((await rows('movement', 'fr'))[0], ['movement', `Versement envoyé · @${recipient}`, -100, 'PAIE-2'])
})

test('a decision about money names amount, reference and reason, in the timeline and in the audit trail', async () => {
  const { id, live } = await server.merchant()
  const deposit = { merchant_id: id, environment: 'live', amount: 9000 }
  assert.equal((await server.operator.post('/v1/operator/deposits', deposit, newKey())).status, 201)
  const destination = { kind: 'bank', name: 'Awa', account: 'SN08' }
  const withdrawal = await live.post<{ id: string }>('/v1/biz/withdrawals', { amount: 700, reference: 'LOYER', destination }, newKey())
  const topUp = await live.post<{ id: string }>('/v1/biz/top-ups', { amount: 800 }, newKey())
  for (const path of [`withdrawals/${withdrawal.body.id}`, `top-ups/${topUp.body.id}`])
    assert.equal((await server.operator.post(`/v1/operator/${path}/refuse`, { reason: 'Compte faux.' }, newKey())).status, 200)
  const audit = await server.operator.get<List>(`/v1/operator/audit?merchant_id=${id}&limit=2`)
  assert.deepEqual(
    audit.body.data.map(({ action, amount, reference }) => [action, amount, reference]),
    [
      ['top_up.refuse', 800, undefined],
      ['withdrawal.refuse', 700, 'LOYER'],
    ],
  )
  const timeline = await server.operator.get<List>(`/v1/operator/merchants/${id}/timeline?type=decision&limit=2`)
  assert.deepEqual(
    timeline.body.data.map(({ summary, amount }) => [summary, amount]),
    [
      ['Approvisionnement refusé : Compte faux.', 800],
      ['Retrait refusé : Compte faux.', 700],
    ],
  )
})

test('a timeline shows movements, requests, decisions, sessions and notes, and the audit trail is filtered by whom it is about', async () => {
  const { id } = await server.merchant()
  const key = { 'idempotency-key': newTag() }
  const deposit = { merchant_id: id, environment: 'live', amount: 900, reference: 'VIR-1' }
  const moved = await server.operator.post<{ transaction_id: string }>('/v1/operator/deposits', deposit, key)
  const note = await server.operator.post<{ at: string }>(`/v1/operator/merchants/${id}/notes`, { text: 'Appelé.' })
  assert.equal(note.status, 201, note.text)
  const timeline = async (query: string): Promise<readonly Record<string, unknown>[]> => {
    const answer = await server.operator.get<List>(`/v1/operator/merchants/${id}/timeline${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const operator = { id: null, name: 'OPERATOR_TOKEN' }
  const { at } = note.body
  assert.deepEqual((await timeline('?type=note'))[0], { at, kind: 'note', summary: 'Appelé.', operator })
  const [movement] = await timeline('?type=movement')
  const { transaction_id } = moved.body
  const made = { amount: 900, currency: 'XOF', reference: 'VIR-1', transaction_id }
  assert.deepEqual({ ...movement, at: '' }, { at: '', kind: 'movement', summary: 'Dépôt', ...made })
  const kinds = (await timeline('')).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['note', 'decision', 'movement', 'decision', 'decision'])
  assert.ok(!(await timeline('?environment=test')).some(({ kind }) => kind === 'movement' || kind === 'note'))
  assert.deepEqual(await timeline(`?to=${movement?.at}&type=movement`), [])
  const audit = async (query: string) => (await server.operator.get<List>(`/v1/operator/audit?${query}`)).body.data
  const [credited, ...others] = await audit(`merchant_id=${id}&action=deposit.create&from=2020-01-01T00:00:00Z`)
  assert.deepEqual([others.length, credited?.amount, credited?.reference], [0, 900, 'VIR-1'])
  assert.deepEqual(credited?.subject, { kind: 'merchant', id, name: 'Boutique' })
  assert.deepEqual(await audit(`merchant_id=${id}&to=2020-01-01T00:00:00Z`), [])
  assert.equal((await server.operator.get(`/v1/operator/merchants/${newTag()}/timeline`)).status, 404)
})

test('a timeline of a wallet shows its block and its sign-ins, and the audit trail finds it by tag', async () => {
  const tag = newTag()
  const made = await merchant.test.post<{ phone: string }>('/v1/biz/test/wallets', { tag })
  await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 70 })
  await server.operator.post(`/v1/operator/wallets/${tag}/block`, { reason: 'Vol', environment: 'test' })
  await server.operator.post(`/v1/operator/wallets/@${tag}/notes`, { text: 'Vu.', environment: 'test' })
  const timeline = await server.operator.get<List>(`/v1/operator/wallets/${tag}/timeline?environment=test`, {
    headers: { 'accept-language': 'en' },
  })
  assert.deepEqual(
    timeline.body.data.map(({ kind, summary }) => [kind, summary]),
    [
      ['note', 'Vu.'],
      ['decision', 'Wallet blocked: Vol'],
      ['movement', 'Deposit'],
    ],
    timeline.text,
  )
  const audit = await server.operator.get<List>(`/v1/operator/audit?tag=@${tag}`)
  assert.deepEqual(
    audit.body.data.map(({ action, subject }) => [action, (subject as { name: string }).name]),
    [
      ['wallet.note', tag],
      ['wallet.block', tag],
    ],
  )
  assert.equal((await server.operator.get(`/v1/operator/wallets/${tag}/timeline`)).status, 404)
  assert.ok(made.body.phone.startsWith('+'))
})
