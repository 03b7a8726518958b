// When a phone on a slow network first paints each page: Chromium with an empty cache, its network and processor slowed down over the
// DevTools protocol.
import type { Browser, Page } from 'playwright-core'
import { openContext } from '../../support/browser.ts'
import { type EveryPage, signInContext } from '../../support/every-page.ts'

/** A network and a processor. The latency is that of each request, from its start to the first byte of its answer. */
export interface Phone {
  readonly latencyMs: number
  readonly bytesPerS: number
  readonly cpuSlowdown: number
}

/** "3G Slow" of WebPageTest (400 kbit/s, 400 ms), and a processor four times slower than this one. */
export const SLOW_3G: Phone = { latencyMs: 400, bytesPerS: 50_000, cpuSlowdown: 4 }

export interface Painted {
  readonly address: string
  /** From the start of the navigation to the first pixel of the page. */
  readonly firstPaintMs: number
  /** Of text or pictures. */
  readonly firstContentMs: number
  /** Bytes that came over the network, heads included, until the page had loaded. */
  readonly weightBytes: number
}

const PAINTS = `new Promise((done) => {
  const read = () => performance.getEntriesByType('paint')
  const look = () => {
    const times = Object.fromEntries(read().map(({ name, startTime }) => [name, startTime]))
    if ('first-contentful-paint' in times) done(times)
    else requestAnimationFrame(look)
  }
  look()
})`

/** Opens each page by itself, as a person who comes by a link and is signed in. */
export async function* firstPaints(browser: Browser, baseUrl: string, every: EveryPage, phone: Phone): AsyncGenerator<Painted> {
  const context = await openContext(browser, { viewport: { width: 360, height: 740 } })
  await signInContext(context, baseUrl, every)
  const [name = '', value = ''] = every.phone.split(/=(.*)/)
  await context.addCookies([{ name, value, url: baseUrl }])
  try {
    for (const address of new Set(Object.values(every.addresses).flat())) {
      const page = await context.newPage()
      yield await painted(page, baseUrl + address, phone).finally(() => page.close())
    }
  } finally {
    await context.close()
  }
}

async function painted(page: Page, url: string, { latencyMs, bytesPerS, cpuSlowdown }: Phone): Promise<Painted> {
  const session = await page.context().newCDPSession(page)
  let weightBytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    weightBytes += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: latencyMs, downloadThroughput: bytesPerS, uploadThroughput: bytesPerS },
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  await page.goto(url)
  const times = (await page.evaluate(PAINTS)) as Readonly<Record<string, number>>
  return {
    address: new URL(url).pathname,
    firstPaintMs: times['first-paint'] ?? Number.POSITIVE_INFINITY,
    firstContentMs: times['first-contentful-paint'] ?? Number.POSITIVE_INFINITY,
    weightBytes,
  }
}
