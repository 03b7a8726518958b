// The steps of a shop's day in live money: sign-up, activation, top-up, payroll, a printed QR code, bills, withdrawals, a cashier, a
// forgotten password and a lost second factor. The words of pages are values of the day's language.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBillerSystem, openBillServer } from './bill-callers.ts'
import { sharedBrowser } from './browser.ts'
import { newEmail, PASSWORD } from './dashboard-callers.ts'
import { press } from './dashboard-steps.ts'
import { eventuallyAsync } from './eventually.ts'
import { sendForm } from './forms.ts'
import { codeOf, mailedToken } from './member-callers.ts'
import { newTag, type TestServer } from './server-fixture.ts'
import { openShopBiller } from './shop-biller.ts'
import { askActivation, type BillerSystem, type DayForm, PIN, ShopDay, type Walk } from './shop-day-steps.ts'
import { operatorsDay, teamsDay } from './shop-day-team.ts'

/** Declares the test of each form. `hasLong`: with the long steps. */
export function playDays(forms: readonly DayForm[], { hasLong }: { readonly hasLong: boolean }): void {
  for (const form of forms) {
    test(`a shop’s day: ${form.name}`, async (t) => {
      const [server, receiver, browser] = await Promise.all([
        openBillServer({ settings: { SIGNUP: 'approval' } }),
        openBillerSystem(),
        sharedBrowser(),
      ])
      t.after(() => Promise.all([server.close(), receiver.close()]))
      const system: BillerSystem = { receiver, failuresLeft: 0 }
      receiver.answering = (_received, response) => response.writeHead(system.failuresLeft-- > 0 ? 500 : 200).end('{}')
      await play(t, await walkOf(server, browser, form, system), hasLong)
    })
  }
}

async function walkOf(server: TestServer, browser: Browser, form: DayForm, system: BillerSystem): Promise<Walk> {
  const day = new ShopDay(server, browser, form)
  const [shop, desk, phone] = [await day.person(), await day.desk(), await day.person()]
  return { day, shop, desk, phone, email: newEmail(), tag: newTag(), system }
}

async function play(t: TestContext, walk: Walk, hasLong: boolean): Promise<void> {
  for (const { name, step, rejections = [], isLong } of STEPS) {
    if (isLong && !hasLong) continue
    await t.test(name, async () => {
      await step(walk)
      walk.day.endStep(rejections)
    })
  }
  await walk.day.close()
}

interface Step {
  readonly name: string
  readonly step: (walk: Walk) => Promise<void>
  /** Status and path of each answer with 400 or more; no other one may be. */
  readonly rejections?: readonly string[]
  /** Its pages have tests of their own that are cheaper: the walk of each change leaves it out. */
  readonly isLong?: true
}

const NEW_PASSWORD = 'trois pirogues vers le large'

const STEPS: readonly Step[] = [
  { name: 'a merchant signs up and confirms its address', step: signUp },
  { name: 'an operator activates it', step: activate },
  { name: 'a top-up is credited when the operator confirms it', step: topUp },
  { name: 'a payroll by phone numbers pays the known number and says why the other failed', step: payroll },
  { name: 'the phone pays the printed QR code of a payment link', step: printedCode },
  { name: 'a bill whose code fails once is delivered again, another is refunded', step: bills },
  { name: 'one withdrawal is refused with its reason, another is paid', step: withdrawals },
  { name: 'a cashier may not pay', step: cashier, rejections: ['403 /dashboard/live/payouts', '403 /dashboard/live/payouts/new'] },
  { name: 'the cashier collects at the counter, and the till says who took what', step: teamsDay, isLong: true },
  { name: 'the operator finds the shop, its movement, who made it, and credits it by name', step: operatorsDay, isLong: true },
  { name: 'a forgotten password is replaced by e-mail', step: forgottenPassword },
  { name: 'a lost second factor is replaced by a recovery code', step: lostFactor },
]

async function signUp({ day, shop, email }: Walk): Promise<void> {
  await day.go(shop, 'dashboard/signup')
  await day.look(shop, 'signup')
  await sendForm(shop, 'signup', { merchant_name: day.shopName, email, password: PASSWORD })
  await day.look(shop, 'welcome')
  await day.go(shop, `dashboard/confirm-email?token=${await mailedToken(day.server, email, 'confirm')}`)
  await day.look(shop, 'confirm-email')
  await press(shop, 'main button[type=submit]')
  await day.go(shop, 'dashboard/live')
  await day.look(shop, 'home-before-activation')
}

