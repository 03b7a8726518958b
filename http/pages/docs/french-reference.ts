// The French texts of the reference. They are read once, at the start: descriptions of routes by operationId from
// `french/routes-*.md`, all other texts by their English from `french/*.json`. A text without French is shown in English.
import { readdirSync, readFileSync } from 'node:fs'
import type { Route } from '../../server/route.ts'
import type { Language } from '../../text/language.ts'

/** A text, and the language that it is in. */
export interface Wording {
  readonly text: string
  readonly language: Language
}

const FOLDER = new URL('french/', import.meta.url)
/** Texts that several routes have in common: `{{csv}}` in a description. */
const SHARED_FILE = 'shared.md'

export class FrenchReference {
  /** Descriptions by operationId. */
  readonly routes: ReadonlyMap<string, string>
  /** All other texts by their English. */
  readonly texts: ReadonlyMap<string, string>

  constructor() {
    const files = readdirSync(FOLDER).toSorted()
    const shared = new Map(sectionsOf(SHARED_FILE))
    const withShared = (text: string): string => text.replaceAll(/\{\{([\w-]+)\}\}/g, (mark, name: string) => shared.get(name) ?? mark)
    this.routes = new Map(
      files
        .filter((file) => file.startsWith('routes-'))
        .flatMap(sectionsOf)
        .map(([name, text]) => [name, withShared(text)]),
    )
    this.texts = new Map(files.filter((file) => file.endsWith('.json')).flatMap(entriesOf))
  }

  /** Returns the description of a route for readers of a language. */
  described({ operationId, description = '' }: Pick<Route, 'operationId' | 'description'>, language: Language): Wording {
    return worded(description, this.routes.get(operationId), language)
  }

  /** Returns a text of the OpenAPI document for readers of a language. */
  said(english: string, language: Language): Wording {
    return worded(english, this.texts.get(english), language)
  }
}

function worded(english: string, french: string | undefined, language: Language): Wording {
  return language === 'fr' && french !== undefined ? { text: french, language } : { text: english, language: 'en' }
}

/** Sections of a Markdown file by their heading. */
function sectionsOf(file: string): [string, string][] {
  const [, ...sections] = readFileSync(new URL(file, FOLDER), 'utf8').split(/^## /m)
  return sections.map((section) => {
    const end = section.indexOf('\n')
    return [section.slice(0, end).trim(), section.slice(end).trim()]
  })
}

function entriesOf(file: string): [string, string][] {
  return Object.entries(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<string, string>)
}
