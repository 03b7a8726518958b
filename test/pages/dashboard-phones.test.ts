// Payouts by phone on the dashboard, as a browser without a script sends them: one payout, a file with remarks before it is paid,
// schedules with warnings, their change, the notice of a failed run, and the search of lists.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { hiddenOf, openShop as openShopOn, plainText, type Shop } from '../support/dashboard-shop.ts'
import { disbursementIn } from '../support/disbursement-callers.ts'
import { newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const openShop = (funds: number): Promise<Shop> => openShopOn(server, funds)

/** As people write it. */
function spaced(phone: string): string {
  return `${phone.slice(0, 4)} ${phone.slice(4).replaceAll(/(\d\d)/g, '$1 ')}`.trim()
}

describe('payouts by phone on the dashboard', () => {
  test('a payout to a phone shows the balance before and after, keeps what was typed, and is paid', async () => {
    const shop = await openShop(1000)
    const typed = { recipient: spaced(shop.phone), amount: '1 00', reference: 'Loyer', note: '' }
    const wrong = await shop.post('payouts/new', typed)
    assert.deepEqual([wrong.status, /montant entier/.test(wrong.text)], [400, true])
    const checked = await shop.post('payouts/new', { ...typed, amount: '400' })
    assert.match(checked.text, /Solde disponible 1 000 F CFA Solde après 600 F CFA/)
    assert.ok(!checked.html.includes(shop.tag))
    const again = await shop.post('payouts/edit', { ...typed, amount: '400' })
    assert.ok(again.html.includes(`value="${typed.recipient}"`) && again.html.includes('value="Loyer"'))
    const paid = await shop.post('payouts', { ...typed, amount: '400', key: 'one' })
    assert.equal(paid.status, 303)
    const page = await shop.read(`payouts/${/payouts\/([0-9a-f-]{36})/.exec(paid.location)?.[1]}`)
    assert.ok(page.includes(shop.phone) && !page.includes(shop.tag), page)
    const missing = await shop.post('payouts/new', { ...typed, amount: '5', recipient: '+2250099999999' })
    assert.match(missing.text, /Aucun portefeuille n’a ce @tag ou ce téléphone/)
    const poor = await shop.post('payouts/new', { ...typed, amount: '601' })
    assert.match(poor.text, /Le solde disponible ne suffit pas/)
  })

  test('a file says unreadable and duplicate lines before it is paid, with the rows of the spreadsheet', async () => {
    const shop = await openShop(1000)
    const phone = spaced(shop.phone)
    const rows = [
      'Téléphone;Montant;Référence',
      `${phone};1 00;PAIE`,
      '',
      `${phone};100;PAIE`,
      `${phone};100;PAIE`,
      `'${shop.phone};200;PAIE`,
    ]
    const refused = await shop.post('disbursements/new', { lines: rows.map((row) => `17;${row}`).join('\n'), reference: '' }, 'file')
    assert.match(refused.text, /colonne inconnue : 17\. Lu : A « 17 », B « Téléphone » = destinataire/)
    const { text, html } = await shop.post('disbursements/new', { lines: rows.join('\n'), reference: '' }, 'file')
    assert.match(text, /Ligne 2 : le montant « 1 00 » n’est pas un nombre/)
    assert.match(text, /Colonnes lues destinataire : A Téléphone , montant : B Montant , référence : C Référence/)
    assert.ok(text.includes(`Ligne 5 : ${plainText(phone)} ; 100 ; PAIE , comme la ligne 4`), text)
    assert.match(text, /Une ligne est en double/)
    assert.match(text, /À verser ?400 F CFA \(3 lignes sur 4\).*Lignes lues 3 sur 4 Plus gros montant 200 F CFA \(ligne 6\)/)
    const id = /disbursements\/([0-9a-f-]{36})\/start"/.exec(html)?.[1] ?? ''
    const paid = await shop.post(`disbursements/${id}/start`, hiddenOf(html, '/start"'))
    assert.equal(paid.status, 303, paid.text)
    await disbursementIn(shop.keyed, id, 'completed')
    assert.equal((await shop.keyed.get('/v1/biz/balance')).body.available, 600)
  })

  test('a schedule warns of its lines, is changed, and its failed run says what to do', async () => {
    const shop = await openShop(1000)
    const plan = { recurrence: 'weekly', reference: 'PAIE', lines: `${spaced(shop.phone)};300\n@${newTag()};10\n${shop.phone};300` }
    const wrong = await shop.post(
      'schedules/new',
      { ...plan, lines: `\n${shop.phone};trois\n@a b;5\n@awa;2.500`, date: '2030-01-31', time: '08:00' },
      'file',
    )
    assert.match(
      wrong.text,
      /Ligne 2 : le montant « trois » .* Ligne 4 : le montant « 2\.500 » se lit 2 500 ou 2,5 .* Ligne 3 : @a b : le @tag/,
    )
    const past = await shop.post('schedules/new', { ...plan, date: '2020-01-31', time: '08:00' }, 'file')
    assert.deepEqual([past.status, /dans le futur/.test(past.text)], [400, true])
    const checked = await shop.post('schedules/new', { ...plan, date: '2030-01-31', time: '08:00' }, 'file')
    assert.match(checked.text, /À chaque fois 610 F CFA en 3 lignes Solde disponible 1 000 F CFA Solde après une fois 390 F CFA/)
    assert.match(checked.text, /Ligne 3 : \+225\d+ ; 300 , comme la ligne 1/)
    assert.match(checked.text, /1 ligne : Aucun portefeuille ne correspond à ce destinataire. Vérifiez le @tag/)
    assert.deepEqual((await shop.keyed.get<{ data: unknown[] }>('/v1/biz/payout-schedules')).body.data, [], 'nothing is saved by a check')
    const again = await shop.post('schedules/edit', hiddenOf(checked.html, '/schedules/edit"'))
    assert.ok(again.html.includes(spaced(shop.phone)) && again.html.includes('value="2030-01-31"'), 'the form keeps what was typed')
    const created = await shop.post('schedules', hiddenOf(checked.html, '/schedules"'))
    assert.equal(created.status, 200)
    assert.match(created.text, /Ligne 2, @\w+ : aucun portefeuille.* Ligne 3, \+225\d+ : une ligne plus haut/)
    const { body } = await shop.keyed.get<{ data: { id: string }[] }>('/v1/biz/payout-schedules')
    const id = body.data[0]?.id ?? ''
    assert.ok((await shop.read(`schedules/${id}/edit`)).includes(`destinataire;montant;référence;note ${shop.phone};300;; @`))
    const change = await shop.post(`schedules/${id}/edit`, { ...plan, lines: `${shop.phone};600\n@${shop.tag};700` }, 'file')
    assert.match(change.text, /Le solde d’aujourd’hui ne suffit pas/)
    const changed = await shop.post(`schedules/${id}/replace`, hiddenOf(change.html, '/replace"'))
    assert.deepEqual([changed.status, changed.location.endsWith(`schedules/${id}?ok=schedule_replaced`)], [303, true])
    assert.match(await (await shop.get(`schedules/${id}/edit`)).text(), /name="planned" value="2030-01-31 08:00"[\s\S]*value="2030-01-31"/)
    const dated = { ...plan, lines: `${shop.phone};600\n@${shop.tag};700`, date: '2030-02-14', time: '07:30', planned: '2030-01-31 08:00' }
    assert.match((await shop.post(`schedules/${id}/edit`, { ...dated, date: '2020-02-14' }, 'file')).text, /dans le futur/)
    const moved = await shop.post(`schedules/${id}/edit`, dated, 'file')
    assert.match(moved.text, /Prochaine fois 14 févr\. 2030, 07:30/)
    assert.equal((await shop.post(`schedules/${id}/replace`, hiddenOf(moved.html, '/replace"'))).status, 303)
    assert.equal((await shop.keyed.get(`/v1/biz/payout-schedules/${id}`)).body.next_run_at, '2030-02-14T07:30:00.000Z')
    assert.equal((await shop.keyed.post(`/v1/biz/test/payout-schedules/${id}/run`, {})).body.state, 'partial')
    const monthly = { recurrence: 'monthly', start_at: '2030-01-31T08:00:00Z', items: [{ recipient: shop.tag, amount: 50 }] }
    for (const { state } of [{ state: 'active' }, { state: 'paused' }]) {
      const made = await shop.keyed.post<{ id: string }>('/v1/biz/payout-schedules', monthly, { 'idempotency-key': state })
      if (state === 'paused') await shop.keyed.post(`/v1/biz/payout-schedules/${made.body.id}/pause`, {})
    }
    const sums = /Total : 3 versements programmés Chaque mois : 50 F CFA \(1\) Chaque semaine : 1 300 F CFA \(1\)/
    assert.match(await shop.read('schedules'), sums, 'a week and a month are not added')
    for (const path of ['', 'schedules'])
      assert.match(await shop.read(path), /Le versement programmé PAIE du .* : 1 sur 2 lignes n’ont pas été versées/)
    assert.match(await shop.read(`schedules/${id}`), /1 ligne : Le solde de versement était insuffisant. Approvisionnez le compte/)
    await shop.keyed.post(`/v1/biz/payout-schedules/${id}/cancel`, {})
    assert.equal((await shop.post(`schedules/${id}/replace`, { ...plan, key: 'd' })).status, 409)
  })

  test('a search box finds payouts and transactions by reference, recipient and id', async () => {
    const shop = await openShop(1000)
    const key = { 'idempotency-key': 'k1' }
    const { body } = await shop.keyed.post('/v1/biz/payouts', { recipient: shop.phone, amount: 321, reference: 'Facture-7' }, key)
    await shop.keyed.post('/v1/biz/payouts', { recipient: shop.tag, amount: 123 }, { 'idempotency-key': 'k2' })
    for (const q of ['FACTURE-7', encodeURIComponent(shop.phone), String(body.id)]) {
      for (const list of ['payouts', 'transactions']) {
        const page = await shop.read(`${list}?q=${q}&reference=`)
        assert.ok(page.includes('321 F CFA') && !page.includes('123 F CFA'), `${list} ${q}: ${page}`)
      }
    }
    for (const list of ['charges', 'bills']) assert.match(await shop.read(`${list}?q=rien`), /Rechercher/)
  })
})
