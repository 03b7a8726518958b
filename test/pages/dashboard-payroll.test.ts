// A payroll of 60 people by file on the dashboard, in a real browser: files that must not be paid, a file with bad lines, its payment,
// its correction, and the same people not paid twice.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openPage, sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { signUp } from '../support/dashboard-callers.ts'
import { inDashboard, press, readable } from '../support/dashboard-steps.ts'
import { newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const PEOPLE = 60
const START = 'form[action$="/start"] button:not(.quiet)'

interface Person {
  readonly tag: string
  readonly phone: string
}

async function openShop() {
  const owner = await signUp(server)
  const keyed = await server.keyed(owner.merchantId, 'test', ['disbursements.write'])
  await keyed.post('/v1/biz/test/deposits', { amount: 5_000_000 })
  const people: Person[] = []
  for (let at = 0; at < PEOPLE; at++) {
    const tag = newTag()
    const { body } = await keyed.post<{ phone: string }>('/v1/biz/test/wallets', { tag })
    people.push({ tag, phone: body.phone })
  }
  return {
    people,
    balance: async () => (await keyed.get<{ available: number }>('/v1/biz/balance')).body.available,
    open: async (page: Page): Promise<string> => {
      const [name = '', value = ''] = owner.cookie.split('=')
      await page.context().addCookies([{ name, value, url: server.process.baseUrl }])
      return `${server.process.baseUrl}/dashboard/test`
    },
  }
}

/** As Excel in French saves it: Windows-1252, with a title, and no `+` before phones. */
function payrollFile(rows: readonly string[]): { name: string; mimeType: string; buffer: Buffer } {
  const text = ['sep=;', 'Salaires de novembre;;;', 'Téléphone;Montant (F CFA);Référence;Motif', ...rows].join('\r\n')
  const bytes = Buffer.from(text.replaceAll('’', '\u0092').replaceAll('€', '\u0080'), 'latin1')
  return { name: 'paie.csv', mimeType: 'text/csv', buffer: bytes }
}

/** Row 4 of the spreadsheet is the first person. */
function rowsOf(people: readonly Person[], wrong: Readonly<Record<number, string>>): string[] {
  return people.map(({ tag, phone }, at) => {
    const recipient = at % 3 === 0 ? phone.slice(1) : at % 3 === 1 ? `${phone.slice(0, 4)} ${phone.slice(4)}` : `@${tag}`
    return wrong[at] ?? `${recipient};${at % 2 === 0 ? '25 000,00' : `${30_000 + at}`};PAIE-${at};Prime d’août`
  })
}

const REFUSED = [
  ['Nom;Téléphone;Salaire\nawa;771234567;25000', /colonne inconnue : Nom\. Lu : A « Nom », B « Téléphone » = destinataire/],
  ['destinataire;montant;montant\n@awa;5;6', /plusieurs colonnes sont « montant »/],
  ['telephone;tag;montant\n771234567;awa;5', /plusieurs colonnes sont « destinataire »/],
  ['@awa;5;"x\n@kofi;6', /Ligne 1 : un guillemet est ouvert/],
  ['recipient,amount,reference\n@awa,500,001', /Ligne 2 : le montant « 500,001 » se lit 500 001 ou 500 :/],
  ['@awa;771234567;25000', /« 771234567 » peut être un téléphone/],
] as const

const send = async (page: Page): Promise<string> => {
  await press(page, 'form.card button[type=submit]')
  return plain(await textOf(page, 'main'))
}

async function seeRefusals(open: (page: Page) => Promise<string>): Promise<void> {
  // The console of a browser names each answer of 400, so these pages are not those of the walk.
  const refused = await openPage(await sharedBrowser())
  const address = `${await open(refused.page)}/disbursements/new`
  for (const [lines, said] of REFUSED) {
    await refused.page.goto(address)
    await refused.page.fill('#lines', lines)
    await send(refused.page)
    assert.match(plain(await textOf(refused.page, '[role=alert]')), said)
  }
  await readable(refused.page, 'payroll-refused')
  await refused.context.close()
}

test('a payroll of 60 people is paid by file, corrected, and pays each once', async () => {
  const shop = await openShop()
  const ghost = newTag()
  await seeRefusals(shop.open)
  await inDashboard(await sharedBrowser(), {}, async (page) => {
    const base = await shop.open(page)
    const wrong = {
      7: `${shop.people[7]?.phone};25.000;PAIE-7;`,
      8: `${shop.people[8]?.phone};1,500;PAIE-8;`,
      9: '2,25009E+12;30009;PAIE-9;',
      10: `@${ghost};30010;PAIE-10;"Prime; août"`,
    }
    const rows = rowsOf(shop.people, wrong)
    await page.goto(`${base}/disbursements/new`)
    await page.setInputFiles('#file', payrollFile([...rows, 'TOTAL;1 700 000;;']))
    const check = await send(page)
    const sum = (at: number): number => (at % 2 === 0 ? 25_000 : 30_000 + at)
    const paid = shop.people.map((_, at) => at).filter((at) => !(at in wrong))
    const amount = paid.reduce((total, at) => total + sum(at), 0)
    const shown = String(amount).replace(/\B(?=(?:\d{3})+$)/g, ' ')
    assert.ok(check.includes(`${shown} F CFA (56 lignes sur 61)`), check)
    assert.match(check, /Lignes lues ?57 sur 61.*Plus gros montant ?30 059 F CFA \(ligne 63\)/)
    for (const said of [
      'Ligne 11 : le montant « 25.000 » se lit 25 000 ou 25',
      'Ligne 12 : le montant « 1,500 » se lit 1 500 ou 1,5',
      'Ligne 13 : « 2,25009E+12 » est un téléphone que le tableur a arrondi',
      'Ligne 64 : « TOTAL » est une ligne de total',
      'Ligne 2 : Salaires de novembre',
    ])
      assert.ok(check.includes(said), `${said} in ${check}`)
    assert.match(check, new RegExp(`Ligne 4 : ${shop.people[0]?.phone.slice(1)} → \\+${shop.people[0]?.phone.slice(1)}`))
    await readable(page, 'payroll-check')
    assert.match(plain(await textOf(page, `tbody tr:has-text("${ghost}")`)), /^14/, 'the line has its row of the spreadsheet')
    await press(page, START)
    await page.waitForSelector('.badge:has-text("Terminé")')
    const report = plain(await textOf(page, 'main'))
    assert.ok(report.includes(`Versé : ${shown} F CFA (56 lignes sur 56)`), report)
    assert.match(plain(await textOf(page, `tbody tr:has-text("${ghost}")`)), /^14/, 'the result has the rows of the check')
    assert.equal(await shop.balance(), 5_000_000 - amount)
    await readable(page, 'payroll-report')
    await press(page, 'form[action$="/correct"] button')
    assert.match(
      await page.inputValue('#lines'),
      new RegExp(`^destinataire;montant;référence;note\\s[\\s\\S]*\\s@${ghost};30010;PAIE-10;"Prime; août"\\s`),
    )

    // The corrected file, whole and in another order: only what was not paid is offered first.
    await page.goto(`${base}/disbursements/new`)
    await page.setInputFiles('#file', payrollFile(rowsOf(shop.people, {}).toReversed()))
    const again = await send(page)
    assert.match(again, /56 lignes ont déjà été versées depuis moins de 72 heures/)
    await readable(page, 'payroll-again')
    const rest = [7, 8, 9, 10].reduce((total, at) => total + sum(at), 0)
    const only = 'form[action$="/without-recent"] button'
    assert.equal(plain(await textOf(page, only)), `Garder seulement 4 lignes, ${String(rest).replace(/\B(?=(?:\d{3})+$)/g, ' ')} F CFA`)
    await press(page, only)
    await press(page, START)
    await page.waitForSelector('.badge:has-text("Terminé")')
    assert.equal(await shop.balance(), 5_000_000 - amount - rest)
    await readable(page, 'payroll-rest')
  })
})
