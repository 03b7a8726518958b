// A right body with something wrong in it: a field, the text, the bytes, or the headers that describe them.
import type { Prng } from '../../support/prng.ts'
import { edgeJson, randomText } from './edge-values.ts'

export interface Body {
  readonly bytes: Buffer
  readonly contentType: string
  /** Absent: none. */
  readonly encoding?: string
}

type Json = Readonly<Record<string, unknown>>

/** `names` are the fields of the schema. */
export function mutatedBody(random: Prng, right: Json, names: readonly string[]): Body {
  const kind = random.below(100)
  const text = kind < 75 ? mutatedObject(random, right, names) : JSON.stringify(right)
  if (kind < 75) return json(Buffer.from(text))
  if (kind < 87) return json(mutatedBytes(random, Buffer.from(text)))
  if (kind < 92) return { ...json(Buffer.from(text)), contentType: random.pick(CONTENT_TYPES) }
  if (kind < 95) return { ...json(Buffer.from(text)), encoding: random.pick(['gzip', 'br', 'deflate', 'identity', 'x', 'gzip, gzip', ' ']) }
  if (kind < 98) return json(Buffer.from(random.pick(WHOLE)))
  return json(Buffer.from(randomText(random, 80)))
}

const CONTENT_TYPES = [
  ...['', 'text/plain', 'application/json; charset=utf-16', 'application/json;charset=utf-8', 'APPLICATION/JSON', 'application/jsonp'],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    '*/*',
    'x',
  ],
]

const WHOLE = [
  ...[
    '',
    ' ',
    'null',
    '0',
    '""',
    '[]',
    '[{}]',
    '{}',
    '{',
    '{"',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    '{,}',
    "{'a':1}",
    '{a:1}',
    '{"a":01}',
  ],
  ...[
    '{"a":1}{"a":1}',
    '{"a":1}x',
    '\ufeff{}',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":"\t"}',
    '{"a":"\\x"}',
    '{"a":"\\u12"}',
    '/**/{}',
    'nul',
  ],
  ...[`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, '['.repeat(5000), `{"a":"${'x'.repeat(20_000)}"}`, `{${'"a":1,'.repeat(2000)}"b":1}`],
]

function json(bytes: Buffer): Body {
  return { bytes, contentType: 'application/json' }
}

/** One to three changes of fields; sometimes a field is there twice. */
function mutatedObject(random: Prng, right: Json, names: readonly string[]): string {
  const fields = Object.entries(right).map(([name, value]): [string, string] => [name, JSON.stringify(value)])
  const all = [...names, ...names, 'unknown', '__proto__', 'constructor', '']
  for (let count = 1 + random.below(3); count > 0; count--) {
    const name = random.pick(all)
    const at = fields.findIndex(([known]) => known === name)
    const kind = random.below(10)
    if (kind === 0 && at >= 0) fields.splice(at, 1)
    else if (kind === 1 && at >= 0) fields.push([name, fields[at]?.[1] ?? 'null'])
    else if (kind === 2 && at >= 0) fields[at] = [name, inside(random, right[name])]
    else if (at >= 0) fields[at] = [name, edgeJson(random)]
    else fields.push([name, edgeJson(random)])
  }
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}

/** The same value with a change at one depth below, or its text in another type. */
function inside(random: Prng, value: unknown): string {
  if (typeof value === 'number') return random.pick([JSON.stringify(String(value)), `${value}.0`, `${value}e0`, `-${value}`, `${value}.5`])
  if (typeof value === 'string') {
    const at = random.below(value.length + 1)
    return JSON.stringify(value.slice(0, at) + randomText(random, 4) + value.slice(at + random.below(2)))
  }
  if (Array.isArray(value)) {
    const [first = null] = value as readonly unknown[]
    return `[${Array.from({ length: random.below(4) }, () => (random.chance(0.5) ? JSON.stringify(first) : inside(random, first))).join(',')}]`
  }
  if (typeof value !== 'object' || value === null) return edgeJson(random)
  const names = Object.keys(value)
  return names.length === 0 ? edgeJson(random) : mutatedObject(random, value as Json, names)
}

/** Bytes that are cut, changed, doubled or put in. */
function mutatedBytes(random: Prng, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1)
  switch (random.below(5)) {
    case 0:
      return bytes.subarray(0, at)
    case 1: {
      const changed = Buffer.from(bytes)
      if (at < changed.length) changed[at] = random.below(256)
      return changed
    }
    case 2:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256), random.below(256)]), bytes.subarray(at)])
    case 3:
      return Buffer.concat([bytes, bytes.subarray(0, at)])
    default:
      return Buffer.from(bytes.toString('utf8'), 'utf16le')
  }
}
