// Values at the edges of what JSON, numbers, text and URLs allow, and what users and attackers type.
import type { Prng } from '../../support/prng.ts'

export const EDGE_TEXTS: readonly string[] = [
  ...['', ' ', '0', '-1', '1', '100', '1e3', '٣', 'NaN', 'true', 'null', '[object Object]', '__proto__', 'constructor'],
  ...['awa', '@awa', '+2250000000001', '+225 00', 'paid', 'test', 'live', 'XOF', '2026-11-20T10:00:00Z', '2026-02-30T25:00:00Z'],
  ...['cDA', '%', '%00', '../..', '..%2f', "' OR 1=1 --", '<script>alert(1)</script>', '=1+1', '\u0024{7*7}', '{{7*7}}', 'a\r\nX-Y: z'],
  ...['\u0000', '\u202eabc', 'e\u0301', '\ud800', '\udfff\ud83d', '😀'.repeat(50), 'ﷺ', '\u200b', '\ufeff', 'İ', 'ß', '\u0085'],
  ...['https://127.0.0.1/', 'https://[::1]/', 'javascript:alert(1)', 'data:,x', 'https://user:pw@host.example/', 'file:///etc/passwd'],
  ...['0196\u00ad5c1e', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff', 'a'.repeat(300)],
]

/** As JSON text, because some have no value: numbers that no double holds, lone surrogates, repeated names. */
export const EDGE_JSON: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1', '0.1', '1e-7', '1e308', '1e999', '-1e999', '9007199254740991', '9007199254740993'],
  ...[
    '2147483648',
    '999999999999',
    '1000000000000',
    '-2147483649',
    '1000000000000000',
    '1.0000000000000001',
    '12345678901234567890123',
    '[]',
    '{}',
    '[[]]',
    '[null]',
  ],
  ...['"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '{"a":1,"a":2}'],
  ...[
    '{"toString":1}',
    '["a","a","a"]',
    '[{"recipient":"awa","amount":1}]',
    '[{"recipient":"awa","amount":1},{"recipient":"awa","amount":1}]',
  ],
]

const LONG_MAX = 40_000

/** One value as JSON text: mostly an edge, sometimes long or deep. */
export function edgeJson(random: Prng): string {
  const kind = random.below(100)
  if (kind < 45) return JSON.stringify(random.pick(EDGE_TEXTS))
  if (kind < 85) return random.pick(EDGE_JSON)
  if (kind < 90) return JSON.stringify('é'.repeat(random.below(LONG_MAX)))
  if (kind < 93) return '['.repeat(random.below(200)) + ']'.repeat(random.below(200))
  if (kind < 95) return `[${'1,'.repeat(random.below(1200))}1]`
  return String(random.below(60) - 5)
}

export function edgeText(random: Prng): string {
  return random.chance(0.9) ? random.pick(EDGE_TEXTS) : randomText(random, 40)
}

export function randomText(random: Prng, lengthMax: number): string {
  return String.fromCodePoint(...Array.from({ length: random.below(lengthMax) }, () => codePoint(random)))
}

function codePoint(random: Prng): number {
  const kind = random.below(4)
  if (kind === 0) return random.below(0x80)
  if (kind === 1) return random.below(0x800)
  return kind === 2 ? random.below(0xd800) : 0x10000 + random.below(0x100000)
}
