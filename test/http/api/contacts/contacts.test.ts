// Contacts of a merchant, and disbursements of their groups.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contact } from '../../../../engine/contract/contact.ts'
import type { Disbursement } from '../../../../engine/contract/disbursement.ts'
import type { Client } from '../../../support/client.ts'
import { DISBURSEMENTS, disbursementIn } from '../../../support/disbursement-callers.ts'
import { newKey, newTag } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const PATH = '/v1/biz/contacts'

interface Refusal {
  readonly code: string
  readonly param?: string
}

interface Page {
  readonly data: readonly Contact[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

async function save(client: Client, json: object): Promise<Contact> {
  return (await ok(client.post<Contact>(PATH, json))).body
}

async function refused(client: Client, method: 'POST' | 'PUT', path: string, json: object): Promise<readonly unknown[]> {
  const { status, body } = await client.request<Refusal>(method, path, { json, ...(method === 'POST' ? { headers: newKey() } : {}) })
  return [status, body.code, body.param]
}

test('a contact is saved, found, replaced and deleted, and a recipient stands once in an environment', async () => {
  const server = await sharedServer()
  const merchant = await server.merchant()
  const sent = { recipient: '@Awa_Diallo', name: 'Awa Diallo', groups: [' Employés ', 'Dakar', 'Dakar'], amount: 150_000, reference: 'A-1' }
  const awa = await save(merchant.test, sent)
  const { id, created_at, updated_at, ...rest } = awa
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    ...{ recipient: 'awa_diallo', name: 'Awa Diallo', groups: ['Employés', 'Dakar'], amount: 150_000, currency: 'XOF' },
    ...{ reference: 'A-1', environment: 'test' },
  })
  assert.deepEqual(await refused(merchant.test, 'POST', PATH, { recipient: 'awa_diallo' }), [409, 'contact_exists', undefined])
  const live = await save(merchant.live, { recipient: 'awa_diallo' })
  assert.deepEqual([live.name, live.groups, live.amount, live.reference, live.environment], ['', [], null, '', 'live'])
  const other = await save(merchant.test, { recipient: '+2250700000012', groups: ['Dakar'] })
  assert.deepEqual((await ok(merchant.test.get(`${PATH}/${id}`))).body, awa)
  assert.equal((await merchant.live.get(`${PATH}/${id}`)).status, 404)

  const path = `${PATH}/${other.id}`
  assert.deepEqual(await refused(merchant.test, 'PUT', path, { recipient: '@awa_diallo' }), [409, 'contact_exists', undefined])
  const { body: echoed } = await ok(merchant.test.request<Contact>('PUT', path, { json: { ...other, name: 'Moussa' } }))
  assert.deepEqual([echoed.name, echoed.groups, echoed.id, echoed.created_at], ['Moussa', ['Dakar'], other.id, other.created_at])
  const { body: replaced } = await ok(merchant.test.request<Contact>('PUT', path, { json: { recipient: '+2250700000012' } }))
  assert.deepEqual([replaced.name, replaced.groups], ['', []])
  assert.equal((await merchant.live.request('PUT', path, { json: { recipient: 'awa' } })).status, 404)

  assert.deepEqual((await merchant.test.request('DELETE', path)).body, { id: other.id, deleted: true })
  assert.equal((await merchant.test.request('DELETE', path)).status, 404)
  assert.equal((await merchant.test.request('PUT', path, { json: { recipient: 'awa' } })).status, 404)
  await save(merchant.test, { recipient: '+2250700000012' })
})

test('a contact with a wrong field is refused with the name of the field', async () => {
  const { test: client } = await (await sharedServer()).merchant()
  const rows: readonly [object, string, string][] = [
    [{ recipient: '770000012' }, 'invalid_recipient', 'recipient'],
    [{ recipient: 'é' }, 'invalid_recipient', 'recipient'],
    [{ recipient: 'awa', amount: 0 }, 'invalid_request', 'amount'],
    [{ recipient: 'awa', groups: [''] }, 'invalid_request', 'groups.0'],
    [{ recipient: 'awa', groups: 'Employés' }, 'invalid_request', 'groups'],
    [{ recipient: 'awa', groups: Array.from({ length: 21 }, (_, at) => `g${at}`) }, 'invalid_request', 'groups'],
    [{ recipient: 'awa', name: 'a\u0000b' }, 'invalid_request', 'name'],
    [{}, 'invalid_request', 'recipient'],
  ]
  for (const [body, code, param] of rows) assert.deepEqual(await refused(client, 'POST', PATH, body), [400, code, param])
})

