// The operator's pages in a real Chromium: merchants, wallets, money in and out with its confirmation, the ledger, the
// audit trail; without a script, on a small phone, with names that mean harm.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { assertAccessible, assertFits, inBothLooks, keepPicture, sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { sendForm } from '../support/forms.ts'
import { follow, onDesk } from '../support/operator-steps.ts'
import { type Merchant, newKey, type TestServer } from '../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { ownServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let browser: Browser
let merchant: Merchant
const NAME = 'Boutique Awa & Filles'

before(async () => {
  server = await ownServer()
  browser = await sharedBrowser()
  merchant = await server.merchant(NAME)
})

after(async () => {
  await server?.close()
})

const WAYS = [
  ['with a script', {}],
  ['without a script', { javaScriptEnabled: false }],
] as const satisfies readonly (readonly [string, BrowserContextOptions])[]

const liveBalance = async (): Promise<number> => (await merchant.live.get<{ available: number }>('/v1/biz/balance')).body.available

/** Searches on the page of movements, and chooses the account whose badge has the words. */
async function chooseAccount(page: Page, q: string, badge: RegExp): Promise<void> {
  await sendForm(page, 'funding', { q })
  const row = page.locator('tbody tr').filter({ has: page.locator('.badge', { hasText: badge }) })
  await Promise.all([page.waitForEvent('load'), row.locator('th a').first().click()])
}

for (const [name, options] of WAYS) {
  test(`the operator signs in, puts money on a merchant and takes some off: ${name}`, async () => {
    const before = await liveBalance()
    await onDesk(server, browser, options, async (page) => {
      await follow(page, 'Se déconnecter')
      await sendForm(page, 'login', { token: OPERATOR_TOKEN })
      assert.equal(await textOf(page, 'h1'), 'Accueil')
      await follow(page, 'Marchands')
      await sendForm(page, 'merchants', { q: 'tique aw' })
      await follow(page, NAME)
      assert.match(await textOf(page, '[aria-label="Clés API"]'), /pk_live_[\w-]{24}productionversements, factures/)
      await page.locator('tr:has-text("production") >> text="Déposer ou retirer"').click()
      await page.waitForURL('**/operator/funding?account=*')
      await sendForm(page, 'funding/check', { kind: 'deposit', amount: '250 000', reference: 'VIR-118' })
      assert.equal(await textOf(page, 'h1'), 'Confirmer le dépôt')
      assert.match(plain(await textOf(page, '.facts')), /production .*Boutique Awa & Filles.*250 000 F CFA.*VIR-118/)
      assert.equal(await liveBalance(), before, 'nothing has moved yet')
      await sendForm(page, 'confirm', { again: '25000' })
      assert.match(await textOf(page, '#again-error'), /n’est pas celui/)
      await sendForm(page, 'confirm', { again: '250000' })
      assert.equal(await textOf(page, '.verdict'), 'Effectué.')
      await page.reload()
      assert.equal(await textOf(page, '.verdict'), 'Effectué.', 'reloading sends nothing again')
      const confirmation = page.url()
      await follow(page, 'Voir le mouvement')
      assert.match(plain(await textOf(page, '[aria-label="Historique"] tbody')), /250 000 F CFA[\s\S]*VIR-118/)
      assert.equal(await page.locator('[aria-label="Historique"] tbody tr').count(), 1)
      await page.goto(confirmation)
      await follow(page, 'Nouveau mouvement')
      await chooseAccount(page, 'tique aw', /^production/)
      assert.match(plain(await textOf(page, '.facts')), /Boutique Awa & Filles.*Solde actuel[1-9]/)
      await sendForm(page, 'funding/check', { kind: 'withdrawal', amount: '50000' })
      assert.match(plain(await textOf(page, '.facts')), /Solde actuel.*Solde ensuite/)
      await sendForm(page, 'confirm', { again: '50 000' })
      assert.equal(await textOf(page, '.verdict'), 'Effectué.')
    })
    assert.equal((await liveBalance()) - before, 200_000)
  })

  test(`the operator finds a wallet by tag and by phone: ${name}`, async () => {
    const tag = await server.wallet(merchant)
    await onDesk(server, browser, options, async (page) => {
      await follow(page, 'Portefeuilles')
      await sendForm(page, 'wallets', { q: `@${tag.toUpperCase()}` })
      assert.match(plain(await textOf(page, 'main tbody')), new RegExp(`@${tag}.*0 F CFA.*test`))
      const [phone = ''] = /\+22500[0-9]{8}/.exec(await textOf(page, 'main tbody')) ?? []
      await sendForm(page, 'wallets', { q: `00${phone.slice(1, 4)} ${phone.slice(4, 8)} ${phone.slice(8)}` })
      await follow(page, `@${tag}`)
      assert.match(plain(await textOf(page, 'main .facts')), new RegExp(`${phone.slice(1)}.*Disponible0 F CFA`))
      await page.click('summary:has-text("Écrire une note")')
      await sendForm(page, `${tag}/notes`, { text: 'Appelé : rien à signaler.' })
      assert.match(plain(await textOf(page, '[aria-label="Historique"] tbody tr')), /Appelé : rien à signaler\..*Accès principal.*note/)
      await follow(page, 'Déposer ou retirer')
      assert.match(plain(await textOf(page, '.facts')), new RegExp(`test.*@${tag}.*Solde actuel0 F CFA`))
      await page.goto(`${server.process.baseUrl}/operator/wallets?q=%2B22999999999`)
      assert.match(await textOf(page, 'main'), /Aucun portefeuille/)
      await sendForm(page, 'wallets', { q: 'pe' })
      assert.match(await textOf(page, '#q-error'), /Saisissez un @tag/)
    })
  })
}

