// A shop's day in a real browser, in live money: sign-up, activation, top-up, payroll, a printed QR code, bills, withdrawals, a
// cashier, a forgotten password and a lost second factor. CAURI_SHOP_DAY names a walk, or `all`.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBillerSystem, openBillServer } from '../support/bill-callers.ts'
import { sharedBrowser } from '../support/browser.ts'
import { newEmail, PASSWORD } from '../support/dashboard-callers.ts'
import { press } from '../support/dashboard-steps.ts'
import { eventuallyAsync } from '../support/eventually.ts'
import { sendForm } from '../support/forms.ts'
import { codeOf, mailedToken } from '../support/member-callers.ts'
import type { Receiver } from '../support/receiver.ts'
import { newTag, type TestServer } from '../support/server-fixture.ts'
import { openShopBiller } from '../support/shop-biller.ts'
import { askActivation, type DayForm, ShopDay } from '../support/shop-day-steps.ts'

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const
const DESK = { viewport: { width: 1280, height: 800 } } as const

const FORMS: readonly DayForm[] = [
  { name: '360 light', options: { ...PHONE, colorScheme: 'light' } },
  { name: '1280 dark', options: { ...DESK, colorScheme: 'dark' } },
  { name: '360 dark', options: { ...PHONE, colorScheme: 'dark' } },
  { name: '1280 light', options: { ...DESK, colorScheme: 'light' } },
  { name: '360 without a script', options: { ...PHONE, javaScriptEnabled: false } },
]

/** The walk that is made without a setting. */
const USUAL = '360 light'
const asked = process.env.CAURI_SHOP_DAY ?? USUAL

const PIN = '7391'
const NEW_PASSWORD = 'trois pirogues vers le large'

let server: TestServer
let system: Receiver
let browser: Browser
/** Number of deliveries that the biller's system still answers with 500. */
let failuresLeft = 0

before(async () => {
  ;[server, system, browser] = await Promise.all([
    openBillServer({ settings: { SIGNUP: 'approval' } }),
    openBillerSystem(),
    sharedBrowser(),
  ])
  system.answering = (_received, response) => response.writeHead(failuresLeft-- > 0 ? 500 : 200).end('{}')
})

after(() => Promise.all([server?.close(), system?.close()]))

for (const form of FORMS.filter(({ name }) => asked === 'all' || asked === name)) {
  test(`a shop’s day: ${form.name}`, async (t) => {
    const day = new ShopDay(server, browser, form)
    const [shop, desk, phone] = [await day.person(), await day.desk(), await day.person()]
    const email = newEmail()
    const walk = { day, shop, desk, phone, email, tag: newTag() }
    for (const { name, step, rejections = [] } of STEPS) {
      await t.test(name, async () => {
        await step(walk)
        day.endStep(rejections)
      })
    }
    await day.close()
  })
}

interface Walk {
  readonly day: ShopDay
  readonly shop: Page
  readonly desk: Page
  readonly phone: Page
  readonly email: string
  readonly tag: string
}

interface Step {
  readonly name: string
  readonly step: (walk: Walk) => Promise<void>
  /** Status and path of each answer with 400 or more; no other one may be. */
  readonly rejections?: readonly string[]
}

const STEPS: readonly Step[] = [
  { name: 'a merchant signs up and confirms its address', step: signUp },
  { name: 'an operator activates it', step: activate },
  { name: 'a top-up is credited when the operator confirms it', step: topUp },
  { name: 'a payroll by phone numbers pays the known number and says why the other failed', step: payroll },
  { name: 'the phone pays the printed QR code of a payment link', step: printedCode },
  { name: 'a bill whose code fails once is delivered again, another is refunded', step: bills },
  { name: 'one withdrawal is refused with its reason, another is paid', step: withdrawals },
  { name: 'a cashier may not pay', step: cashier, rejections: ['403 /dashboard/live/payouts', '403 /dashboard/live/payouts/new'] },
  { name: 'a forgotten password is replaced by e-mail', step: forgottenPassword },
  { name: 'a lost second factor is replaced by a recovery code', step: lostFactor },
]

async function signUp({ day, shop, email }: Walk): Promise<void> {
  await day.go(shop, 'dashboard/signup')
  await day.look(shop, 'signup')
  await sendForm(shop, 'signup', { merchant_name: day.shopName, email, password: PASSWORD })
  await day.look(shop, 'welcome')
  await day.go(shop, `dashboard/confirm-email?token=${await mailedToken(server, email, 'confirm')}`)
  await day.look(shop, 'confirm-email')
  await press(shop, 'main button[type=submit]')
  await day.go(shop, 'dashboard/live')
  await day.look(shop, 'home-before-activation')
}