async function activate({ day, shop, desk }: Walk): Promise<void> {
  await day.go(shop, 'dashboard/live/activation')
  const details = { legal_name: 'Awa SARL', registration_number: 'SN-1', address: 'Dakar', contact_name: 'Awa', activity: 'Tissus' }
  await askActivation(day, shop, { ...details, contact_phone: '+221 77 000 00 01' })
  assert.match(await day.text(shop), day.says('En cours d’examen', 'Under review'))
  await day.decide(desk, 'Awa SARL', ['Activer', 'Activate'])
  await day.go(shop, 'dashboard/live/activation')
  assert.match(await day.text(shop), day.says('peut recevoir et envoyer', 'can receive and send'))
  await day.look(shop, 'activated')
}

async function topUp({ day, shop, desk }: Walk): Promise<void> {
  await day.go(shop, 'dashboard/live/top-ups/new')
  await shop.fill('#amount', '100 000')
  await day.look(shop, 'top-up-form')
  await press(shop, 'form[action$="/top-ups/new"] button[type=submit]')
  await day.look(shop, 'top-up')
  const address = shop.url()
  await day.decide(desk, day.say('100 000 F CFA', '100,000 F CFA'), ['Créditer', 'Credit'], { reference: 'VIR-1' })
  await shop.goto(address)
  assert.match(await day.text(shop), day.says('Crédité', 'Credited'))
  await day.go(shop, 'dashboard/live/top-ups')
  await day.look(shop, 'top-ups')
}

async function payroll({ day, shop, phone, tag }: Walk): Promise<void> {
  const number = await day.signUpPhone(phone, tag, PIN)
  await day.go(shop, 'dashboard/live/disbursements/new')
  await shop.fill('#lines', `destinataire;montant;référence\n${number};25 000;PAIE-11\n+2250700000000;18 000;PAIE-12`)
  await day.look(shop, 'payroll-form')
  await press(shop, 'form[action$="/disbursements/new"] button[type=submit]')
  assert.match(await day.text(shop), day.says('À verser ?25 000 F CFA \\(1 ligne sur 2\\)', 'To pay ?25,000 F CFA \\(1 line of 2\\)'))
  await day.look(shop, 'payroll-check')
  await press(shop, 'form[action$="/start"] button')
  await shop.waitForSelector(`.badge:has-text("${day.say('Terminé', 'Completed')}")`)
  assert.match(await day.text(shop), day.says('25 000 F CFA', '25,000 F CFA'))
  assert.match(
    await day.text(shop),
    day.says('Non valides, jamais versées : 1 ligne.*Aucun portefeuille ne correspond', 'Invalid, never paid: 1 line.*No wallet matches'),
  )
  await day.look(shop, 'payroll-paid')
  await day.go(shop, 'dashboard/live/payouts')
  await day.look(shop, 'payouts')
  await day.go(phone, 'dev/phone')
  assert.match(await day.text(phone, '.ticket'), day.says('25 000 F CFA', '25,000 F CFA'))
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
  assert.match(await day.text(phone), day.says('Paiement effectué', 'Payment complete'))
  await day.go(shop, 'dashboard/live/charges')
  assert.match(await day.text(shop), day.says('2 500 F CFA', '2,500 F CFA'))
  await day.look(shop, 'charges')
  await press(shop, 'tbody tr a')
  await day.look(shop, 'charge')
}

const FAILED = ['Échec', 'Failed'] as const
const DELIVERED = ['Livré', 'Delivered'] as const

async function bills({ day, shop, phone, system }: Walk): Promise<void> {
  const slug = await openShopBiller(day, system.receiver)
  system.failuresLeft = 1
  for (const times of [1, 2]) {
    await day.go(phone, `dev/phone/bills/${slug}/recharge`)
    await phone.fill('#v0', '+221770000000')
    await phone.check('[name=package] >> nth=0')
    await sendForm(phone, 'recharge')
    if (times === 1) await day.look(phone, 'phone-bill')
    await sendForm(phone, 'pay', { pin: PIN })
    assert.match(await day.text(phone), day.says('Facture payée', 'Paid bill'))
    await delivered(day, shop, times === 1 ? FAILED : DELIVERED)
    if (times === 1) await redeliver(day, shop)
  }
  await shop.click(`summary:has-text("${day.say('Rembourser', 'Refund')}")`)
  await day.look(shop, 'bill-refund')
  await shop.selectOption('[name=reason]', 'not_received')
  await press(shop, `button:text-is("${day.say('Rembourser le client', 'Refund the customer')}")`)
  assert.match(await day.text(shop), day.says('Remboursée', 'Refunded'))
  await day.go(phone, 'dev/phone/history')
  assert.match(await day.text(phone), day.says('Remboursement', 'Refund'))
  await day.look(phone, 'phone-history')
}

