// Withdrawal accounts, notices and statements on the dashboard, requested as a browser without a script does.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newEmail, type Owner, signUp } from '../support/dashboard-callers.ts'
import { hiddenOf, plainText } from '../support/dashboard-shop.ts'
import { joined } from '../support/member-callers.ts'
import { askPage, type RawAnswer } from '../support/raw-page.ts'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let owner: Owner

before(async () => {
  server = await sharedServer()
  owner = await signUp(server, 'Boutique Awa')
})

function page(who: Pick<Owner, 'cookie'>, path: string, environment = 'test'): Promise<RawAnswer> {
  const address = `/dashboard/${environment}/${path}`.replace(/\/$/, '')
  return askPage(server.process.baseUrl, address, { headers: { cookie: who.cookie } })
}

function send(who: Owner, path: string, form: Readonly<Record<string, string>>, environment = 'test'): Promise<RawAnswer> {
  const headers = { cookie: who.cookie, origin: server.process.baseUrl }
  const sent = { csrf: who.csrfToken, key: newEmail(), ...form }
  return askPage(server.process.baseUrl, `/dashboard/${environment}/${path}`, { headers, form: sent })
}

const BANK = { kind: 'bank', name: 'Boutique Awa SARL', account: 'SN08 SN01 0015 2000 0485 0000 3035' }

