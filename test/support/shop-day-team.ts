// Two more days beside the shop's: a cashier at the counter with the till's sheet, and an operator who looks for a shop and its money.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { PASSWORD } from './dashboard-callers.ts'
import { press } from './dashboard-steps.ts'
import { sendForm } from './forms.ts'
import { PIN, type ShopDay, type Walk } from './shop-day-steps.ts'

export async function teamsDay({ day, shop, phone, email }: Walk): Promise<void> {
  const address = `caisse.${email}`
  const page = await day.person()
  await day.go(page, 'dashboard/login')
  await sendForm(page, 'login', { email: address, password: PASSWORD })
  await day.look(page, 'cashier-home')
  await day.go(page, 'dashboard/live/counter')
  await page.fill('#amount', '1 500')
  await day.look(page, 'counter')
  await press(page, 'form[action$="/counter"] button[type=submit]')
  await day.look(page, 'counter-code')
  const token = page.url().split('/').at(-1) ?? ''
  await day.scan(phone, `${day.server.process.baseUrl}/pay/${token}`)
  await sendForm(phone, 'pay', { pin: PIN })
  await day.go(page, `dashboard/live/counter/${token}`)
  assert.match(await day.text(page), day.says('Payé ?1 500 F CFA', 'Paid ?1,500 F CFA'))
  await day.look(page, 'counter-paid')
  await day.go(page, 'dashboard/live/till')
  assert.ok((await day.text(page)).includes(day.say('1 500 F CFA', '1,500 F CFA')))
  await day.look(page, 'till-of-cashier')
  await day.go(shop, 'dashboard/live/till')
  assert.ok((await day.text(shop)).includes(address), 'the owner sees who took what')
  await day.look(shop, 'till')
  await day.go(page, 'dashboard/live/till/close?p1000=3&p500=1&float=2000')
  await day.look(page, 'till-closed')
}

export async function operatorsDay({ day, desk, tag }: Walk): Promise<void> {
  await day.go(desk, 'operator')
  await day.look(desk, 'desk-home')
  await sendForm(desk, 'operator/search', { q: day.shopName.slice(4) })
  assert.ok((await day.text(desk, 'h1')).includes(day.shopName), 'found alone, it is shown')
  assert.match(await day.text(desk, timeline(day)), day.says('100 000 F CFA', '100,000 F CFA'))
  await day.look(desk, 'desk-merchant')
  await creditByName(day, desk)
  await whoCredited(day, desk)
  await day.go(desk, `operator/wallets/${tag}?environment=live`)
  await day.look(desk, 'desk-wallet')
}

/** The journal answers who credited the shop, and leads to the movement. */
async function whoCredited(day: ShopDay, desk: Page): Promise<void> {
  await day.go(desk, `operator/audit?${new URLSearchParams({ merchant: day.shopName.slice(4), action: 'deposit.create' })}`)
  assert.match(await day.text(desk, 'main tbody'), /VIR-9/)
  await day.look(desk, 'desk-journal')
  await press(desk, `a:has-text("${day.say('Voir le mouvement', 'See the movement')}")`)
  assert.equal(await desk.locator(`${timeline(day)} tbody tr`).count(), 1, 'the movement stands alone')
  assert.match(await day.text(desk, timeline(day)), /VIR-9/)
}

async function creditByName(day: ShopDay, desk: Page): Promise<void> {
  await day.go(desk, 'operator/funding')
  await sendForm(desk, 'funding', { q: day.shopName.slice(4) })
  await day.look(desk, 'desk-accounts')
  await press(desk, 'tbody tr:has(.is-live) th a')
  await desk.fill('#amount', '5 000')
  await desk.fill('#reference', 'VIR-9')
  await desk.selectOption('#kind', 'deposit')
  await day.look(desk, 'desk-movement')
  await press(desk, 'form[action="funding/check"] button')
  await desk.fill('#again', '5 000')
  await day.look(desk, 'desk-confirm')
  await press(desk, 'form[action="confirm"] button')
  assert.match(await day.text(desk, '.verdict'), day.says('Effectué', 'Done'))
  await day.look(desk, 'desk-done')
}

function timeline(day: ShopDay): string {
  return `.wide[aria-label="${day.say('Historique', 'Timeline')}"]`
}
