// A second reader of JSON bodies, written from RFC 8259 and the rules of the API: it reads text from left to right and counts. Tests
// compare the server's reader with it.

export type StrictJson = { readonly value: unknown } | { readonly fault: string }

const DEPTH_MAX = 32
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SPACE = /[ \t\n\r]*/y

class Fault extends Error {}

/** `fault` is `not_json`, or `rule` for JSON that breaks a rule of the API. Floats become 0.5, as the server reads them. */
export function strictJson(text: string): StrictJson {
  const reader = new Reader(text)
  try {
    const value = reader.whole()
    return reader.breaksRule ? { fault: 'rule' } : { value }
  } catch (error) {
    if (error instanceof Fault) return { fault: 'not_json' }
    throw error
  }
}

class Reader {
  readonly #text: string
  #at = 0
  #depth = 0
  breaksRule = false

  constructor(text: string) {
    this.#text = text
  }

  whole(): unknown {
    const value = this.#value(false)
    this.#space()
    if (this.#at < this.#text.length) throw new Fault()
    return value
  }

  #value(keepsFloats: boolean): unknown {
    this.#space()
    const sign = this.#text[this.#at]
    if (sign === '{') return this.#nested(() => this.#object(keepsFloats))
    if (sign === '[') return this.#nested(() => this.#list(keepsFloats))
    if (sign === '"') return this.#string()
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length
        return value
      }
    }
    const number = this.#match(NUMBER)
    return keepsFloats || /^-?[0-9]+$/.test(number) ? Number(number) : 0.5
  }

  #nested<Value>(read: () => Value): Value {
    if (++this.#depth > DEPTH_MAX) throw new Fault()
    this.#at++
    const value = read()
    this.#depth--
    return value
  }

  #object(keepsFloats: boolean): object {
    const object: Record<string, unknown> = {}
    const names = new Set<string>()
    if (this.#takes('}')) return object
    do {
      this.#space()
      const name = this.#string()
      if (names.has(name) || RESERVED.has(name)) this.breaksRule = true
      names.add(name)
      if (!this.#takes(':')) throw new Fault()
      const value = this.#value(keepsFloats || name === 'form_values')
      if (!RESERVED.has(name)) object[name] = value
    } while (this.#takes(','))
    if (!this.#takes('}')) throw new Fault()
    return object
  }

  #list(keepsFloats: boolean): unknown[] {
    const list: unknown[] = []
    if (this.#takes(']')) return list
    do list.push(this.#value(keepsFloats))
    while (this.#takes(','))
    if (!this.#takes(']')) throw new Fault()
    return list
  }

  #string(): string {
    return JSON.parse(this.#match(STRING)) as string
  }

  #takes(sign: string): boolean {
    this.#space()
    if (this.#text[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #space(): void {
    SPACE.lastIndex = this.#at
    SPACE.test(this.#text)
    this.#at = SPACE.lastIndex
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) throw new Fault()
    this.#at += found.length
    return found
  }
}
