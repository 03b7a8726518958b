// Finds the texts of a template and replaces them by their translation. A text is what stands between two block elements, with
// its values as `{0}` and its inline elements as `<1>…</1>`, or the value of an attribute for people. The French text is the key
// of the catalogue, so that templates are written without markers.

import { keyOf } from '../text/catalogue.ts'

/** A slot of a rendered template. Words of the page may be translated; text of others, as in `<bdi>`, may not. */
export interface Slot {
  readonly value: number
  readonly isWords: boolean
}

/** A template as text and slots in turn: `texts` has one more element than `slots`. */
export interface Compiled {
  readonly texts: readonly string[]
  readonly slots: readonly Slot[]
}

/** Returns the translation of a key, or null to keep the French text. */
export type Translate = (key: string) => string | null

/** Returns the template with the texts for which `translate` has a translation. */
export function compileTemplate(parts: readonly string[], translate: Translate): Compiled {
  const writer = new Writer(translate)
  const source = parts.join(VALUE)
  if (ATTRIBUTES_ALONE.test(source)) writer.tag(source)
  else writer.nodes(source)
  return writer.finish()
}

/** Returns the keys of the texts of a template. */
export function keysOf(parts: readonly string[]): string[] {
  const keys: string[] = []
  compileTemplate(parts, (key) => {
    keys.push(key)
    return null
  })
  return keys
}

/** Marks a value. A character for private use, which no template contains. */
const VALUE = '\ue000'
/** A template that is a part of a tag: ` hidden`, ` class="figure"`. */
const ATTRIBUTES_ALONE =
  /^(?:\s+[a-z-]+="[^"]*"|\s+(?:selected|checked|required|open|disabled|hidden|autofocus|multiple|novalidate|download))+$/
const TOKENS = /<!--[\s\S]*?-->|<[!/]?[a-zA-Z](?:"[^"]*"|[^">])*>|[^<]+|</g
const TAG_NAME = /^<\/?([a-zA-Z0-9]+)/
const LETTER = /\p{L}/u

