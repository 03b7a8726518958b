// A real Chromium for tests of pages: unpacked once out of its npm package, started as it is on this machine, and asked
// what users and assistive technology would see.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { leanPlaywright } from './lean-playwright.ts'
import { atProcessEnd } from './process-end.ts'

const require = createRequire(import.meta.url)
const ROOT = join(import.meta.dirname, '..', '..')
/** No sandbox of its own: it shows our own pages only, and tests may run as root, where it has none. */
const ARGUMENTS = ['--no-sandbox', '--no-zygote', '--font-render-hinting=none']

let opened: Promise<Browser> | null = null

/** Maximum time of a load or of a step, on a machine that does ten times as much beside: only what hangs is ended. */
const STEP_MAX_MS = 180_000

/** Returns the browser of this process, which the caller does not close: its start takes a second of processor time. */
export function sharedBrowser(): Promise<Browser> {
  if (opened === null) {
    const browser = chromiumPath().then((executablePath) => leanPlaywright().chromium.launch({ executablePath, args: ARGUMENTS }))
    atProcessEnd(async () => (await browser).close())
    opened = browser
  }
  return opened
}

/** What a page did wrong while it was looked at: errors and warnings of its console, failed requests, thrown errors. */
export interface SeenPage {
  readonly page: Page
  readonly context: BrowserContext
  readonly faults: readonly string[]
}

export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'fr-FR', ...options })
  context.setDefaultTimeout(STEP_MAX_MS)
  return context
}

/** A page in a context of its own, in French. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<SeenPage> {
  const context = await openContext(browser, options)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      faults.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`))
  page.on('requestfailed', (request) => {
    // A page that is left takes its requests along.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`)
  })
  return { page, context, faults }
}

/** In ASCII: with one other character Chromium takes twice the processor time to load it. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8').replaceAll(/[\u0080-\uffff]/g, escaped)

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly help: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** As in a literal of JavaScript. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Not as a script of the page: its Content-Security-Policy stays as it is. By `page.evaluate` it takes twice the time, most of a check. */
async function loadAxe(page: Page): Promise<void> {
  if ((await page.evaluate('typeof axe')) === 'object') return
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: AXE })
  await session.detach()
}

/** Fails with every rule that the page as it stands now breaks. */
export async function assertAccessible(page: Page): Promise<void> {
  const results = await runAxe(page)
  const broken = results.violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`)
  assert.deepEqual(broken, [])
}

const SHOWN = '[...document.querySelectorAll("body *")].filter((element) => element.checkVisibility()).length'

/**
 * Fails with every rule that a page in the light theme breaks, and with those about colours in the dark one, by axe-core's own category: the
 * dark theme shows the same elements, so the other rules have the same result.
 */
export async function assertAccessibleInBothThemes(page: Page): Promise<void> {
  await assertAccessible(page)
  const shown = await page.evaluate(SHOWN)
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.equal(await page.evaluate(SHOWN), shown, 'both themes show the same elements')
  await assertFits(page)
  const { violations } = await runAxe(page, ['cat.color'])
  assert.deepEqual(
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} in the dark: ${html}`)),
    [],
  )
  await page.emulateMedia({ colorScheme: 'light' })
}

/** All rules, or those with one of the tags. What passes is counted, not described: describing it took longer than looking. */
async function runAxe(page: Page, tags: readonly string[] = []): Promise<AxeResults> {
  await loadAxe(page)
  const options = { resultTypes: ['violations'], ...(tags.length > 0 ? { runOnly: { type: 'tag', values: tags } } : {}) }
  const script = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`
  return (await page.evaluate(script)) as AxeResults
}

/** Returns the texts whose contrast is too low by axe-core, as the page stands now. */
export async function contrastByAxe(page: Page): Promise<string[]> {
  await loadAxe(page)
  const results = (await page.evaluate(
    "axe.run(document, { runOnly: ['color-contrast'], resultTypes: ['violations'] }).then(({ violations }) => ({ violations }))",
  )) as AxeResults
  return results.violations.flatMap(({ nodes }) => nodes.map(({ html }) => `contrast of ${html}`))
}

/** Fails when anything is wider than the window. On a phone `innerWidth` grows with the content, so the context's window counts. */
export async function assertFits(page: Page): Promise<void> {
  const content = (await page.evaluate('document.documentElement.scrollWidth')) as number
  const window = page.viewportSize()?.width ?? 0
  assert.ok(content <= window, `the page is ${content} px wide in a window of ${window} px`)
}

export type Theme = 'light' | 'dark'
export interface Look {
  readonly width: number
  readonly theme: Theme
}

/**
 * Looks at the page in one theme at 360 px and, before that, in the other at 1280 px. The page stays as it is loaded, because our pages
 * follow windows and themes by their styles alone: a second load and another start of axe-core take as long as the look itself.
 */
export async function inBothLooks(page: Page, onPhone: Theme, look: (look: Look) => Promise<void>): Promise<void> {
  for (const { theme, ...size } of [
    { width: 1280, height: 800, theme: onPhone === 'light' ? 'dark' : 'light' },
    { width: 360, height: 640, theme: onPhone },
  ] as const) {
    await page.setViewportSize(size)
    // A change of theme would else be looked at in the midst of its transition.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await look({ width: size.width, theme })
  }
}

/** Keeps a picture when CAURI_SCREENSHOTS names a folder for them. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.CAURI_SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/**
 * The package unpacks into the temporary folder, where another process may be doing the same: so unpack into a folder of its own
 * and put it in its place with one rename.
 */
async function chromiumPath(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }
  const place = join(ROOT, 'node_modules', '.cache', `chromium-${version}`)
  if (!existsSync(place)) await unpack(place)
  return join(place, 'chromium')
}

async function unpack(place: string): Promise<void> {
  mkdirSync(dirname(place), { recursive: true })
  const folder = mkdtempSync(`${place}-`)
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    assert.equal(tmpdir(), folder, 'the package unpacks where TMPDIR says')
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
    renameSync(folder, place)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    // Another process may have been faster.
    if (!existsSync(place)) throw error
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

function packageFolder(): string {
  const entry = require.resolve('@sparticuz/chromium')
  return entry.slice(0, entry.lastIndexOf(join('@sparticuz', 'chromium')) + join('@sparticuz', 'chromium').length)
}
