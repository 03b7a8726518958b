// Runs inside the virtual machine: features that the native extensions lack. `URLSearchParams` of records and pairs and a URL's
// `searchParams`, after the URL standard (url.spec.whatwg.org, sections 5 and 6.2), and `Headers` of anything that is iterable.

type Pair = readonly [string, string]

/** The query of a URL, which may change independently of the list. */
class Query {
  readonly #url: URL
  readonly #search: PropertyDescriptor

  constructor(url: URL, search: PropertyDescriptor) {
    this.#url = url
    this.#search = search
  }

  read(): string {
    return this.#search.get?.call(this.#url) as string
  }

  write(text: string): void {
    this.#search.set?.call(this.#url, text)
  }
}

export class Parameters {
  #pairs: readonly Pair[]
  readonly #query: Query | null
  /** The query that #pairs were read from. */
  #seen = ''

  /** Only the `searchParams` of a URL have a `query`. */
  constructor(init: unknown = '', query: unknown = null) {
    this.#query = query instanceof Query ? query : null
    this.#pairs = typeof init === 'object' && init !== null ? pairsOf(init) : parse(String(init))
  }

  get size(): number {
    return this.#read().length
  }

  append(name: unknown, value: unknown): void {
    this.#write([...this.#read(), [String(name), String(value)]])
  }

  delete(name: unknown, value?: unknown): void {
    this.#write(this.#read().filter((pair) => !matches(pair, name, value)))
  }

  get(name: unknown): string | null {
    return this.#read().find((pair) => matches(pair, name))?.[1] ?? null
  }

  getAll(name: unknown): string[] {
    return this.#read().flatMap((pair) => (matches(pair, name) ? [pair[1]] : []))
  }

  has(name: unknown, value?: unknown): boolean {
    return this.#read().some((pair) => matches(pair, name, value))
  }

  set(name: unknown, value: unknown): void {
    const pairs = this.#read()
    const first = pairs.findIndex((pair) => matches(pair, name))
    const pair: Pair = [String(name), String(value)]
    if (first === -1) this.#write([...pairs, pair])
    else this.#write([...pairs.slice(0, first), pair, ...pairs.slice(first + 1).filter((other) => !matches(other, name))])
  }

  sort(): void {
    this.#write([...this.#read()].sort(([one], [other]) => (one < other ? -1 : Number(one > other))))
  }

  forEach(callback: (value: string, name: string, list: Parameters) => void, self?: unknown): void {
    for (const [name, value] of this.#read()) callback.call(self, value, name, this)
  }

  *entries(): IterableIterator<[string, string]> {
    for (const [name, value] of this.#read()) yield [name, value]
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.#read()) yield name
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.#read()) yield value
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }

  toString(): string {
    return this.#read()
      .map((pair) => pair.map(encode).join('='))
      .join('&')
  }

  #read(): readonly Pair[] {
    const text = this.#query?.read() ?? this.#seen
    if (text !== this.#seen) {
      this.#pairs = parse(text)
      this.#seen = text
    }
    return this.#pairs
  }

  #write(pairs: readonly Pair[]): void {
    this.#pairs = pairs
    if (this.#query === null) return
    // The text that was read last is outdated until the query is written.
    this.#seen = this.#query.read()
    this.#query.write(this.toString())
    this.#seen = this.#query.read()
  }
}

export class AnyHeaders extends Headers {
  constructor(init?: unknown) {
    super(isIterable(init) ? ([...init] as [string, string][]) : ((init ?? undefined) as Record<string, string> | undefined))
  }
}

/** Gives URLs their `searchParams`. */
export function completeUrl(): void {
  const { prototype } = URL
  const search = Object.getOwnPropertyDescriptor(prototype, 'search') as PropertyDescriptor
  const lists = new WeakMap<URL, Parameters>()
  const get = function (this: URL): Parameters {
    const known = lists.get(this)
    if (known !== undefined) return known
    const list = new Parameters('', new Query(this, search))
    lists.set(this, list)
    return list
  }
  Object.defineProperty(prototype, 'searchParams', { get, configurable: true, enumerable: true })
}

function matches(pair: Pair, name: unknown, value?: unknown): boolean {
  return pair[0] === String(name) && (value === undefined || pair[1] === String(value))
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function pairsOf(init: object): Pair[] {
  if (!isIterable(init)) return Object.entries(init).map(([name, value]) => [name, String(value)])
  return [...init].map((entry) => {
    const [name, value, ...more] = isIterable(entry) ? [...entry] : []
    if (value === undefined || more.length > 0) throw new TypeError('each parameter must be a pair of a name and a value')
    return [String(name), String(value)]
  })
}

function parse(text: string): Pair[] {
  const parts = (text.startsWith('?') ? text.slice(1) : text).split('&').filter((part) => part !== '')
  return parts.map((part) => {
    const at = part.indexOf('=')
    return at === -1 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]
  })
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes percent escapes. Other percent signs stay; bytes that are not UTF-8 become U+FFFD. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  const bytes: number[] = []
  for (let index = 0; index < spaced.length; ) {
    const escaped = /^%[0-9a-f]{2}/i.exec(spaced.slice(index, index + 3))
    if (escaped !== null) {
      bytes.push(Number.parseInt(escaped[0].slice(1), 16))
      index += 3
      continue
    }
    const character = String.fromCodePoint(spaced.codePointAt(index) ?? 0)
    bytes.push(...encoder.encode(character))
    index += character.length
  }
  return decoder.decode(new Uint8Array(bytes))
}

function encode(text: string): string {
  if (/^[\w.*-]*$/.test(text)) return text
  let encoded = ''
  for (const byte of encoder.encode(text)) {
    const character = String.fromCharCode(byte)
    if (byte === 0x20) encoded += '+'
    else encoded += /[\w.*-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}