/** Elements inside a sentence. All others end it. */
const INLINE: ReadonlySet<string> = new Set(['a', 'b', 'bdi', 'code', 'em', 'i', 'kbd', 'strong'])
/** Elements whose values are not words of the page: names, sources, ids. */
const LITERAL: ReadonlySet<string> = new Set(['bdi', 'code', 'kbd', 'pre', 'textarea'])
const WORD_ATTRIBUTE = /(\s(?:alt|aria-label|data-[a-z]+-text|data-label|label|placeholder|title)=")([^"]*)(?=")/g

/** A value in the source, text of it, or an inline tag. */
type Item = { readonly kind: 'text' | 'open' | 'close'; readonly text: string; readonly slots: readonly Slot[] }

class Writer {
  readonly #translate: Translate
  readonly #texts: string[] = []
  readonly #slots: Slot[] = []
  #text = ''
  #nextValue = 0
  #literals = 0
  #run: Item[] = []

  constructor(translate: Translate) {
    this.#translate = translate
  }

  finish(): Compiled {
    this.#endRun()
    return { texts: [...this.#texts, this.#text], slots: this.#slots }
  }

  nodes(source: string): void {
    for (const [token] of source.matchAll(TOKENS)) {
      const name = TAG_NAME.exec(token)?.[1]?.toLowerCase()
      if (name === undefined) this.#run.push(this.#item('text', token, this.#literals === 0))
      else this.#element(name, token)
    }
  }

  #element(name: string, token: string): void {
    const isClosing = token.startsWith('</')
    if (isClosing && LITERAL.has(name)) this.#literals--
    if (INLINE.has(name)) this.#run.push(this.#item(isClosing ? 'close' : 'open', token, false))
    else {
      this.#endRun()
      this.tag(token)
    }
    if (!isClosing && LITERAL.has(name)) this.#literals++
  }

  /** Writes a tag, or a part of one, with its attributes for people in the language. */
  tag(token: string): void {
    this.#tag(this.#item('open', token, false))
  }

  #tag({ text, slots }: Item): void {
    let end = 0
    let used = 0
    const take = (piece: string, isWords: boolean): Item => {
      const from = used
      used += piece.split(VALUE).length - 1
      return { kind: 'text', text: piece, slots: slots.slice(from, used).map(({ value }) => ({ value, isWords })) }
    }
    for (const found of text.matchAll(WORD_ATTRIBUTE)) {
      const [whole, before = '', value = ''] = found
      this.#write(take(text.slice(end, found.index) + before, false))
      this.#message([take(value, true)])
      end = found.index + whole.length
    }
    this.#write(take(text.slice(end), false))
  }

  #item(kind: Item['kind'], text: string, isWords: boolean): Item {
    const count = text.split(VALUE).length - 1
    const slots = Array.from({ length: count }, () => ({ value: this.#nextValue++, isWords }))
    return { kind, text, slots }
  }

  #endRun(): void {
    const run = this.#run
    this.#run = []
    this.#words(run)
  }

  /** Writes inline content: as one text where words stand beside the elements, else each element by itself. */
  #words(run: readonly Item[]): void {
    let depth = 0
    const hasWords = run.some(({ kind, text }) => {
      if (kind !== 'text') depth += kind === 'open' ? 1 : -1
      return kind === 'text' && depth === 0 && LETTER.test(text)
    })
    if (hasWords && depth === 0) return this.#message(run)
    for (let index = 0; index < run.length; index++) {
      const item = run[index] as Item
      this.#writeItem(item)
      if (item.kind !== 'open') continue
      const end = closeOf(run, index)
      this.#words(run.slice(index + 1, end))
      index = end - 1
    }
  }

  #message(run: readonly Item[]): void {
    const { key, tags, slots } = keyed(run)
    const translation = LETTER.test(key.replaceAll(/<\/?\d>|\{\d+\}/g, '')) ? this.#translate(key) : null
    if (translation === null) {
      for (const item of run) this.#writeItem(item)
      return
    }
    const whole = run.map(({ text }) => text).join('')
    this.#text += /^\s*/.exec(whole)?.[0] ?? ''
    for (const [piece, value, tag] of translation.matchAll(/\{(\d+)\}|<(\/?\d)>|[^{<]+|[{<]/g)) {
      const slot = value === undefined ? undefined : slots[Number(value)]
      // Braces without a value are text, as in `[0-9]{11}`.
      if (slot !== undefined) this.#slot(slot)
      else if (tag !== undefined) this.#tag(tags.get(tag) as Item)
      else this.#text += piece
    }
    this.#text += /\s*$/.exec(whole)?.[0] ?? ''
  }

  #writeItem(item: Item): void {
    if (item.kind === 'text') this.#write(item)
    else this.#tag(item)
  }

  #write({ text, slots }: Item): void {
    for (const [index, piece] of text.split(VALUE).entries()) {
      if (index > 0) this.#slot(slots[index - 1] as Slot)
      this.#text += piece
    }
  }

  #slot(slot: Slot): void {
    this.#texts.push(this.#text)
    this.#text = ''
    this.#slots.push(slot)
  }
}

/** Returns the index of the tag that closes the element which begins at `from`; the end of the run where none does. */
function closeOf(run: readonly Item[], from: number): number {
  let depth = 0
  for (let index = from; index < run.length; index++) {
    const { kind } = run[index] as Item
    if (kind !== 'text') depth += kind === 'open' ? 1 : -1
    if (depth === 0) return index
  }
  return run.length
}

/** Returns the key of a text, its inline tags by their number (`1`, `/1`), and the slots of its values. */
function keyed(run: readonly Item[]): { readonly key: string; readonly tags: ReadonlyMap<string, Item>; readonly slots: readonly Slot[] } {
  const tags = new Map<string, Item>()
  const slots: Slot[] = []
  const open: number[] = []
  let key = ''
  let count = 0
  for (const item of run) {
    if (item.kind === 'text') {
      for (const [index, piece] of item.text.split(VALUE).entries()) {
        if (index > 0) key += `{${slots.push(item.slots[index - 1] as Slot) - 1}}`
        key += piece
      }
      continue
    }
    if (item.kind === 'open') open.push(++count)
    const name = item.kind === 'open' ? String(count) : `/${open.pop() ?? 0}`
    tags.set(name, item)
    key += `<${name}>`
  }
  return { key: keyOf(key), tags, slots }
}
