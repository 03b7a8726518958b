// Three browsers of a shop's day: the merchant on the dashboard, the operator at the desk, a customer on the simulated phone.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { assertAccessible, assertFits, keepPicture, openPage, type SeenPage } from './browser.ts'
import { assertNoFaults, plain, textOf } from './checkout-steps.ts'
import { sendForm } from './forms.ts'
import type { TestServer } from './server-fixture.ts'
import { OPERATOR_TOKEN } from './server-process.ts'

export interface DayForm {
  readonly name: string
  readonly options: BrowserContextOptions
}

export class ShopDay {
  readonly server: TestServer
  /** Unique name of the merchant. */
  readonly shopName: string
  readonly form: DayForm
  readonly #browser: Browser
  readonly #seen: SeenPage[] = []
  #pictures = 0

  constructor(server: TestServer, browser: Browser, form: DayForm) {
    this.server = server
    this.#browser = browser
    this.form = form
    this.shopName = `Boutique ${form.name}`
  }

  /** Returns a page of another person's browser. */
  async person(): Promise<Page> {
    const seen = await openPage(this.#browser, { reducedMotion: 'reduce', ...this.form.options })
    this.#seen.push(seen)
    return seen.page
  }

  async go(page: Page, path: string): Promise<void> {
    await page.goto(`${this.server.process.baseUrl}/${path}`)
  }

  /** The page fits, is accessible, and is kept as a picture when a folder is set. axe-core needs scripts. */
  async look(page: Page, name: string): Promise<void> {
    await assertFits(page)
    if (this.form.options.javaScriptEnabled !== false) await assertAccessible(page)
    this.#pictures++
    await keepPicture(page, `day-${this.form.name.replaceAll(' ', '-')}-${String(this.#pictures).padStart(2, '0')}-${name}`)
  }

  async text(page: Page, selector = 'main'): Promise<string> {
    return plain(await textOf(page, selector))
  }

  /** Decides on the desk's card of this shop that has the text, by the form with the button. */
  async decide(desk: Page, card: string, button: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.go(desk, 'operator/requests')
    const shown = desk.locator(`section.card:has-text("${this.shopName}"):has-text("${card}")`).last()
    const form = shown.locator(`form:has(button:text-is("${button}"))`)
    const folded = shown.locator(`details:not([open]):has(button:text-is("${button}")) summary`)
    if ((await folded.count()) > 0) await folded.click()
    for (const [name, value] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(value)
    await this.look(desk, `desk-${button.split(' ')[0]?.toLowerCase()}`)
    await Promise.all([desk.waitForEvent('load'), form.locator('button').click()])
  }

  async desk(): Promise<Page> {
    const page = await this.person()
    await this.go(page, 'operator')
    await sendForm(page, 'login', { token: OPERATOR_TOKEN })
    await this.look(page, 'desk')
    return page
  }

  /** Signs a live wallet up on the simulated phone, with the code from the inbox; returns its number. */
  async signUpPhone(page: Page, tag: string, pin: string): Promise<string> {
    const phone = `+22507${String(randomInt(100_000_000)).padStart(8, '0')}`
    await this.go(page, 'dev/phone')
    await sendForm(page, 'phone/start', { phone })
    const inbox = await page.context().newPage()
    await this.go(inbox, 'dev')
    const sent = await textOf(inbox, `.letter:has(b:text-is("${phone}"))`)
    await inbox.close()
    const [, code = ''] = /Cauri : ([0-9]{6}) est votre code/.exec(sent) ?? []
    await sendForm(page, 'phone/signup', { code, given_name: 'Awa', family_name: 'Diallo', tag, pin })
    assert.match(await this.text(page, '.ticket'), new RegExp(`@${tag} 0 F CFA`))
    return phone
  }

  /** Scans an address on the phone's first screen. */
  async scan(phone: Page, address: string): Promise<void> {
    await this.go(phone, 'dev/phone')
    await phone.fill('#c', address)
    await Promise.all([phone.waitForEvent('load'), phone.click('form[action="phone/charge"] button')])
  }

  async close(): Promise<void> {
    for (const seen of this.#seen) {
      // A rejected form is answered with 400 or 401, a page that a role may not open with 403, and Chromium writes that into the console.
      assertNoFaults({ ...seen, faults: seen.faults.filter((fault) => !/status of 40[013] /.test(fault)) })
      await seen.context.close()
    }
  }
}