test('an operator sets rules, a payout is refused by them, and the report of fees says what was taken', async () => {
  const shop = await server.fundedMerchant(100_000)
  const tag = await server.wallet(shop)
  const scope = 'environment=test&currency=XOF'
  const payout = async (amount: number): Promise<unknown[]> => {
    const { body } = await ok(shop.test.post('/v1/biz/payouts', { recipient: tag, amount }, newKey()))
    return [body.state, body.failure_code, body.fee]
  }
  await onDesk(server, browser, {}, async (page) => {
    await follow(page, 'Règles')
    await follow(page, 'test')
    await follow(page, 'Ajouter un niveau')
    await sendForm(page, `tier?${scope}`, { name: 'basic', balance_max: 'beaucoup' })
    assert.match(await textOf(page, '#balance_max-error'), /Saisissez un montant/)
    await page.check('[name="is_default"]')
    await sendForm(page, `tier?${scope}`, { balance_max: '6 000' })
    assert.match(plain(await textOf(page, '[aria-label="Niveaux des portefeuilles"] tbody')), /basic par défaut.*6 000 F CFA/)
    await follow(page, 'Ajouter une grille')
    await page.check('[name="is_default"]')
    await sendForm(page, `plan?${scope}`, { name: 'standard', payout_percent: '1,5', payout_min: '50' })
    assert.match(
      plain(await textOf(page, '[aria-label="Grilles de frais"] tbody')),
      /standard par défaut.*1,5 %, au moins 50 F CFA.*gratuit/,
    )
    assert.deepEqual(await payout(5000), ['paid', undefined, 75])
    assert.deepEqual(await payout(5000), ['failed', 'recipient_limit_exceeded', 0])
    await page.goto(`${server.process.baseUrl}/operator/merchants/${shop.id}`)
    const own = page.locator('details:has(#test-payout_max)')
    await own.locator('summary').click()
    await own.locator('#test-payout_max').fill('900')
    await Promise.all([page.waitForEvent('load'), own.locator('button').click()])
    assert.match(await textOf(page, '.said'), /Les règles sont enregistrées/)
    assert.deepEqual(await payout(901), ['failed', 'merchant_limit_exceeded', 0])
    await follow(page, 'Frais')
    await follow(page, 'test')
    assert.match(plain(await textOf(page, '[aria-label="Frais"] tbody')), /standard.*Versement.*1.*75 F CFA/)
    assert.match(plain(await textOf(page, '[aria-label="Par jour"] tfoot')), /75 F CFA/)
    await follow(page, 'Règles')
    await follow(page, 'test')
    await Promise.all([page.waitForEvent('load'), page.click('[aria-label="Niveaux des portefeuilles"] a')])
    await Promise.all([page.waitForEvent('load'), page.click('text="Supprimer"')])
    assert.match(await textOf(page, 'main'), /Aucun niveau : les portefeuilles n’ont aucune limite/)
  })
  await ok(server.operator.request('PUT', '/v1/operator/rules/fees?environment=test', { json: {} }))
})

