// Many payouts at once on the dashboard: a file, a paste or a group, checked, approved by a second person, paid while the page follows,
// and never paid twice. In a real browser with a script and without one, and as a browser without a script sends its forms.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Disbursement } from '../../engine/contract/disbursement.ts'
import { sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { type Owner, signUp } from '../support/dashboard-callers.ts'
import { hiddenOf, openShop, plainText, type Shop } from '../support/dashboard-shop.ts'
import { inDashboard, press, readable } from '../support/dashboard-steps.ts'
import { DISBURSEMENTS, disbursementIn, newDisbursement } from '../support/disbursement-callers.ts'
import { joined } from '../support/member-callers.ts'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
})

const file = (lines: readonly string[]) => ({ name: 'paie.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n'), 'latin1') })

const linesTo = (tag: string, count: number): string[] => [
  'Bénéficiaire;Montant;Référence',
  ...Array.from({ length: count }, (_, at) => `@${tag};10;R${at}`),
]

const START = 'form[action$="/start"] button'
const SEND = 'form.card button[type=submit]'

async function signIn(page: Page, cookie: string, path: string): Promise<string> {
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: server.process.baseUrl }])
  const base = `${server.process.baseUrl}/dashboard/test`
  await page.goto(`${base}/${path}`)
  return base
}

const balanceOf = async ({ keyed }: Pick<Shop, 'keyed'>): Promise<number> =>
  (await keyed.get<{ available: number }>('/v1/biz/balance')).body.available

