// The public documents as readers get them: each page in both languages, links, search, and a section for each error code.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ERROR_CODES } from '../../engine/contract/errors.ts'
import { SCHEDULE_REQUEST } from '../../http/api/schedules/schedule-examples.ts'
import { planStart } from '../../http/api/shared-examples.ts'
import { RUN_LIMITS } from '../../http/pages/dashboard/developers/code-guide.ts'
import { SEARCH_LENGTH_MAX, SEARCH_RESULTS_MAX } from '../../http/pages/docs/docs-limits.ts'
import { docsRoutes } from '../../http/pages/docs/docs-table.ts'
import { markdownHtml } from '../../http/pages/docs/markdown.ts'
import { requestSample } from '../../http/pages/docs/reference-samples.ts'
import { readSamples } from '../../http/pages/docs/samples.ts'
import { WRITTEN_NAMES, WrittenPages } from '../../http/pages/docs/written-pages.ts'
import type { Call } from '../../http/server/route.ts'
import { LANGUAGES, type Language } from '../../http/text/language.ts'
import { DOCUMENT, TABLE } from '../support/api-document.ts'
import { FRENCH } from '../support/french-words.ts'

const ROUTES = docsRoutes({ routes: () => TABLE })
const BROWSER = { host: '', origin: '', cookie: '', fetchSite: '', userAgent: '', acceptLanguage: '' }
const EVENTS = Object.keys(DOCUMENT.webhooks as object)
const ADDRESSES = [
  ...['/docs', '/docs/reference', '/docs/events', '/docs/errors', '/docs/search'],
  ...WRITTEN_NAMES.map((name) => `/docs/${name}`),
  ...ERROR_CODES.map((code) => `/docs/errors/${code}`),
  ...EVENTS.map((name) => `/docs/events/${name}`),
  ...TABLE.map(({ operationId }) => `/docs/reference/${operationId}`),
]

interface Shown {
  readonly status: number
  readonly text: string
}

function deferred() {
  const parts: Partial<{ resolve: (shown: Shown) => void; reject: (error: unknown) => void }> = {}
  const promise = new Promise<Shown>((resolve, reject) => Object.assign(parts, { resolve, reject }))
  return { promise, ...(parts as Required<typeof parts>) }
}

/** Answers as the server does: a fixed path goes before one with a parameter. */
async function shown(address: string, language: Language): Promise<Shown> {
  const [path = '', queryText = ''] = address.split('?')
  const name = path.slice(path.lastIndexOf('/') + 1)
  const found = ROUTES.find((route) => route.path === path) ?? ROUTES.find((route) => route.path === `${path.slice(0, -name.length)}{name}`)
  assert.ok(found !== undefined, address)
  const { promise, resolve, reject } = deferred()
  const call: Partial<Call> = {
    params: [decodeURIComponent(name)],
    queryText,
    body: undefined,
    browser: { ...BROWSER, acceptLanguage: language },
    acceptEncoding: 'identity',
    answerAs: (status, text) => resolve({ status, text: String(text) }),
    fail: reject,
  }
  found.handle(call as Call)
  return promise
}

const PAGES = new Map<Language, ReadonlyMap<string, Shown>>()

before(async () => {
  for (const language of LANGUAGES) {
    const pages = await Promise.all(ADDRESSES.map(async (address) => [address, await shown(address, language)] as const))
    PAGES.set(language, new Map(pages))
  }
})

function pagesIn(language: Language): ReadonlyMap<string, Shown> {
  return PAGES.get(language) as ReadonlyMap<string, Shown>
}

