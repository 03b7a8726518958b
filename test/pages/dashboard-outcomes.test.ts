// What the dashboard says after a form: the colour follows the outcome, each failure has a reason and what to do next.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { hiddenOf, openShop, type Shop } from '../support/dashboard-shop.ts'
import { newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

/** Follows the redirect after a form, and returns the page. */
async function landed(shop: Shop, location: string): Promise<string> {
  return (await shop.get(location.replace(/^.*dashboard\/test\//, ''))).text()
}

const NOTICE = /<p class="notice is-(\w+)" role="status">([^<]*)/

describe('the message after a form', () => {
  test('the message after a payout is green when it is paid, and red with what to do when it failed', async () => {
    const shop = await openShop(server, 1000)
    for (const [amount, tone, words, reason] of [
      ['400', 'good', 'Le versement est fait.', null],
      ['601', 'bad', 'Le versement a échoué', 'Approvisionnez le compte, puis versez de nouveau.'],
    ] as const) {
      const { location } = await shop.post('payouts', { recipient: shop.tag, amount, reference: '', note: '', key: amount })
      const page = await landed(shop, location)
      const [, shownTone, shownWords = ''] = NOTICE.exec(page) ?? []
      assert.deepEqual([shownTone, shownWords.startsWith(words)], [tone, true], page)
      if (reason !== null) assert.ok(page.includes(reason))
    }
  })

  test('the message after a batch follows its lines, and the report says each reason once with what to do', async () => {
    const shop = await openShop(server, 1000)
    for (const [lines, tone, reason] of [
      [`${shop.tag};10`, 'good', null],
      [
        `${shop.tag};10\n@${newTag()};10\n@${newTag()};10`,
        'wait',
        '2 lignes : Aucun portefeuille ne correspond à ce destinataire. Vérifiez',
      ],
      [`${shop.tag};5000`, 'bad', '1 ligne : Le solde de versement était insuffisant. Approvisionnez'],
    ] as const) {
      const { html } = await shop.post('batches/new', { lines, reference: tone }, 'file')
      const { location } = await shop.post('batches', hiddenOf(html, '/batches"'), 'file')
      // Nothing to pay has no button, but the form may be sent all the same.
      const page = await landed(shop, location)
      assert.equal(NOTICE.exec(page)?.[1], tone, page)
      if (reason !== null) assert.ok(page.includes(reason), page)
    }
  })
})

describe('after a failure', () => {
  test('the failed lines of a batch, and a failed payout, are put into their forms again', async () => {
    const shop = await openShop(server, 1000)
    const tag = newTag()
    const checked = await shop.post(
      'batches/new',
      { lines: `${shop.tag};10;PAIE-1\n@${tag};20;PAIE-2;"Prime; août"`, reference: 'PAIE' },
      'file',
    )
    const batch = await landed(shop, (await shop.post('batches', hiddenOf(checked.html, '/batches"'), 'file')).location)
    const lines = await shop.post('batches/edit', hiddenOf(batch, '/batches/edit"'), 'file')
    assert.match(lines.html, new RegExp(`>\\s*destinataire;montant;référence;note\\s*@${tag};20;PAIE-2;&quot;Prime; août&quot;</textarea>`))
    const sent = { recipient: `@${tag}`, amount: '30', reference: 'FOURN-1', note: 'Merci' }
    const payout = await landed(shop, (await shop.post('payouts', { ...sent, key: 'again' })).location)
    const form = await shop.post('payouts/edit', hiddenOf(payout, '/payouts/edit"'))
    for (const value of [`@${tag}`, '30', 'FOURN-1']) assert.ok(form.html.includes(` value="${value}"`), value)
    assert.match(form.html, />\s*Merci<\/textarea>/)
  })
})

describe('the check before a batch', () => {
  test('the check shows the balance and what is left, and leads back to the text as it was typed', async () => {
    const shop = await openShop(server, 1000)
    const lines = `Référence;Téléphone;Montant\r\n17; ${shop.tag} ;100 F`
    const checked = await shop.post('batches/new', { lines, reference: 'PAIE' }, 'file')
    assert.match(checked.text, /Solde disponible 1 000 F CFA Solde après 900 F CFA/)
    const back = await shop.post('batches/edit', hiddenOf(checked.html, '/batches/edit"'), 'file')
    assert.ok(back.html.includes(`Référence;Téléphone;Montant\r\n17; ${shop.tag} ;100 F</textarea>`), back.html)
  })
})

describe('pages that follow events', () => {
  test('every list that an event changes follows the events of its noun', async () => {
    const shop = await openShop(server, 0)
    for (const [path, type] of [
      ['', 'payout.paid'],
      ['charges', 'charge.succeeded'],
      ['links', 'charge.succeeded'],
      ['payouts', 'payout.failed'],
      ['batches', 'batch.completed'],
      ['schedules', 'batch.completed'],
      ['bills', 'bill.paid'],
      ['transactions', 'balance.changed'],
      ['events', 'biller.approved'],
    ] as const) {
      const types = /data-types="([^"]*)"/.exec(await (await shop.get(path)).text())?.[1] ?? ''
      assert.ok(types.split(' ').includes(type), `${path}: ${types}`)
    }
  })
})
