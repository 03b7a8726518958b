// Receipts that print on one sheet, the ways to share them and charges, and buttons that copy.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Charge } from '../../engine/contract/charge.ts'
import { keepPicture, sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { openShop, type Shop } from '../support/dashboard-shop.ts'
import { inDashboard, press, readable, signUpIn } from '../support/dashboard-steps.ts'
import { newKey, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
})

/** Returns the texts of the links that share. */
function shared(html: string): string[] {
  return [...html.matchAll(/href="(?:https:\/\/wa\.me\/\d*\?text|sms:[+\d]*\?body)=([^"]*)"/g)].map(([, text = '']) =>
    plain(decodeURIComponent(text)),
  )
}

async function paidCharge(shop: Shop): Promise<Charge> {
  const { body } = await ok(shop.keyed.post<Charge>('/v1/biz/charges', { amount: 5000, reference: 'CMD-118', description: 'Deux pagnes' }))
  await ok(shop.keyed.post('/v1/biz/test/deposits', { amount: 9000 }))
  await ok(shop.keyed.post('/v1/biz/payouts', { recipient: shop.tag, amount: 9000 }, newKey()))
  return (await ok(shop.keyed.post<Charge>(`/v1/biz/test/charges/${body.token}/pay`, { payer_tag: shop.tag }))).body
}

describe('receipts', () => {
  test('a receipt of a charge names payer, payee, amount, state and reference, and follows a refund', async () => {
    const shop = await openShop(server, 0)
    const { token, paid_at } = await paidCharge(shop)
    const [, year, month, day, clock] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(paid_at ?? '') ?? []
    const receipt = await shop.read(`charges/${token}/receipt`)
    assert.match(
      receipt,
      /Paiement reçu 5 000 F CFA Payé, .* Payé par @t_\w+ Payé à Boutique Référence CMD-118 Objet Deux pagnes Transaction [0-9a-f-]{36}/,
    )
    const [message = '', other] = shared(await (await shop.get(`charges/${token}/receipt`)).text())
    assert.match(message, /^\[TEST\] Paiement reçu : 5 000 F CFA\sPayé le .*Référence : CMD-118/s)
    assert.equal(message, other)
    assert.ok(message.includes(`Payé le ${day}/${month}/${year} ${clock}`), `${message} in UTC, not in the time of the server`)
    assert.ok(receipt.includes(` ${year} à ${clock} `), `${receipt} in UTC`)
    const [english = ''] = shared(await (await shop.get(`charges/${token}/receipt?lang=en`)).text())
    assert.ok(english.includes(`Paid on ${day}/${month}/${year}, ${clock}`), english)
    assert.match(english, /^\[TEST\] Payment received: 5,000 F CFA\sPaid on .*Paid to Boutique\sReference: CMD-118/s)
    await ok(shop.keyed.post(`/v1/biz/charges/${token}/refund`, {}, newKey()))
    assert.match(await shop.read(`charges/${token}/receipt`), /Paiement remboursé 5 000 F CFA Remboursé/)
  })

  test('a refund on the page needs a reason, which its page, receipt and files show; what is said beside it stays off the receipt', async () => {
    const shop = await openShop(server, 0)
    const { token } = await paidCharge(shop)
    const without = await shop.post(`charges/${token}/refund`, { reason: '', text: 'Rendu.' })
    assert.equal(without.status, 400)
    assert.match(without.text, /Choisissez la raison du remboursement/)
    assert.equal((await ok(shop.keyed.get<Charge>(`/v1/biz/charges/${token}`))).body.state, 'paid')
    assert.equal(
      (await shop.post(`charges/${token}/refund`, { key: randomUUID(), reason: 'paid_twice', text: 'Payé à 9 h et à 9 h 05.' })).status,
      303,
    )
    assert.match(await shop.read(`charges/${token}`), /Raison du remboursement Payé deux fois\. ?Payé à 9 h et à 9 h 05\./)
    const receipt = await shop.read(`charges/${token}/receipt`)
    assert.match(receipt, /Paiement remboursé 5 000 F CFA .* Raison Payé deux fois/)
    assert.doesNotMatch(receipt, /9 h 05/)
    const file = await (await shop.get('charges.csv?format=tableur')).text()
    assert.match(file, /Raison du remboursement;Précisions du remboursement\r?\n.*Payé deux fois;Payé à 9 h et à 9 h 05\./)
    assert.match(await (await shop.get('charges.csv')).text(), /refund_reason,refund_text\r?\n.*paid_twice,/)
  })

  test('a receipt of a payout to a phone goes to that phone', async () => {
    const shop = await openShop(server, 1000)
    const { body } = await ok(shop.keyed.post('/v1/biz/payouts', { recipient: shop.phone, amount: 300, reference: 'PAIE' }, newKey()))
    const html = await (await shop.get(`payouts/${body.id}/receipt`)).text()
    assert.ok(html.includes(`https://wa.me/${shop.phone.slice(1)}?text=`) && html.includes(`sms:${shop.phone}?body=`), html)
  })

  test('a record that moved no money has no receipt, and another merchant sees none', async () => {
    const shop = await openShop(server, 0)
    const { body: charge } = await ok(shop.keyed.post<Charge>('/v1/biz/charges', { amount: 5 }))
    const { body: payout } = await ok(shop.keyed.post('/v1/biz/payouts', { recipient: shop.tag, amount: 5 }, newKey()))
    const { body: topUp } = await ok(shop.keyed.post('/v1/biz/top-ups', { amount: 5 }, newKey()))
    for (const path of [`charges/${charge.token}`, `payouts/${payout.id}`, `top-ups/${topUp.id}`]) {
      const answer = await shop.get(`${path}/receipt`)
      assert.deepEqual([answer.status, answer.headers.get('location')?.endsWith(path)], [303, true], path)
    }
    const { token } = await paidCharge(shop)
    assert.equal((await (await openShop(server, 0)).get(`charges/${token}/receipt`)).status, 404)
  })

  test('top-ups and withdrawals have receipts once the money has moved', async () => {
    const shop = await openShop(server, 0)
    const { body: topUp } = await ok(shop.keyed.post('/v1/biz/top-ups', { amount: 800 }, newKey()))
    await ok(shop.keyed.post(`/v1/biz/test/top-ups/${topUp.id}/confirm`, {}))
    assert.match(await shop.read(`top-ups/${topUp.id}/receipt`), /Approvisionnement 800 F CFA Crédité/)
    const destination = { kind: 'mobile_money', name: 'Awa', account: '+2250700000000' }
    const { body: withdrawal } = await ok(shop.keyed.post('/v1/biz/withdrawals', { amount: 500, destination }, newKey()))
    await ok(shop.keyed.post(`/v1/biz/test/withdrawals/${withdrawal.id}/pay`, {}))
    assert.match(await shop.read(`withdrawals/${withdrawal.id}/receipt`), /Retrait 500 F CFA Payé, .* Payé à Awa, \+2250700000000/)
  })
})