test('contacts are listed newest first, by group and by a part of their texts, in pages and as CSV', async () => {
  const { test: client } = await (await sharedServer()).merchant()
  for (const [recipient, name, groups] of [
    ['un_a', 'Élise', ['Paie']],
    ['deux_b', 'Moussa', ['Paie', 'Dakar']],
    ['trois_c', 'Fatou', ['Dakar']],
  ] as const)
    await save(client, { recipient, name, groups })
  const list = async (query: string): Promise<string[]> =>
    (await ok(client.get<Page>(`${PATH}?${query}`))).body.data.map(({ recipient }) => recipient)
  assert.deepEqual(await list(''), ['trois_c', 'deux_b', 'un_a'])
  assert.deepEqual(await list('group=Paie'), ['deux_b', 'un_a'])
  assert.deepEqual(await list('group=paie'), [])
  assert.deepEqual(await list('q=elise'), ['un_a'])
  assert.deepEqual(await list('q=%40Deux_b&group=Dakar'), ['deux_b'])
  const { body: first } = await ok(client.get<Page>(`${PATH}?limit=2`))
  assert.equal(first.has_more, true)
  const { body: second } = await ok(client.get<Page>(`${PATH}?limit=2&cursor=${first.next_cursor}`))
  assert.deepEqual([second.data.map(({ recipient }) => recipient), second.has_more], [['un_a'], false])
  assert.equal((await client.get(`${PATH}?group=`)).status, 400)
  const csv = (await client.request('GET', PATH, { headers: { accept: 'text/csv' } })).text.trim().split('\r\n')
  assert.equal(csv[0], 'id,recipient,name,groups,amount,currency,reference,environment,created_at,updated_at')
  assert.equal(csv.length, 4)
})

test('contacts need the right to pay: a key its scope, a member the role of a manager', async () => {
  const server = await sharedServer()
  const { id } = await server.merchant()
  const client = await server.keyed(id, 'test', ['billers.write'])
  for (const method of ['GET', 'POST'] as const) {
    const { status, body } = await client.request<Refusal>(method, PATH, method === 'POST' ? { json: { recipient: 'awa' } } : {})
    assert.deepEqual([status, body.code], [403, 'insufficient_scope'])
  }
})

test('a disbursement of a group has a line for each contact, and the amount of the body for those without one', async () => {
  const server = await sharedServer()
  const merchant = await server.fundedMerchant(10_000)
  const [awa, moussa] = [await server.wallet(merchant), await server.wallet(merchant)]
  await save(merchant.test, { recipient: awa, groups: ['Paie'], amount: 700, reference: 'AWA' })
  await save(merchant.test, { recipient: newTag(), groups: ['Autres'], amount: 1 })
  const second = await save(merchant.test, { recipient: moussa, groups: ['Paie'] })
  const key = newKey()
  const body = { group: 'Paie', amount: 300, start: 'auto' }
  const { body: made } = await ok(merchant.test.post<Disbursement>(DISBURSEMENTS, body, key))
  const done = await disbursementIn(merchant.test, made.id, 'completed')
  assert.deepEqual([done.total_count, done.valid_amount, done.paid_count, done.paid_amount], [2, 1000, 2, 1000])
  const lines = (
    await merchant.test.get<{ data: { recipient: string; amount: number; reference: string }[] }>(`${DISBURSEMENTS}/${made.id}/lines`)
  ).body.data
  assert.deepEqual(
    lines.map(({ recipient, amount, reference }) => [recipient, amount, reference]),
    [
      [awa, 700, 'AWA'],
      [moussa, 300, ''],
    ],
  )
  const { body: bare } = await ok(merchant.test.post<Disbursement>(DISBURSEMENTS, { group: 'Paie' }, newKey()))
  assert.deepEqual([bare.state, bare.total_count, bare.valid_count, bare.invalid_count], ['ready', 2, 1, 1])
  await ok(merchant.test.request('DELETE', `${PATH}/${second.id}`))
  const { body: again } = await ok(merchant.test.post<Disbursement>(DISBURSEMENTS, body, key))
  assert.equal(again.id, made.id, 'a known key is answered whatever became of the group')
})

test('a disbursement names items or a group that has contacts', async () => {
  const server = await sharedServer()
  const merchant = await server.fundedMerchant(10)
  const items = [{ recipient: await server.wallet(merchant), amount: 1 }]
  await save(merchant.test, { recipient: 'awa', groups: ['Paie'] })
  const rows: readonly [object, string, string][] = [
    [{ group: 'Vide' }, 'items_required', 'group'],
    [{ group: 'Paie', items }, 'invalid_request', 'group'],
    [{}, 'items_required', 'items'],
    [{ items: [] }, 'items_required', 'items'],
    [{ items, amount: 5 }, 'invalid_request', 'amount'],
    [{ group: '' }, 'invalid_request', 'group'],
  ]
  for (const [body, code, param] of rows) assert.deepEqual(await refused(merchant.test, 'POST', DISBURSEMENTS, body), [400, code, param])
})