describe('withdrawal accounts', () => {
  test('are checked by their digits, waited for in live, and deleted', async () => {
    const wrong = await send(owner, 'withdrawal-accounts/new', { ...BANK, account: 'SN08 SN01 0015 2000 0485 0000 3036' })
    assert.deepEqual([wrong.status, wrong.text.includes('id="account-error"'), wrong.text.includes('0000 3036')], [400, true, true])
    const phone = { kind: 'mobile_money', name: 'Awa', account: '+221 77 123 45 67' }
    assert.match((await send(owner, 'withdrawal-accounts/new', phone)).text, /Choisissez l’opérateur du compte/)
    assert.match(
      (await send(owner, 'withdrawal-accounts/new', { ...phone, provider: 'wave' })).location,
      /withdrawal-accounts\?ok=withdrawal_account_added$/,
    )
    assert.match(plainText((await page(owner, 'withdrawal-accounts')).text), /Awa \+221771234567 Wave Utilisable/)
    await send(owner, 'withdrawal-accounts/new', BANK, 'live')
    const live = await page(owner, 'withdrawal-accounts', 'live')
    assert.match(plainText(live.text), /SN08 SN01 0015 2000 0485 0000 3035 Compte bancaire En attente Utilisable à partir du/)
    assert.ok(!live.text.includes('withdrawals/new?to='), 'nothing is withdrawn to an account that waits')
    const id = /withdrawal-accounts\/([0-9a-f-]{36})\/delete/.exec(live.text)?.[1]
    assert.match((await send(owner, `withdrawal-accounts/${id}/delete`, {}, 'live')).location, /withdrawal_account_deleted$/)
    assert.match((await page(owner, 'withdrawal-accounts', 'live')).text, /Aucun compte enregistré/)
  })

  test('are chosen in the form of a withdrawal, which shows the last ones and how long they took', async () => {
    const shop = await signUp(server)
    const keyed = await server.keyed(shop.merchantId, 'test', ['disbursements.write'])
    await ok(keyed.post('/v1/biz/test/deposits', { amount: 50_000 }))
    await send(shop, 'withdrawal-accounts/new', BANK)
    const form = (await page(shop, 'withdrawals/new')).text
    const to = /<option value="([0-9a-f-]{36})" selected>Boutique Awa SARL, SN08 SN01/.exec(form)?.[1] ?? ''
    assert.ok(!form.includes('Derniers retraits'))
    const asked = await send(shop, 'withdrawals/new', { to, amount: '12 000' })
    assert.match(plainText(asked.text), /Vers Compte bancaire, Boutique Awa SARL, SN08 SN01 0015 2000 0485 0000 3035/)
    const both = await send(shop, 'withdrawals/new', { to, amount: '12 000', name: 'Moussa', account: '+221770000000' })
    assert.match(both.text, /gardez l’un des deux/)
    const made = await send(shop, 'withdrawals', hiddenOf(asked.text, 'withdrawals"'))
    const id = /withdrawals\/([0-9a-f-]{36})\?ok=withdrawal_created$/.exec(made.location)?.[1]
    assert.match((await page(shop, '')).text, /withdrawals\?state=requested">1 retrait attend d’être payé/)
    await send(shop, `withdrawals/${id}/pay`, {})
    assert.ok(!(await page(shop, '')).text.includes('attend d’être payé'))
    assert.match(plainText((await page(shop, 'withdrawals/new')).text), /Derniers retraits Délai du dernier retrait payé : \d+ min/)
    const unknown = await send(shop, 'withdrawals/new', { to: '019aa0f8-1c00-7c01-8c4d-5e6f708192a3', amount: '1' })
    assert.match(unknown.text, /Ce compte n’est pas utilisable/)
  })
})

test('each member chooses its notices, and a cashier those of sign-ins alone', async () => {
  const isOn = (text: string, kind: string): boolean => new RegExp(`name="${kind}" value="yes" checked`).test(text)
  const before = (await page(owner, 'notices')).text
  assert.deepEqual([isOn(before, 'top_up'), isOn(before, 'daily_summary')], [true, false])
  assert.match((await send(owner, 'notices', { daily_summary: 'yes' })).location, /notices\?ok=notices_chosen$/)
  const after = (await page(owner, 'notices')).text
  assert.deepEqual([isOn(after, 'top_up'), isOn(after, 'daily_summary')], [false, true])
  const cashier = await joined(server, owner, 'cashier')
  assert.match((await send(cashier, 'notices', { new_device: 'yes', top_up: 'yes' })).location, /notices_chosen$/)
  const own = (await page(cashier, 'notices')).text
  assert.deepEqual([isOn(own, 'new_device'), own.includes('name="top_up"')], [true, false])
})

describe('the statement of a month', () => {
  test('has opening and closing balance, and each day, as a page and as a file', async () => {
    const shop = await signUp(server)
    const keyed = await server.keyed(shop.merchantId, 'test', ['disbursements.write'])
    const tag = newTag()
    await ok(keyed.post('/v1/biz/test/wallets', { tag }))
    await ok(keyed.post('/v1/biz/test/deposits', { amount: 50_000 }))
    await ok(keyed.post('/v1/biz/payouts', { recipient: tag, amount: 12_000 }, newKey()))
    const list = (await page(shop, 'statements')).text
    const month = /statements\/(\d{4}-\d{2})"/.exec(list)?.[1] ?? ''
    const shown = plainText((await page(shop, `statements/${month}`)).text)
    assert.match(shown, /Solde au début 0 F CFA Entrées 50 000 F CFA Sorties −12 000 F CFA Frais 0 F CFA Solde à la fin 38 000 F CFA/)
    assert.match(shown, /heure UTC/)
    const file = (await page(shop, `statements/${month}/days.csv`)).text.split('\r\n').slice(0, -1)
    assert.equal(file[0], '\uFEFFday,opening_balance,incoming,outgoing,fees,closing_balance,transactions_count,currency')
    assert.equal(file.at(-1), `${month},0,50000,-12000,0,38000,2,XOF`)
    assert.match((await page(shop, `statements/${month}/days.csv?format=tableur`)).text, /^\uFEFFJour;Solde au début;Entrées/)
  })

  test('is there for no future month and no other text', async () => {
    for (const month of ['9999-01', '2026-13', 'x', '2026-1']) assert.equal((await page(owner, `statements/${month}`)).status, 404, month)
  })
})

describe('the account page', () => {
  test('an owner changes address and language, asks for a name and withdraws it; customers and sheets follow', async () => {
    const shop = await signUp(server, 'Boutique Binta')
    const form = (more: Readonly<Record<string, string>>) => ({
      ...{ name: 'Boutique Binta', address: '', time_zone: 'Africa/Lagos', email_language: '' },
      ...more,
    })
    const address = '5 avenue Pasteur, Dakar'
    assert.match((await send(shop, 'account', form({ address, email_language: 'fr' }))).location, /account\?ok=account_set$/)
    const shown = (await page(shop, 'account')).text
    assert.match(shown, /name="address" type="text" value="5 avenue Pasteur, Dakar"/)
    assert.match(shown, /<option value="fr" selected>Français/)
    const month = new Date().toISOString().slice(0, 7)
    for (const sheet of ['till/close', `statements/${month}`])
      assert.match(plainText((await page(shop, sheet)).text), /Les jours sont ceux de l’heure UTC\+1 \(Lagos\)/)
    assert.match((await page(shop, 'till/close')).text, /<b><bdi>Boutique Binta<\/bdi><\/b><br><bdi>5 avenue Pasteur, Dakar<\/bdi>/)
    assert.match((await send(shop, 'account', form({ name: 'Chez Binta', address }))).location, /account\?ok=name_requested$/)
    const waiting = plainText((await page(shop, 'account')).text)
    assert.match(waiting, /En cours d’examen Nouveau nom Chez Binta , demandé le .* vos clients lisent Boutique Binta/)
    assert.match((await send(shop, 'account', form({ address }))).location, /account\?ok=name_withdrawn$/)
    assert.ok(!(await page(shop, 'account')).text.includes('Chez Binta'))
    const wrong = await send(shop, 'account', form({ name: '\u200b', address }))
    assert.deepEqual([wrong.status, wrong.text.includes('id="name-error"'), wrong.text.includes(address)], [400, true, true])
  })

  test('a manager reads it without a form, and a cashier reads its own access', async () => {
    const manager = await joined(server, owner, 'manager')
    const read = (await page({ cookie: manager.cookie }, 'account')).text
    assert.match(plainText(read), /Nom montré aux clients Boutique Awa/)
    assert.ok(!read.includes('name="address"'))
    assert.equal((await send(manager as Owner, 'account', { name: 'X' })).status, 403)
    const cashier = await joined(server, owner, 'cashier')
    assert.equal((await page({ cookie: cashier.cookie }, 'account')).status, 200)
  })
})