test('the page says what is wrong beside each field, and keeps what was typed', async () => {
  await onDesk(server, browser, {}, async (page) => {
    await follow(page, 'Mouvements')
    await sendForm(page, 'funding', { q: 'personne ici' })
    assert.match(await textOf(page, 'main'), /Aucun marchand et aucun portefeuille/)
    await assertAccessible(page)
    await chooseAccount(page, merchant.id, /^test/)
    await sendForm(page, 'funding/check', { amount: '12,5', reference: 'VIR' })
    for (const field of ['kind', 'amount']) assert.notEqual(await textOf(page, `#${field}-error`), '', field)
    assert.deepEqual([await page.inputValue('#amount'), await page.inputValue('#reference')], ['12,5', 'VIR'])
    assert.match(await page.title(), /^Erreur/)
    await assertAccessible(page)
  })
})

test('a withdrawal beyond the balance moves nothing, and its page says so for good', async () => {
  await onDesk(server, browser, {}, async (page) => {
    await follow(page, 'Mouvements')
    await chooseAccount(page, NAME, /^test/)
    await sendForm(page, 'funding/check', { kind: 'withdrawal', amount: '999999999' })
    await sendForm(page, 'confirm')
    assert.match(await textOf(page, '.verdict'), /^Refusé : Le solde est insuffisant/)
    await page.reload()
    assert.match(await textOf(page, '.verdict'), /^Refusé/)
  })
})

test('the ledger and the audit trail are shown page by page', async () => {
  await server.operator.post(
    '/v1/operator/deposits',
    { merchant_id: merchant.id, environment: 'test', amount: 7 },
    { 'idempotency-key': 'ledger-test' },
  )
  for (let index = 0; index < 7; index++) await server.merchant(`Marchand ${index}`)
  await onDesk(server, browser, {}, async (page) => {
    await follow(page, 'Balance')
    assert.equal(await textOf(page, '.verdict'), 'Les débits égalent les crédits.')
    await follow(page, 'test')
    assert.match(page.url(), /environment=test/)
    const total = plain(await textOf(page, 'tfoot'))
    const [, debit, credit] = /Total\s*([0-9 ]+) F CFA\s*([0-9 ]+) F CFA/.exec(total) ?? []
    assert.ok(debit !== undefined && debit.trim() === credit?.trim(), total)
    await follow(page, 'Journal')
    assert.match(await textOf(page, 'tbody tr:first-child'), /Clé API créée/)
    const first = await textOf(page, 'tbody')
    await follow(page, 'Page suivante')
    assert.notEqual(await textOf(page, 'tbody'), first)
    await follow(page, 'Première page')
    assert.equal(await textOf(page, 'tbody'), first)
  })
})

describe('every page', () => {
  const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

  const MOBILE: BrowserContextOptions = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, reducedMotion: 'reduce' }

  test('every page fits, is accessible and keeps harm to itself at 360 and 1280 px, in both themes', async () => {
    const hostile = await server.merchant(HOSTILE)
    const reference = `<b>${'R'.repeat(200)}`
    await server.operator.post(
      '/v1/operator/deposits',
      { merchant_id: hostile.id, environment: 'live', amount: 1_000_000_000_000, reference },
      { 'idempotency-key': 'harm' },
    )
    const tag = await server.wallet(merchant)
    const look = async (page: Page, path: string, view: string): Promise<void> => {
      await page.goto(`${server.process.baseUrl}/operator${path}`)
      await inBothLooks(page, 'light', async ({ width, theme }) => {
        await assertFits(page)
        await assertAccessible(page)
        assert.equal(await page.evaluate('document.querySelectorAll("main script, main img, main td b, main bdi b").length'), 0)
        await keepPicture(page, `desk-${view}-${width}-${theme}`)
      })
    }
    await onDesk(server, browser, MOBILE, async (page) => {
      await look(page, '', 'home')
      await look(page, '/merchants', 'merchants')
      await look(page, `/merchants/${hostile.id}`, 'merchant')
      await look(page, `/wallets?q=${tag}`, 'wallets')
      await look(page, `/wallets/${tag}`, 'wallet')
      await look(page, '/funding', 'funding')
      await look(page, `/funding?q=${hostile.id}`, 'accounts')
      await chooseAccount(page, hostile.id, /^production/)
      await look(page, page.url().split('/operator')[1] ?? '', 'movement')
      await sendForm(page, 'funding/check', { kind: 'deposit', amount: '5', reference })
      await look(page, page.url().split('/operator')[1] ?? '', 'confirm')
      await look(page, '/rules?environment=test', 'rules')
      await look(page, '/rules/tier', 'tier')
      await look(page, '/rules/plan', 'plan')
      await look(page, '/fees', 'fees')
      await look(page, '/ledger', 'ledger')
      await look(page, '/audit', 'audit')
      await follow(page, 'Se déconnecter')
      await look(page, '/login', 'login')
    })
  })
})