async function activate({ day, shop, desk }: Walk): Promise<void> {
  await day.go(shop, 'dashboard/live/activation')
  const details = { legal_name: 'Awa SARL', registration_number: 'SN-1', address: 'Dakar', contact_name: 'Awa', activity: 'Tissus' }
  await askActivation(day, shop, { ...details, contact_phone: '+221 77 000 00 01' })
  assert.match(await day.text(shop), /En cours d’examen/)
  await day.decide(desk, 'Awa SARL', 'Activer')
  await day.go(shop, 'dashboard/live/activation')
  assert.match(await day.text(shop), /peut recevoir et envoyer/)
  await day.look(shop, 'activated')
}

async function topUp({ day, shop, desk }: Walk): Promise<void> {
  await day.go(shop, 'dashboard/live/top-ups/new')
  await shop.fill('#amount', '100 000')
  await day.look(shop, 'top-up-form')
  await press(shop, 'form[action$="/top-ups/new"] button[type=submit]')
  await day.look(shop, 'top-up')
  const address = shop.url()
  await day.decide(desk, '100 000 F CFA', 'Créditer', { reference: 'VIR-1' })
  await shop.goto(address)
  assert.match(await day.text(shop), /Crédité/)
  await day.go(shop, 'dashboard/live/top-ups')
  await day.look(shop, 'top-ups')
}

async function payroll({ day, shop, phone, tag }: Walk): Promise<void> {
  const number = await day.signUpPhone(phone, tag, PIN)
  await day.go(shop, 'dashboard/live/disbursements/new')
  await shop.fill('#lines', `destinataire;montant;référence\n${number};25 000;PAIE-11\n+2250700000000;18 000;PAIE-12`)
  await day.look(shop, 'payroll-form')
  await press(shop, 'form[action$="/disbursements/new"] button[type=submit]')
  assert.match(await day.text(shop), /À verser ?25 000 F CFA \(1 ligne sur 2\)/)
  await day.look(shop, 'payroll-check')
  await press(shop, 'form[action$="/start"] button')
  await shop.waitForSelector('.badge:has-text("Terminé")')
  assert.match(await day.text(shop), /25 000 F CFA/)
  assert.match(await day.text(shop), /Non valides, jamais versées : 1 ligne.*Aucun portefeuille ne correspond à ce destinataire/)
  await day.look(shop, 'payroll-paid')
  await day.go(shop, 'dashboard/live/payouts')
  await day.look(shop, 'payouts')
  await day.go(phone, 'dev/phone')
  assert.match(await day.text(phone, '.ticket'), /25 000 F CFA/)
}

async function printedCode({ day, shop, phone }: Walk): Promise<void> {
  await day.go(shop, 'dashboard/live/links/new')
  await shop.fill('#description', 'Comptoir')
  await press(shop, 'form.card button[type=submit]')
  await day.look(shop, 'link')
  const url = await shop.inputValue('#address')
  await day.scan(phone, url)
  await day.look(phone, 'phone-link')
  await sendForm(phone, url.split('/').at(-1) ?? '', { amount: '2 500' })
  await day.look(phone, 'phone-charge')
  await sendForm(phone, 'pay', { pin: PIN })
  assert.match(await day.text(phone), /Paiement effectué/)
  await day.go(shop, 'dashboard/live/charges')
  assert.match(await day.text(shop), /2 500 F CFA/)
  await day.look(shop, 'charges')
  await press(shop, 'tbody tr a')
  await day.look(shop, 'charge')
}

async function bills({ day, shop, phone }: Walk): Promise<void> {
  const slug = await openShopBiller(day, system)
  failuresLeft = 1
  for (const times of [1, 2]) {
    await day.go(phone, `dev/phone/bills/${slug}/recharge`)
    await phone.fill('#v0', '+221770000000')
    await phone.check('[name=package] >> nth=0')
    await sendForm(phone, 'recharge')
    if (times === 1) await day.look(phone, 'phone-bill')
    await sendForm(phone, 'pay', { pin: PIN })
    assert.match(await day.text(phone), /Facture payée/)
    await delivered(day, shop, times === 1 ? 'Échec' : 'Livré')
    if (times === 1) await redeliver(day, shop)
  }
  await shop.click('summary:has-text("Rembourser")')
  await day.look(shop, 'bill-refund')
  await shop.selectOption('[name=reason]', 'not_received')
  await press(shop, 'button:text-is("Rembourser le client")')
  assert.match(await day.text(shop), /Remboursée/)
  await day.go(phone, 'dev/phone/history')
  assert.match(await day.text(phone), /Remboursement/)
  await day.look(phone, 'phone-history')
}

/** Opens the newest bill of the shop, once its delivery has this state: the system of the biller fails once, so no other may ask before. */
async function delivered(day: ShopDay, shop: Page, state: string): Promise<void> {
  await eventuallyAsync(async () => {
    await day.go(shop, 'dashboard/live/bills')
    return (await day.text(shop, 'tbody tr')).includes(state)
  }, `the delivery is ${state}`)
  await day.look(shop, `bills-${state === 'Livré' ? 'delivered' : 'failed'}`)
  await press(shop, 'tbody tr a')
}

