// Contacts on the dashboard, as a browser without a script sends its forms.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openShop, plainText } from '../support/dashboard-shop.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

test('contacts are imported from a file of payments, changed, deleted, and written as a file that is imported again', async () => {
  const shop = await openShop(server, 0)
  const lines = `@${shop.tag};70;LOYER;Awa Diallo\n${shop.phone};;;Moussa\n@a b;5`
  const imported = await shop.post('contacts/import', { lines, groups: 'Équipe, Dakar' }, 'file')
  assert.match(imported.text, /2 ajoutés, 0 déjà enregistrés.*Lignes non importées : Ligne 3 : /)
  const file = (await (await shop.get('contacts/payments.csv?group=Dakar')).text()).replace('\uFEFF', '')
  assert.deepEqual(file.split('\n').toSorted(), [
    `${shop.phone};;;Moussa`,
    `@${shop.tag};70;LOYER;Awa Diallo`,
    'destinataire;montant;référence;note',
  ])
  assert.match((await shop.post('contacts/import', { lines: file, groups: '' }, 'file')).text, /0 ajoutés, 2 déjà enregistrés/)
  const list = await (await shop.get('contacts?q=Moussa')).text()
  assert.match(plainText(list), /Groupes : Dakar \(2, Verser ?\) ?, Équipe \(2, Verser ?\)/)
  const [, id = ''] = /contacts\/([0-9a-f-]{36})"/.exec(list) ?? []
  const change = { recipient: shop.phone, name: 'Moussa K.', groups: 'Dakar', amount: '1 500', reference: '', key: 'change' }
  assert.equal((await shop.post(`contacts/${id}`, change)).status, 303)
  assert.ok((await (await shop.get(`contacts/${id}`)).text()).includes(' value="1500"'))
  const twice = await shop.post('contacts/new', { ...change, key: 'twice' })
  assert.match(twice.text, /Un de vos contacts a déjà ce destinataire/)
  assert.equal((await shop.post(`contacts/${id}/delete`, { key: 'gone' })).status, 303)
  assert.equal((await shop.get(`contacts/${id}`)).status, 404)
})
