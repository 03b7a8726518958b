// What the dashboard says after a form: the colour follows the outcome, each failure has a reason and what to do next.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { hiddenOf, openShop, type Shop } from '../support/dashboard-shop.ts'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

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

  test('the message about a batch of the API follows its lines, and the report says each reason once with what to do', async () => {
    const shop = await openShop(server, 1000)
    const to = (recipient: string, amount: number) => ({ recipient, amount })
    for (const [items, count, reason] of [
      [[to(shop.tag, 10)], '1 ligne sur 1', null],
      [
        [to(shop.tag, 10), to(newTag(), 10), to(newTag(), 10)],
        '1 ligne sur 3',
        '2 lignes : Aucun portefeuille ne correspond à ce destinataire. Vérifiez',
      ],
      [[to(shop.tag, 5000)], '0 ligne sur 1', '1 ligne : Le solde de versement était insuffisant. Approvisionnez'],
    ] as const) {
      const { body } = await ok(shop.keyed.post<{ id: string }>('/v1/biz/payouts/batch', { items }, newKey()))
      const page = await shop.read(`batches/${body.id}`)
      assert.ok(page.includes(`(${count})`), page)
      if (reason !== null) assert.ok(page.includes(reason), page)
    }
  })
})

describe('after a failure', () => {
  test('the failed lines of a batch, and a failed payout, are put into their forms again', async () => {
    const shop = await openShop(server, 1000)
    const tag = newTag()
    const items = [
      { recipient: shop.tag, amount: 10, reference: 'PAIE-1' },
      { recipient: tag, amount: 20, reference: 'PAIE-2', note: 'Prime; août' },
    ]
    const { body } = await ok(shop.keyed.post<{ id: string }>('/v1/biz/payouts/batch', { items, reference: 'PAIE' }, newKey()))
    const batch = await (await shop.get(`batches/${body.id}`)).text()
    const lines = await shop.post('disbursements/edit', hiddenOf(batch, '/disbursements/edit"'), 'file')
    assert.match(lines.html, new RegExp(`>\\s*destinataire;montant;référence;note\\s*@${tag};20;PAIE-2;&quot;Prime; août&quot;</textarea>`))
    const sent = { recipient: `@${tag}`, amount: '30', reference: 'FOURN-1', note: 'Merci' }
    const payout = await landed(shop, (await shop.post('payouts', { ...sent, key: 'again' })).location)
    const form = await shop.post('payouts/edit', hiddenOf(payout, '/payouts/edit"'))
    for (const value of [`@${tag}`, '30', 'FOURN-1']) assert.ok(form.html.includes(` value="${value}"`), value)
    assert.match(form.html, />\s*Merci<\/textarea>/)
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
      ['disbursements', 'disbursement.completed'],
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