async function redeliver(day: ShopDay, shop: Page): Promise<void> {
  assert.match(await day.text(shop), /le système de recharge répond 500/)
  await day.look(shop, 'bill-failed')
  await press(shop, 'button:text-is("Relancer la livraison")')
  await delivered(day, shop, 'Livré')
  await day.look(shop, 'bill-delivered')
}

async function withdrawals({ day, shop, desk }: Walk): Promise<void> {
  for (const amount of ['10 000', '20 000']) {
    await day.go(shop, 'dashboard/live/withdrawals/new')
    const typed = { amount, name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' }
    for (const [name, value] of Object.entries(typed)) await shop.fill(`#${name}`, value)
    await day.look(shop, 'withdrawal-form')
    await press(shop, 'form[action$="/withdrawals/new"] button[type=submit]')
    assert.match(await day.text(shop), /Disponible avant.*Disponible après/)
    await press(shop, 'form[action$="/withdrawals"] button')
  }
  await day.look(shop, 'withdrawal')
  await day.decide(desk, '10 000 F CFA', 'Refuser', { reason: 'Titulaire inconnu.' })
  await day.decide(desk, '20 000 F CFA', 'Marquer comme payé', { reference: 'VIR-2' })
  await day.go(shop, 'dashboard/live/withdrawals')
  assert.match(await day.text(shop), /20 000 F CFA.*Payé.*10 000 F CFA.*Refusé/)
  await day.look(shop, 'withdrawals')
  await day.go(shop, 'dashboard/live/transactions')
  await day.look(shop, 'transactions')
  await day.go(shop, 'dashboard/live')
  await day.look(shop, 'home')
}

async function cashier({ day, shop, email }: Walk): Promise<void> {
  const address = `caisse.${email}`
  await day.go(shop, 'dashboard/live/members')
  await shop.fill('#email', address)
  await shop.selectOption('[name=role]', 'cashier')
  await press(shop, 'button:has-text("Envoyer l’invitation")')
  await day.look(shop, 'members')
  const page = await day.person()
  await day.go(page, `dashboard/accept?token=${await mailedToken(server, address, 'invitation')}`)
  await sendForm(page, 'accept', { password: PASSWORD })
  await day.go(page, 'dashboard/live/charges')
  await day.look(page, 'cashier-charges')
  await day.go(page, 'dashboard/live/payouts')
  await day.look(page, 'cashier-payouts')
  assert.equal(await page.locator('main a[href$="/payouts/new"]').count(), 0, 'no button leads to a payout')
  await day.go(page, 'dashboard/live/payouts/new')
  assert.equal(await page.locator('#recipient').count(), 0, 'the page has no form')
  assert.match(await day.text(page), /rôle ne permet pas/)
  await day.look(page, 'cashier-refused')
}

async function forgottenPassword({ day, shop, email }: Walk): Promise<void> {
  await shop.context().clearCookies()
  await day.go(shop, 'dashboard/login')
  await day.look(shop, 'login')
  await day.go(shop, 'dashboard/password-reset')
  await sendForm(shop, 'password-reset', { email })
  await day.look(shop, 'link-sent')
  await day.go(shop, `dashboard/password-reset?token=${await mailedToken(server, email, 'reset')}`)
  await day.look(shop, 'new-password')
  await press(shop, await filled(shop, '#password', NEW_PASSWORD))
  await logIn({ day, shop, email })
}

async function filled(page: Page, selector: string, value: string): Promise<string> {
  await page.fill(selector, value)
  return 'main button[type=submit]'
}

async function logIn({ day, shop, email }: Pick<Walk, 'day' | 'shop' | 'email'>): Promise<void> {
  await day.go(shop, 'dashboard/login')
  await sendForm(shop, 'login', { email, password: NEW_PASSWORD })
}

async function lostFactor({ day, shop, email }: Walk): Promise<void> {
  await day.go(shop, 'dashboard/live/security')
  await day.look(shop, 'security')
  await press(shop, 'button:has-text("Activer")')
  const secret = (await day.text(shop, 'main code')).replaceAll(/\s/g, '')
  await shop.fill('#totp', codeOf(secret))
  if ((await shop.locator('#password').count()) > 0) await shop.fill('#password', NEW_PASSWORD)
  await press(shop, 'form[action$="security/confirm"] button')
  await day.look(shop, 'recovery-codes')
  const [recoveryCode = ''] = await shop.locator('main li code').allTextContents()
  await shop.context().clearCookies()
  await logIn({ day, shop, email })
  await day.look(shop, 'login-second-factor')
  await sendForm(shop, 'login', { totp: recoveryCode })
  await day.go(shop, 'dashboard/live/security')
  assert.match(await day.text(shop), /Active/)
  await day.look(shop, 'security-after')
}
