// Three browsers of a shop's day: the merchant on the dashboard, the operator at the desk, a customer on the simulated phone.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Language } from '../../http/text/language.ts'
import { assertAccessible, assertFits, keepPicture, openPage, type SeenPage } from './browser.ts'
import { assertNoFaults, plain, textOf } from './checkout-steps.ts'
import { press } from './dashboard-steps.ts'
import { sendForm } from './forms.ts'
import type { Receiver } from './receiver.ts'
import type { TestServer } from './server-fixture.ts'
import { OPERATOR_TOKEN } from './server-process.ts'

export interface DayForm {
  readonly name: string
  readonly language: Language
  readonly options: BrowserContextOptions
}

export const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const
export const DESK = { viewport: { width: 1280, height: 800 } } as const
export const FRENCH_PHONE: DayForm = { name: '360 light', language: 'fr', options: { ...PHONE, colorScheme: 'light' } }

const LOCALES = { fr: 'fr-FR', en: 'en-GB' } as const

export const PIN = '7391'

export interface Walk {
  readonly day: ShopDay
  readonly shop: Page
  readonly desk: Page
  readonly phone: Page
  readonly email: string
  readonly tag: string
  readonly system: BillerSystem
}

/** The biller's own system: it answers so many deliveries with 500 first. */
export interface BillerSystem {
  readonly receiver: Receiver
  failuresLeft: number
}

/** An answer with a status of 400 or more. */
interface Rejection {
  readonly status: number
  readonly path: string
}

export class ShopDay {
  readonly server: TestServer
  /** Unique name of the merchant. */
  readonly shopName: string
  readonly form: DayForm
  readonly #browser: Browser
  readonly #seen: (SeenPage & { readonly rejections: readonly Rejection[] })[] = []
  /** Of all pages, since the last step. */
  #rejected: Rejection[] = []
  #pictures = 0

  constructor(server: TestServer, browser: Browser, form: DayForm) {
    this.server = server
    this.#browser = browser
    this.form = form
    this.shopName = `Boutique ${form.name}`
  }

  /** Returns a page of another person's browser. */
  async person(): Promise<Page> {
    const seen = await openPage(this.#browser, {
      ...{ reducedMotion: 'reduce', locale: LOCALES[this.form.language] },
      ...this.form.options,
    })
    const rejections: Rejection[] = []
    seen.context.on('response', (response) => {
      if (response.status() < 400) return
      const rejection = { status: response.status(), path: new URL(response.url()).pathname }
      rejections.push(rejection)
      this.#rejected.push(rejection)
    })
    this.#seen.push({ ...seen, rejections })
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

  /** The words of the day's language. */
  say(french: string, english: string): string {
    return this.form.language === 'fr' ? french : english
  }

  /** A pattern in the day's language. */
  says(french: string, english: string): RegExp {
    return new RegExp(this.say(french, english))
  }

  async text(page: Page, selector = 'main'): Promise<string> {
    return plain(await textOf(page, selector))
  }

  /** Decides on the desk's card of this shop that has the text, by the form with the button. */
  async decide(
    desk: Page,
    card: string,
    words: readonly [french: string, english: string],
    fields: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const button = this.say(...words)
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
    const [, code = ''] = /Cauri ?: ([0-9]{6})/.exec(sent) ?? []
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

  /** Ends a step: no other request was answered with 400 or more since the last one. `expected` are a status and a path each. */
  endStep(expected: readonly string[]): void {
    const seen = this.#rejected.map(({ status, path }) => `${status} ${path}`)
    this.#rejected = []
    assert.deepEqual(seen, expected)
  }

  async close(): Promise<void> {
    for (const { rejections, ...seen } of this.#seen) {
      assertNoFaults({ ...seen, faults: withoutRejections(seen.faults, rejections) })
      await seen.context.close()
    }
  }
}

/** Takes away the line that Chromium writes into the console for each rejection. */
function withoutRejections(faults: readonly string[], rejections: readonly Rejection[]): string[] {
  const left = [...faults]
  for (const { status } of rejections) {
    const line = left.findIndex((fault) => fault.includes(`status of ${status} `))
    if (line >= 0) left.splice(line, 1)
  }
  return left
}

/** Fills what each step of the form asks for, and sends it. */
export async function askActivation(day: ShopDay, page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (let step = 1; step <= 3; step++) {
    for (const [name, value] of Object.entries(values))
      if ((await page.locator(`input#${name}`).count()) > 0) await page.fill(`#${name}`, value)
    await day.look(page, `activation-${step}`)
    await press(page, 'form[action$="/activation"] button[value=next]')
  }
}
