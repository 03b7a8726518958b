// The documents that are written by hand: one Markdown file a page and language. They are read once, and rendered at the first
// request.
import { readFileSync } from 'node:fs'
import { LANGUAGES, type Language } from '../../text/language.ts'
import type { WrittenHtml } from '../shared/html.ts'
import { markdownHtml } from './markdown.ts'
import { readSamples } from './samples.ts'

/** Names of the pages in the order of the contents; each is a file of `fr/` and `en/`, and an address below `/docs/`. */
export const WRITTEN_NAMES = [
  'quickstart',
  'test-mode',
  'testing',
  'idempotency',
  'payouts',
  'disbursements',
  'payment-files',
  'checkout',
  'webhooks',
  'billers',
  'mandates',
  'limits',
  'fees',
  'currencies',
  'reconciliation',
  'going-live',
  'operations',
] as const

export type WrittenName = (typeof WRITTEN_NAMES)[number]

export interface Section {
  /** Heading; the title of the page for the text before the first one. */
  readonly heading: string
  readonly text: string
}

export interface WrittenPage {
  readonly title: string
  readonly source: string
  readonly sections: readonly Section[]
}

export type Texts = Readonly<Record<Language, string>>

/** The introduction on the first page, and cause and remedy of each error code. */
export type OtherName = 'index' | 'errors'

export class WrittenPages {
  readonly #samples = readSamples()
  readonly #pages = new Map<string, WrittenPage>()
  readonly #rendered = new Map<string, WrittenHtml>()

  constructor() {
    for (const language of LANGUAGES) {
      for (const name of [...WRITTEN_NAMES, 'index', 'errors']) this.#pages.set(`${language}/${name}`, readPage(`${language}/${name}.md`))
    }
  }

  page(name: WrittenName | OtherName, language: Language): WrittenPage {
    return this.#pages.get(`${language}/${name}`) as WrittenPage
  }

  /** Returns the page's HTML, for an address with this root. */
  rendered(name: WrittenName | OtherName, language: Language, root: string): WrittenHtml {
    const key = `${language}/${name}`
    const known = this.#rendered.get(key)
    if (known !== undefined) return known
    const made = this.inline(this.page(name, language).source, language, root)
    this.#rendered.set(key, made)
    return made
  }

  /** Returns the HTML of any text of the documents. */
  inline(text: string, language: Language, root: string): WrittenHtml {
    return markdownHtml(text, { language, root, samples: this.#samples })
  }
}

export function isWrittenName(name: string): name is WrittenName {
  return (WRITTEN_NAMES as readonly string[]).includes(name)
}

function readPage(path: string): WrittenPage {
  const source = readFileSync(new URL(path, import.meta.url), 'utf8')
  const [first = '', ...rest] = source.split(/^(?=#{2,3} )/m)
  const title = /^# (.+)$/m.exec(first)?.[1] ?? ''
  const sections = rest.map((part): Section => {
    const end = part.indexOf('\n')
    return { heading: part.slice(0, end).replace(/^#+ /, ''), text: part.slice(end + 1).trim() }
  })
  return { title, source, sections: [{ heading: title, text: first.replace(/^# .+$/m, '').trim() }, ...sections] }
}