/** Opens the newest bill of the shop, once its delivery has this state: the system of the biller fails once, so no other may ask before. */
async function delivered(day: ShopDay, shop: Page, state: readonly [french: string, english: string]): Promise<void> {
  await eventuallyAsync(async () => {
    await day.go(shop, 'dashboard/live/bills')
    return (await day.text(shop, 'tbody tr')).includes(day.say(...state))
  }, `the delivery is ${state[0]}`)
  await day.look(shop, `bills-${state === DELIVERED ? 'delivered' : 'failed'}`)
  await press(shop, 'tbody tr a')
}

async function redeliver(day: ShopDay, shop: Page): Promise<void> {
  assert.match(await day.text(shop), /le système de recharge répond 500/)
  await day.look(shop, 'bill-failed')
  await press(shop, `button:text-is("${day.say('Relancer la livraison', 'Start the delivery again')}")`)
  await delivered(day, shop, DELIVERED)
  await day.look(shop, 'bill-delivered')
}

async function withdrawals({ day, shop, desk }: Walk): Promise<void> {
  for (const amount of ['10 000', '20 000']) {
    await day.go(shop, 'dashboard/live/withdrawals/new')
    const typed = { amount, name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' }
    for (const [name, value] of Object.entries(typed)) await shop.fill(`#${name}`, value)
    await day.look(shop, 'withdrawal-form')
    await press(shop, 'form[action$="/withdrawals/new"] button[type=submit]')
    assert.match(await day.text(shop), day.says('Disponible avant.*Disponible après', 'Available before.*Available after'))
    await press(shop, 'form[action$="/withdrawals"] button')
  }
  await day.look(shop, 'withdrawal')
  await day.decide(desk, day.say('10 000 F CFA', '10,000 F CFA'), ['Refuser', 'Refuse'], { reason: 'Titulaire inconnu.' })
  await day.decide(desk, day.say('20 000 F CFA', '20,000 F CFA'), ['Marquer comme payé', 'Mark as paid'], { reference: 'VIR-2' })
  await day.go(shop, 'dashboard/live/withdrawals')
  assert.match(await day.text(shop), day.says('20 000 F CFA.*Payé.*10 000 F CFA.*Refusé', '20,000 F CFA.*Paid.*10,000 F CFA.*Refused'))
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
  await press(shop, `button:has-text("${day.say('Envoyer l’invitation', 'Send the invitation')}")`)
  await day.look(shop, 'members')
  const page = await day.person()
  await day.go(page, `dashboard/accept?token=${await mailedToken(day.server, address, 'invitation')}`)
  await sendForm(page, 'accept', { password: PASSWORD })
  await day.go(page, 'dashboard/live/charges')
  await day.look(page, 'cashier-charges')
  await day.go(page, 'dashboard/live/payouts')
  await day.look(page, 'cashier-payouts')
  assert.equal(await page.locator('main a[href$="/payouts/new"]').count(), 0, 'no button leads to a payout')
  await day.go(page, 'dashboard/live/payouts/new')
  assert.equal(await page.locator('#recipient').count(), 0, 'the page has no form')
  assert.match(await day.text(page), day.says('rôle ne permet pas', 'role does not allow'))
  await day.look(page, 'cashier-refused')
}

async function forgottenPassword({ day, shop, email }: Walk): Promise<void> {
  await shop.context().clearCookies()
  await day.go(shop, 'dashboard/login')
  await day.look(shop, 'login')
  await day.go(shop, 'dashboard/password-reset')
  await sendForm(shop, 'password-reset', { email })
  await day.look(shop, 'link-sent')
  await day.go(shop, `dashboard/password-reset?token=${await mailedToken(day.server, email, 'reset')}`)
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
  await press(shop, `button:has-text("${day.say('Activer', 'Turn on')}")`)
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
  assert.match(await day.text(shop), day.says('Active', 'On'))
  await day.look(shop, 'security-after')
}