/** Checks pasted lines as a browser without a script does, and returns the id of the disbursement and the page. */
async function checked(shop: Shop, lines: string, more: Readonly<Record<string, string>> = {}) {
  const sent = await shop.post('disbursements/new', { lines, reference: '', ...more }, 'file')
  return { ...sent, id: /disbursements\/([0-9a-f-]{36})\/start"/.exec(sent.html)?.[1] ?? '' }
}

const move = (shop: Shop, id: string, name: string, fields: Readonly<Record<string, string>> = {}) =>
  shop.post(`disbursements/${id}/${name}`, { key: newKey()['idempotency-key'] ?? '', ...fields })

describe('a file of 1 200 lines', () => {
  for (const [javaScriptEnabled, width] of [
    [true, 360],
    [false, 1280],
  ] as const) {
    const how = javaScriptEnabled ? 'on a phone while the page follows' : 'without a script'
    test(`a file of 1 200 lines is checked and paid ${how}, and not twice`, async () => {
      const shop = await openShop(server, 20_000)
      const about = { javaScriptEnabled, viewport: { width, height: 800 } }
      await inDashboard(browser, about, async (page) => {
        const base = await signIn(page, shop.cookie, 'disbursements/new')
        if (javaScriptEnabled) await readable(page, 'disbursement-form')
        const lines = [...linesTo(shop.tag, 1199), '@personne_ici;10;']
        await page.setInputFiles('#file', file(lines))
        await press(page, SEND)
        assert.match(plain(await textOf(page, 'main')), /À verser ?11 990 F CFA \(1 199 lignes sur 1 200\)/)
        assert.equal(await page.locator('tbody tr').count(), 1)
        assert.equal(await textOf(page, 'tbody td'), '1201', 'the row of the spreadsheet, whose first row is the header')
        if (javaScriptEnabled) await readable(page, 'disbursement-check')
        assert.equal(await balanceOf(shop), 20_000, 'a check pays nothing')
        await press(page, START)
        if (javaScriptEnabled) await page.waitForSelector('.badge:has-text("Terminé")')
        else {
          await disbursementIn(shop.keyed, /disbursements\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '', 'completed')
          await page.reload()
        }
        assert.match(
          plain(await textOf(page, 'main')),
          /Versé : 11 990 F CFA \(1 199 lignes sur 1 199\).*Non valides, jamais versées : 1 ligne/,
        )
        assert.equal(await balanceOf(shop), 8010)
        if (javaScriptEnabled) await readable(page, 'disbursement-paid')

        await page.goto(`${base}/disbursements/new`)
        await page.setInputFiles('#file', file(lines))
        await press(page, SEND)
        assert.equal(await textOf(page, 'h1'), 'Fichier déjà envoyé')
        await press(page, 'form[action$="/again"] button')
        assert.match(plain(await textOf(page, 'main')), /1 199 lignes ont déjà été versées depuis moins de 72 heures/)
        assert.equal(await balanceOf(shop), 8010)
      })
    })
  }

  test('a file of 1 200 lines has its whole result as CSV, for its merchant alone', async () => {
    const shop = await openShop(server, 20_000)
    const items = Array.from({ length: 1200 }, (_, at) => ({ recipient: shop.tag, amount: 10, reference: `R${at}` }))
    const { id } = await newDisbursement(shop.keyed, { items, start: 'auto' })
    await disbursementIn(shop.keyed, id, 'completed')
    const answer = await shop.get(`disbursements/${id}/lines.csv`)
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
    const rows = (await answer.text()).trim().split('\r\n')
    assert.equal(rows.length, 1201)
    assert.match(rows[1200] ?? '', /^1199,.*,paid,/)
    const stranger = await openShop(server, 0)
    assert.equal((await stranger.get(`disbursements/${id}/lines.csv`)).status, 404)
    assert.equal((await stranger.get(`disbursements/${id}`)).status, 404)
  })
})

describe('a second person', () => {
  test('an owner asks, sees that another decides, and a manager rejects with a reason or approves', async () => {
    const owner = await signUp(server)
    const keyed = await server.keyed(owner.merchantId, 'test', ['disbursements.write'])
    const tag = newTag()
    await ok(keyed.post('/v1/biz/test/deposits', { amount: 20_000 }))
    await ok(keyed.post('/v1/biz/test/wallets', { tag }))
    const policy = { json: { approval_above: 500 } }
    await ok(owner.browser.with({ 'x-environment': 'test' }).request('PUT', '/v1/dashboard/payout-policy', policy))
    const manager = await joined(server, owner, 'manager')
    const asked = async (lines: string): Promise<string> => {
      let address = ''
      await inDashboard(browser, { viewport: { width: 360, height: 740 } }, async (page) => {
        await signIn(page, owner.cookie, 'disbursements/new')
        await page.fill('#lines', lines)
        await press(page, SEND)
        assert.match(plain(await textOf(page, 'main')), /Au-dessus de 500 F CFA, une deuxième personne doit approuver/)
        await press(page, START)
        assert.equal(await page.locator('form[action$="/approve"]').count(), 0, 'the maker has no button to approve')
        await readable(page, 'disbursement-asked-360')
        address = page.url().split('?')[0] ?? ''
      })
      return address
    }
    const decided = async (address: string, steps: (page: Page) => Promise<void>): Promise<void> =>
      inDashboard(browser, {}, async (page) => {
        await signIn(page, manager.cookie, 'payouts')
        await page.goto(address)
        await steps(page)
      })
    await decided(await asked(`@${tag};600;UN`), async (page) => {
      await page.click('summary:has-text("Refuser")')
      await page.fill('#reason', 'Le total ne correspond pas.')
      await readable(page, 'disbursement-decide')
      await press(page, 'form[action$="/reject"] button')
      assert.match(plain(await textOf(page, 'main')), /Refusé par .*Le total ne correspond pas\./)
    })
    await decided(await asked(`@${tag};700;DEUX`), async (page) => {
      await press(page, 'form[action$="/approve"] button')
      await page.waitForSelector('.badge:has-text("Terminé")')
      assert.match(plain(await textOf(page, 'main')), /Approuvé par/)
    })
    assert.equal(await balanceOf({ keyed }), 19_300)
  })

  test('the maker who sends the form of the approval all the same is refused with the reason', async () => {
    const owner: Owner = await signUp(server)
    const keyed = await server.keyed(owner.merchantId, 'test', ['disbursements.write'])
    const session = owner.browser.with({ 'x-environment': 'test' })
    await ok(session.request('PUT', '/v1/dashboard/payout-policy', { json: { approval_above: 0 } }))
    const tag = newTag()
    await ok(keyed.post('/v1/biz/test/wallets', { tag }))
    const made = await ok(session.post<Disbursement>(DISBURSEMENTS, { items: [{ recipient: tag, amount: 5 }], start: 'auto' }, newKey()))
    const form = new URLSearchParams({ csrf: owner.csrfToken, key: 'approve-own' })
    const address = `${server.process.baseUrl}/dashboard/test/disbursements/${made.body.id}/approve`
    const answer = await fetch(address, { method: 'POST', headers: { cookie: owner.cookie }, body: form })
    assert.equal(answer.status, 409)
    assert.match(plainText(await answer.text()), /autre personne/)
  })
})

describe('the moves of a disbursement', () => {
  test('the lines that failed are paid again by one button, and those that cannot be paid are put into the form', async () => {
    const shop = await openShop(server, 100)
    const items = [
      { recipient: shop.tag, amount: 60, reference: 'UN' },
      { recipient: shop.tag, amount: 50, reference: 'DEUX', note: 'Prime; août' },
      { recipient: 'personne_ici', amount: 10 },
    ]
    const { id } = await newDisbursement(shop.keyed, { items, start: 'auto', on_insufficient_balance: 'fail', reference: 'PAIE' })
    await disbursementIn(shop.keyed, id, 'completed')
    const page = await shop.read(`disbursements/${id}`)
    assert.match(page, /Versé : 60 F CFA \(1 ligne sur 2\)\. En échec : 50 F CFA \(1 ligne\)\./)
    assert.match(page, /1 ligne : Le solde de versement était insuffisant\. Approvisionnez/)
    assert.match(await shop.read(`disbursements/${id}?state=failed`), /DEUX(?!.*UN )/)
    const form = await move(shop, id, 'correct')
    assert.match(form.html, /@[\w-]+;50;DEUX;&quot;Prime; août&quot;\s*@personne_ici;10;;<\/textarea>/)
    assert.ok(form.html.includes(' value="PAIE"'))
    const retried = await move(shop, id, 'retry')
    assert.equal(retried.status, 303)
    const next = /disbursements\/([0-9a-f-]{36})/.exec(retried.location)?.[1] ?? ''
    await ok(shop.keyed.post('/v1/biz/test/deposits', { amount: 10 }))
    assert.match(await shop.read(`disbursements/${next}`), new RegExp(`Lignes en échec de ${id}`))
    await move(shop, next, 'start')
    await disbursementIn(shop.keyed, next, 'completed')
    assert.equal(await balanceOf(shop), 0)
    assert.match((await move(shop, id, 'retry')).text, /Ce versement groupé n’est pas dans l’état|état/)
  })

  test('a disbursement without balance says so, and goes on after a top-up', async () => {
    const shop = await openShop(server, 10)
    const { id } = await checked(shop, `@${shop.tag};8;A\n@${shop.tag};9;B`)
    await move(shop, id, 'start')
    await disbursementIn(shop.keyed, id, 'paused')
    assert.match(await shop.read(`disbursements/${id}`), /Le solde ne suffit plus/)
    await ok(shop.keyed.post('/v1/biz/test/deposits', { amount: 7 }))
    assert.equal((await move(shop, id, 'resume')).status, 303)
    await disbursementIn(shop.keyed, id, 'completed')
    assert.equal(await balanceOf(shop), 0)
  })

  test('paid lines become the form of a monthly schedule', async () => {
    const shop = await openShop(server, 100)
    const { id } = await checked(shop, `@${shop.tag};30;LOYER`, { reference: 'Loyers' })
    await move(shop, id, 'start')
    await disbursementIn(shop.keyed, id, 'completed')
    const form = await (await shop.get(`disbursements/${id}/repeat`)).text()
    assert.match(form, new RegExp(`@${shop.tag};30;LOYER;</textarea>`))
    assert.match(form, /value="monthly" selected/)
    assert.ok(form.includes(' value="Loyers"'))
  })
})

describe('the check before money moves', () => {
  test('a check shows the balance, what is left and the masked holder, and leads back to the text as it was typed', async () => {
    const shop = await openShop(server, 1000)
    const lines = `Référence;Téléphone;Montant\r\n17; ${shop.tag} ;100 F`
    const check = await checked(shop, lines, { reference: 'PAIE' })
    assert.match(check.text, /Solde disponible 1 000 F CFA Solde après 900 F CFA/)
    const back = await shop.post('disbursements/edit', hiddenOf(check.html, '/disbursements/edit"'), 'file')
    assert.ok(back.html.includes(`Référence;Téléphone;Montant\r\n17; ${shop.tag} ;100 F</textarea>`), back.html)
    assert.equal(
      (await shop.keyed.get<Disbursement>(`${DISBURSEMENTS}/${check.id}`)).body.state,
      'cancelled',
      'the old check cannot be paid',
    )
    const again = await checked(shop, lines, { reference: 'PAIE' })
    assert.notEqual(again.id, check.id)
    assert.equal((await checked(shop, lines, { reference: 'PAIE' })).id, again.id, 'a form sent twice makes one')
  })

  test('lines that were paid within 72 hours are left out by one button, once', async () => {
    const shop = await openShop(server, 1000)
    const first = await checked(shop, `@${shop.tag};30;A`)
    await move(shop, first.id, 'start')
    await disbursementIn(shop.keyed, first.id, 'completed')
    const second = await checked(shop, `@${shop.tag};30;A\n@${shop.tag};40;B`)
    assert.match(second.text, /Une ligne a déjà été versée.*Garder seulement 1 ligne, 40 F CFA/)
    const kept = await move(shop, second.id, 'without-recent')
    const same = await move(shop, second.id, 'without-recent')
    assert.equal(kept.location, same.location)
    const id = /disbursements\/([0-9a-f-]{36})/.exec(kept.location)?.[1] ?? ''
    await move(shop, id, 'start')
    assert.equal((await disbursementIn(shop.keyed, id, 'completed')).paid_amount, 40)
    assert.equal((await shop.keyed.get<Disbursement>(`${DISBURSEMENTS}/${second.id}`)).body.state, 'cancelled')
  })

  test('a group of contacts is paid as it is now', async () => {
    const shop = await openShop(server, 1000)
    await ok(shop.keyed.post('/v1/biz/contacts', { recipient: shop.tag, groups: ['Équipe'], amount: 70 }))
    assert.ok((await (await shop.get('disbursements/new')).text()).includes('Équipe (1)'))
    const { id, text } = await checked(shop, '', { group: 'Équipe', amount: '' })
    assert.match(text, /À verser 70 F CFA \(1 ligne sur 1\)/)
    await move(shop, id, 'start')
    await disbursementIn(shop.keyed, id, 'completed')
    assert.equal(await balanceOf(shop), 930)
  })

  for (const [name, lines, told] of [
    ['of too many lines', `${linesTo('awa', 2).join('\n')}${'\n@awa;5'.repeat(100_000)}`, /100 002 lignes ; 100 000 au plus/],
    ['without a line', '\n\n', /au moins une ligne/],
    ['whose lines cannot be read', '@awa;cinq', /Ligne 1 : le montant « cinq » n’est pas un nombre/],
  ] as const) {
    test(`a file ${name} gets an error message`, async () => {
      const shop = await openShop(server, 1000)
      const sent = await checked(shop, lines)
      assert.equal(sent.status, 400)
      assert.match(sent.text, told)
    })
  }
})
