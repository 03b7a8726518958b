// Lists of the dashboard over HTTP: filters that forgive, usual periods, totals, and files for spreadsheets.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { periods } from '../../http/pages/dashboard/lists/list-filters.ts'
import { openShop, plainText, type Shop } from '../support/dashboard-shop.ts'
import { newKey, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let shop: Shop

before(async () => {
  server = await sharedServer()
  shop = await openShop(server, 1000)
  for (const [amount, reference] of [
    [100, 'PAIE-1'],
    [200, '=1+1'],
    [5000, 'PAIE-2'],
  ] as const)
    await ok(shop.keyed.post('/v1/biz/payouts', { recipient: shop.phone, amount, reference }, newKey()))
  await ok(shop.keyed.post('/v1/biz/charges', { amount: 100, reference: LIKE_A_TIME, description: LIKE_A_TIME }))
})

/** A text of the merchant. */
const LIKE_A_TIME = '2026-11-22T06:17:00Z'

const today = (): string => new Date().toISOString().slice(0, 10)
const frenchDay = (): string => today().split('-').reverse().join('/')

describe('filters', () => {
  for (const [what, query, count] of [
    ['no filter', '', 3],
    ['empty filters', 'q=&state=&recipient=++&reference=&batch_id=&disbursement_id=', 3],
    ['a reference in another case with blanks', 'reference=%20paie-1%20', 1],
    ['a state in another case', 'state=PAID', 2],
    ['a state by its French word without its accent', 'state=echoue', 1],
  ] as const) {
    test(`filters forgive ${what}`, async () => {
      const page = await shop.read(`payouts?${query}`)
      assert.match(page, new RegExp(`Total : ${count} versement`), page)
    })
  }

  test('filters take a phone with blanks, and one whose plus arrived as a blank', async () => {
    const spaced = `${shop.phone.slice(0, 4)} ${shop.phone.slice(4, 6)} ${shop.phone.slice(6)}`
    for (const recipient of [encodeURIComponent(spaced), shop.phone])
      assert.match(await shop.read(`payouts?recipient=${recipient}`), /Total : 3 versements/)
  })

  test('filters take days as browsers send them and as people write them, in either order', async () => {
    for (const query of [`from=${today()}&to=${today()}`, `from=${encodeURIComponent(frenchDay())}`, `from=${today()}&to=2020-01-01`])
      assert.match(await shop.read(`payouts?${query}`), /Total : 3 versements/, query)
    assert.doesNotMatch(await shop.read('payouts?to=01/01/2020'), /Total :/)
  })

  test('links lead to usual periods and keep the other filters', async () => {
    const html = await (await shop.get('payouts?reference=PAIE-1')).text()
    const links = [...html.matchAll(/<a class="period" href="[^"]*payouts\?([^"]*)">([^<]*)/g)].map(([, query = '', words]) => ({
      query,
      words,
    }))
    assert.deepEqual(
      links.map(({ words }) => words),
      ['Aujourd’hui', 'Hier', '7 jours', 'Ce mois', 'Mois dernier'],
    )
    const shown = async (words: string): Promise<string> =>
      shop.read(`payouts?${links.find((link) => link.words === words)?.query.replaceAll('&amp;', '&')}`)
    assert.match(await shown('7 jours'), /Total : 1 versement Versé : 100 F CFA/)
    assert.doesNotMatch(await shown('Mois dernier'), /Total :/)
  })

  test('the choice of the language is no filter, and the links of the list leave it out', async () => {
    const html = await (await shop.get('payouts?lang=en')).text()
    assert.match(html, /<details class="filters">/)
    assert.doesNotMatch(html, /<details class="filters" open/)
    assert.doesNotMatch(html, /payouts\.csv\?[^"]*lang=/)
  })

  test('periods are days in UTC, over the turn of a year too', () => {
    const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
    const found = periods(Date.UTC(2027, 0, 5, 23, 59)).map(({ from, to }) => `${day(from)} ${day(to)}`)
    assert.deepEqual(found, [
      '2027-01-05 2027-01-05',
      '2027-01-04 2027-01-04',
      '2026-12-30 2027-01-05',
      '2027-01-01 2027-01-05',
      '2026-12-01 2026-12-31',
    ])
  })
})

describe('totals', () => {
  test('totals count and add what the filters select, by state', async () => {
    assert.match(await shop.read('payouts'), /Total : 3 versements Échoué : 5 000 F CFA \(1\) Versé : 300 F CFA \(2\)/)
    assert.match(await shop.read('transactions'), /Total : 3 transactions Sorties : .300 F CFA \(2\) Entrées : 1 000 F CFA \(1\)/)
  })

  test('totals are of the whole list on each of its pages, and say at least beyond their bound', async () => {
    const rich = await openShop(server, 10_000)
    for (let part = 0; part < 3; part++) {
      const items = Array.from({ length: 400 }, () => ({ recipient: rich.tag, amount: 1 }))
      await ok(rich.keyed.post('/v1/biz/payouts/batch', { items, reference: `LOT-${part}` }, newKey()))
    }
    const html = await (await rich.get('payouts')).text()
    const next = /href="[^"]*payouts\?([^"]*)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const least = /Total : au moins (1 0\d\d) versements Versé : au moins (1 0\d\d) F CFA/
    for (const text of [plainText(html), await rich.read(`payouts?${next}`)]) assert.match(text, least)
    const exact = /href="[^"]*payouts\?([^"]*total=exact)"/.exec(html)?.[1] ?? assert.fail()
    const whole = await rich.read(`payouts?${exact}`)
    assert.match(whole, /Total : 1 200 versements Versé : 1 200 F CFA/)
    assert.doesNotMatch(whole, /total exact/)
    const batches = await rich.read('batches')
    assert.match(batches, /Total : 3 versements groupés Versé : 1 200 F CFA/)
  })
})

describe('files', () => {
  test('a file for French spreadsheets has semicolons, French headers and words, local dates and no formulas', async () => {
    const answer = await shop.get('payouts.csv?format=tableur')
    assert.match(answer.headers.get('content-disposition') ?? '', /payouts-test-tableur\.csv/)
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
    const [header = '', failed = '', second = ''] = bytes.toString('utf8').slice(1).split('\r\n')
    assert.equal(
      header,
      'Identifiant;Destinataire;Montant;Devise;Frais;État;Raison de l’échec;Référence;Note;Versement groupé (API);Versement groupé;Versement programmé;Transaction;Créé le',
    )
    assert.match(failed, /;5000;XOF;0;Échoué;Le solde de versement était insuffisant\.;PAIE-2;;;;;;\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
    assert.ok(failed.endsWith(` ${failed.slice(-8)}`) && failed.includes(frenchDay()))
    assert.ok(second.includes(";200;XOF;0;Versé;;'=1+1;") && second.includes(`;'${shop.phone};`), second)
  })

  test('a reference that looks like a time stays as it is in a file for spreadsheets', async () => {
    const [, charge = ''] = (await (await shop.get('charges.csv?format=tableur')).text()).split('\r\n')
    assert.match(charge, new RegExp(`;En attente;${LIKE_A_TIME};${LIKE_A_TIME};.*;\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d;`))
  })

  test('a file for spreadsheets is in the language of its reader', async () => {
    const [header = '', failed = ''] = (await (await shop.get('payouts.csv?format=tableur&lang=en')).text()).split('\r\n')
    assert.equal(
      header,
      'Identifier,Recipient,Amount,Currency,Fee,State,Reason of the failure,Reference,Note,Bulk payout (API),Bulk payout,Scheduled payout,Transaction,Created on',
    )
    assert.match(failed, /,5000,XOF,0,Failed,The payout balance was not sufficient\.,PAIE-2,,,,,,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  test('the plain file keeps the names and values of the API under the same filters', async () => {
    const text = await (await shop.get('payouts.csv?state=failed')).text()
    const [header = '', failed = '', end] = text.replace('\uFEFF', '').split('\r\n')
    assert.ok(header.startsWith('id,recipient,amount,currency,fee,state,failure_code,reference'))
    assert.ok(failed.includes(',5000,XOF,0,failed,insufficient_balance,PAIE-2,'), failed)
    assert.equal(end, '')
  })

  test('every list has both files, and offers them when it has rows', async () => {
    for (const path of [
      'charges',
      'links',
      'payouts',
      'batches',
      'disbursements',
      'schedules',
      'bills',
      'top-ups',
      'withdrawals',
      'transactions',
      'mandates',
      'events',
    ]) {
      const html = await (await shop.get(path)).text()
      const hasRows = !html.includes('class="empty"')
      assert.deepEqual([html.includes(`${path}.csv?format=tableur"`), html.includes(`${path}.csv"`)], [hasRows, hasRows], path)
      const file = await (await shop.get(`${path}.csv?format=tableur`)).text()
      assert.match(file.split('\r\n')[0] ?? '', /;/, path)
    }
  })
})

test('a plan that the API would not take is refused with the reason', async () => {
  const plan = { recurrence: 'monthly', date: '2099-01-01', time: '08:00', lines: `${shop.tag};5` }
  const { status, text } = await shop.post('schedules/new', { ...plan, reference: 'r'.repeat(256) }, 'file')
  assert.deepEqual([status, /trop long\s*: le maximum est de 255/.test(text)], [400, true], text)
})