describe('sharing in a browser', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`a charge is shared, copied and printed ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      await inDashboard(browser, { javaScriptEnabled, viewport: { width: 360, height: 640 } }, async (page) => {
        await signUpIn(page, server.process.baseUrl)
        const base = page.url().split('?')[0] ?? ''
        await page.goto(`${base}/charges/new`)
        await page.fill('#amount', '1000')
        await page.fill('#reference', 'CMD-9')
        await press(page, 'form.card button[type=submit]')
        if (javaScriptEnabled) await readable(page, 'charge-share')
        const address = await page.inputValue('#address')
        for (const text of shared(await page.content())) assert.equal(text, `Payer 1 000 F CFA à Boutique Awa (CMD-9) : ${address}`)
        assert.equal(await page.isVisible('[data-copy=id]'), javaScriptEnabled)
        if (!javaScriptEnabled) return
        // At the click itself: news may replace this part of the page behind it.
        await page.evaluate("addEventListener('click', () => { window.selectedText = getSelection().toString() })")
        await page.click('[data-copy=id]')
        await page.locator('[data-copied]').filter({ hasText: 'Le texte est' }).waitFor({ state: 'attached' })
        assert.equal(await page.evaluate('selectedText'), await textOf(page, '#id'))
      })
    })
  }

  test('a receipt prints on one sheet of A5 and of A4, without its buttons', async () => {
    const shop = await openShop(server, 0)
    const { token } = await paidCharge(shop)
    await inDashboard(browser, { viewport: { width: 360, height: 640 }, colorScheme: 'dark' }, async (page) => {
      const [name = '', value = ''] = shop.cookie.split(/=(.*)/s)
      await page.context().addCookies([{ name, value, url: server.process.baseUrl }])
      await page.goto(`${server.process.baseUrl}/dashboard/test/charges/${token}/receipt`)
      await readable(page, 'receipt')
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.isVisible('.receipt-tools'), false)
      await keepPicture(page, 'receipt-printed')
      for (const format of ['A5', 'A4']) {
        const pdf = (await page.pdf({ format, preferCSSPageSize: false })).toString('latin1')
        assert.equal([...pdf.matchAll(/\/Type\s*\/Page\b/g)].length, 1, format)
      }
    })
  })
})