test('each document is shown in both languages, in English without French', () => {
  for (const language of LANGUAGES) {
    for (const [address, { status, text }] of pagesIn(language)) {
      assert.equal(status, 200, address)
      assert.match(text, new RegExp(`<html lang="${language}">`))
      assert.doesNotMatch(text.replaceAll(/<pre[\s\S]*?<\/pre>/g, ''), /\{\{|\[object|undefined/, address)
    }
  }
  const french = [...pagesIn('en')].flatMap(([address, { text }]) => {
    const own = text.replaceAll(/<(bdi|code|pre)\b[^>]*>[\s\S]*?<\/\1>/g, ' ').replaceAll(/<[^>]*>/g, ' ')
    const found = FRENCH.exec(own)
    return found === null ? [] : [`${address}: ${own.slice(Math.max(0, found.index - 40), found.index + 40)}`]
  })
  assert.deepEqual(french, [])
})

test('each link of a document leads to a document, an anchor of it, or a file that the server has', () => {
  const others = /^\/(?:dashboard$|assets\/[\w.-]+|openapi\.(?:yaml|json))$/
  for (const language of LANGUAGES) {
    const pages = pagesIn(language)
    const broken = new Set<string>()
    for (const [address, { text }] of pages) {
      for (const [, href = ''] of text.matchAll(/ href="([^"]*)"/g)) {
        const { pathname, hash } = new URL(href, `http://docs.example${address}`)
        const target = pages.get(pathname)
        const isThere = target === undefined ? others.test(pathname) : hash === '' || target.text.includes(` id="${hash.slice(1)}"`)
        if (!isThere) broken.add(`${address} → ${href}`)
      }
    }
    assert.deepEqual([...broken], [])
  }
})

test('a link that begins with a slash becomes relative to the page that shows it', () => {
  assert.match(pagesIn('fr').get('/docs/quickstart')?.text ?? '', /<a href="\.\.\/docs\/test-mode">/)
  assert.match(pagesIn('fr').get('/docs')?.text ?? '', /<a href="docs\/quickstart">/)
})

test('each error code has a section with cause and remedy in both languages, in the order of the catalogue', () => {
  const pages = new WrittenPages()
  for (const language of LANGUAGES) {
    const [, ...sections] = pages.page('errors', language).sections
    assert.deepEqual(
      sections.map(({ heading }) => heading),
      ERROR_CODES,
    )
    for (const { heading, text } of sections) assert.equal(text.split('\n\n').length, 2, heading)
  }
})

test('a document has the same headings, samples and tables in both languages', () => {
  const shape = (name: (typeof WRITTEN_NAMES)[number] | 'index', language: Language): string[] => {
    const lines = new WrittenPages().page(name, language).source.split('\n')
    return lines.flatMap((line) => /^(?:#+ |\{\{.*|```|\|---.*)/.exec(line)?.[0] ?? [])
  }
  for (const name of [...WRITTEN_NAMES, 'index'] as const) assert.deepEqual(shape(name, 'en'), shape(name, 'fr'), name)
})

test('each sample is shown in a document, in curl or Node.js, Python and PHP unless it is for one language alone', () => {
  const sources = WRITTEN_NAMES.map((name) => new WrittenPages().page(name, 'fr').source).join('\n')
  const inReference = TABLE.map((route) => requestSample(route))
  for (const [name, sample] of readSamples()) {
    assert.ok(sources.includes(`{{sample ${name}}}`) || inReference.includes(sample), name)
    const isHosted = sample.js !== undefined
    const isOfOperator = name.startsWith('operations/')
    if (isHosted || isOfOperator) continue
    for (const ending of ['mjs', 'py', 'php'] as const) assert.ok(sample[ending] !== undefined, `${name}.${ending}`)
  }
})

test('each POST of a curl sample has an idempotency key, unless it changes nothing or sends a file', () => {
  const without = [...readSamples()].filter(([, { sh = '' }]) =>
    sh.split(/\bcurl /).some((call) => /-X POST/.test(call) && !/Idempotency-Key/.test(call)),
  )
  assert.deepEqual(
    without.map(([name]) => name),
    ['billers/logo'],
  )
})

test('the guide to the test mode has each route that stands in for another person', () => {
  const helpers = TABLE.filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/biz/test/'))
  assert.ok(helpers.length >= 9)
  for (const language of LANGUAGES) {
    const { source } = new WrittenPages().page('test-mode', language)
    for (const { path, operationId } of helpers)
      assert.ok(source.includes(`| [\`POST ${path}\`](/docs/reference/${operationId}) |`), `${language} ${path}`)
  }
})

test('the guide to billers names the limits of the sandbox', () => {
  const { seconds, fetches, fetchKilobytes, crossingKilobytes, megabytes, logLines } = RUN_LIMITS
  for (const language of LANGUAGES) {
    const [kilo, mega] = language === 'fr' ? ['Ko', 'Mo'] : ['KB', 'MB']
    const { source } = new WrittenPages().page('billers', language)
    for (const row of [`| ${seconds} s |`, `| ${fetches}, `, `| ${fetchKilobytes} ${kilo} |`, `| ${crossingKilobytes} ${kilo} `]) {
      assert.ok(source.includes(row), `${language} ${row}`)
    }
    for (const row of [`| ${megabytes} ${mega} |`, `| ${logLines} |`]) assert.ok(source.includes(row), `${language} ${row}`)
  }
})

test('HTML in Markdown is shown as text, and an unknown sample is an error', () => {
  const parts = { language: 'fr', root: '../', samples: new Map() } as const
  const { text } = markdownHtml('A <script>alert(1)</script> b [c](javascript:alert)\n\n<b onclick="x">d</b>', parts)
  assert.doesNotMatch(text, /<script|<b /)
  assert.throws(() => markdownHtml('{{sample nowhere}}', parts), /names the sample nowhere/)
})

test('an unknown name is a page with 404', async () => {
  for (const address of ['/docs/nowhere', '/docs/errors/nowhere', '/docs/reference/nowhere', '/docs/constructor']) {
    const { status, text } = await shown(address, 'en')
    assert.equal(status, 404, address)
    assert.match(text, /<h1>Page not found<\/h1>/)
  }
})

async function found(query: string, language: Language = 'fr'): Promise<string[]> {
  const { text } = await shown(`/docs/search?${new URLSearchParams({ q: query })}`, language)
  return [...(text.split('class="found"')[1] ?? '').matchAll(/<li><a class="alone" href="([^"]*)"/g)].map(([, href = '']) => href)
}

test('a search finds sections by their words, without accents and capitals, headings first', async () => {
  assert.equal((await found('idempotency_key_reused'))[0], 'errors/idempotency_key_reused')
  assert.ok((await found('VERIFIER la signature')).includes('webhooks#verifier-la-signature'))
  assert.ok((await found('refund charge', 'en')).includes('reference/refundCharge'))
  assert.deepEqual(await found('zèbre'), [])
  assert.deepEqual(await found(''), [])
})

test('a search without a result offers words that are spelled alike, and all pages', async () => {
  const { text } = await shown('/docs/search?q=idempotncy', 'en')
  assert.match(text, /<h2>Similar words<\/h2>[\s\S]*href="search\?q=idempotency"/i)
  const nothing = await shown('/docs/search?q=zzzzzz', 'en')
  assert.doesNotMatch(nothing.text, /Similar words/)
  for (const name of [...WRITTEN_NAMES, 'reference', 'events', 'errors'])
    assert.ok(nothing.text.includes(`<li><a class="alone" href="${name}">`), name)
})

test('the page of an event type has its fields and an example, and that of a route the fields of its answer', () => {
  const event = pagesIn('en').get('/docs/events/charge.succeeded')?.text ?? ''
  for (const piece of [
    '<code>payer_tag</code>',
    '<code>X-Service-Signature</code>',
    'Ledger transaction of the payment',
    '&quot;type&quot;: &quot;charge.succeeded&quot;',
  ]) {
    assert.ok(event.includes(piece), piece)
  }
  const [, answer = ''] = (pagesIn('en').get('/docs/reference/createPayout')?.text ?? '').split('id="answer"')
  for (const name of ['transaction_id', 'failure_code', 'batch_id']) assert.ok(answer.includes(`<dt><code>${name}</code>`), name)
})

test('a search reads a bounded text, shows a bounded number of sections, and shows the text of others as text', async () => {
  assert.equal((await found('pay')).length, SEARCH_RESULTS_MAX)
  const { text } = await shown(`/docs/search?${new URLSearchParams({ q: `<img src=x>"${'é'.repeat(5000)}` })}`, 'fr')
  assert.doesNotMatch(text, /<img/)
  assert.ok(!text.includes('é'.repeat(SEARCH_LENGTH_MAX + 1)))
})

test('the reference has the request of each route of API keys in four languages', () => {
  const { text } = pagesIn('fr').get('/docs/reference/createPayout') ?? { text: '' }
  for (const piece of [
    'curl -sS --fail-with-body -X POST',
    'await cauri.payouts.create({',
    'call(&quot;POST&quot;',
    'cauri(&#39;POST&#39;',
  ]) {
    assert.ok(text.includes(piece), piece)
  }
  assert.match(text, /href="\.\.\/errors\/idempotency_key_required"/)
})

/** Times anywhere in a value. */
function timesIn(value: unknown): string[] {
  return JSON.stringify(value ?? null).match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? []
}

test('times in the requests of the reference are in the future, also at a server that starts at the end of 2028', () => {
  for (const { operationId, bodyExample } of TABLE) {
    for (const time of timesIn(bodyExample)) assert.ok(Date.parse(time) > Date.now(), `${operationId} ${time}`)
  }
  assert.deepEqual(timesIn(SCHEDULE_REQUEST), [`${planStart(Date.now())}Z`])
  const nowMs = Date.UTC(2028, 11, 31, 23, 59)
  assert.ok(Date.parse(`${planStart(nowMs)}Z`) > nowMs)
})
