// Looks at one page at 360 and 1280 px, in both themes, at rest, hovered, focused and printed, and says what is wrong.
import { join } from 'node:path'
import { build } from 'esbuild'
import type { CDPSession, Page } from 'playwright-core'
import { contrastByAxe } from './browser.ts'

const MEASURES = join(import.meta.dirname, './page-faults/all.js')
const THEMES = ['light', 'dark'] as const
const PHONE = { width: 360, height: 740 }
const DESK = { width: 1280, height: 800 }
/** Forced on the first control of each kind. */
const STATES = [['hover'], ['focus', 'focus-visible']] as const
/** Where a page shows money, apart from its buttons. */
const MONEY = 'td, dd, .amount, .big'

const UNFOLDED_MAX = 12
/** One page of so many is looked at by axe-core too, which takes longer than all the rest. */
const PAGES_PER_AXE = 4

type Measure = 'widthFaults' | 'wordFaults' | 'touchFaults' | 'ringFaults' | 'printFaults'

export class PageLook {
  readonly #page: Page
  readonly #session: CDPSession
  /** By what is wrong: where it was seen first. Pages share most of their controls. */
  readonly #found = new Map<string, string>()
  /** Kinds of controls that were hovered and focused. */
  readonly #kinds = new Set<string>()
  #pages = 0
  /** Evaluated in each page, whose Content-Security-Policy stays as it is. */
  readonly #measures: string

  private constructor(page: Page, session: CDPSession, measures: string) {
    this.#page = page
    this.#session = session
    this.#measures = measures
  }

  static async open(page: Page): Promise<PageLook> {
    const session = await page.context().newCDPSession(page)
    await session.send('DOM.enable')
    await session.send('CSS.enable')
    const { outputFiles } = await build({ entryPoints: [MEASURES], bundle: true, write: false, format: 'iife', logLevel: 'silent' })
    return new PageLook(page, session, outputFiles[0]?.text ?? '')
  }

  get faults(): string[] {
    return [...this.#found].map(([fault, place]) => `${place}: ${fault}`)
  }

  /** Looks at the page that is open now. */
  async at(address: string): Promise<void> {
    const page = this.#page
    const keep = (state: string, faults: readonly string[]): void => {
      for (const fault of faults) if (!this.#found.has(fault)) this.#found.set(fault, `${address} ${state}`)
    }
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme: 'light', media: 'screen' })
    await page.evaluate(this.#measures)
    // Parts that are folded are looked at too. The page of the API has hundreds that are alike.
    await page.evaluate(`for (const part of [...document.querySelectorAll("details")].slice(0, ${UNFOLDED_MAX})) part.open = true`)
    for (const measure of ['widthFaults', 'wordFaults', 'touchFaults'] as const) keep('at 360 px', await this.#measure(measure))
    keep('light, at rest', await this.#contrast('null'))
    await page.emulateMedia({ colorScheme: 'dark' })
    keep('dark, at rest', await this.#contrast('null'))
    if (this.#pages % PAGES_PER_AXE === 0) keep('dark, axe', await contrastByAxe(page))
    this.#pages += 1
    for (const state of (await this.#hasNewControls()) ? STATES : []) {
      await this.#force(state)
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme })
        keep(`${colorScheme}, ${state[0]}`, await this.#contrast("'[data-looked-at]'"))
        if (state[0] === 'focus') keep(colorScheme, await this.#measure('ringFaults'))
      }
    }
    await page.setViewportSize(DESK)
    for (const measure of ['widthFaults', 'wordFaults'] as const) keep('at 1280 px', await this.#measure(measure))
    keep('printed', await this.#printed())
  }

  async #printed(): Promise<string[]> {
    const amounts = `pageFaults.amounts(${JSON.stringify(MONEY)})`
    const before = (await this.#page.evaluate(amounts)) as number
    await this.#page.emulateMedia({ colorScheme: 'dark', media: 'print' })
    const printed = (await this.#page.evaluate(amounts)) as number
    const faults = await this.#measure('printFaults')
    return printed === before ? faults : [...faults, `${printed} of ${before} amounts are printed`]
  }

  #measure(measure: Measure): Promise<string[]> {
    return this.#page.evaluate(`pageFaults.${measure}()`) as Promise<string[]>
  }

  /** Of the text within a selector, or of all text. */
  #contrast(selector: string): Promise<string[]> {
    return this.#page.evaluate(`pageFaults.contrastFaults(${selector})`) as Promise<string[]>
  }

  /** Marks one control of each kind that no page before had. */
  async #hasNewControls(): Promise<boolean> {
    const added = (await this.#page.evaluate(`pageFaults.markControls(${JSON.stringify([...this.#kinds])})`)) as string[]
    for (const kind of added) this.#kinds.add(kind)
    return added.length > 0
  }

  async #force(state: readonly string[]): Promise<void> {
    const { root } = await this.#session.send('DOM.getDocument', { depth: 0 })
    const selector = '[data-looked-at], tr:has([data-looked-at])'
    const { nodeIds } = await this.#session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector })
    for (const nodeId of nodeIds) await this.#session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: [...state] })
  }
}
