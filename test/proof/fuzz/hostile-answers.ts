// Answers that a gateway, a biller's system or a webhook's receiver may send: wrong, huge, slow, cut, redirected, of the wrong type.
// Each is bytes, because no HTTP library would send most of them.
import { gzipSync } from 'node:zlib'
import type { Prng } from '../../support/prng.ts'

export interface HostileAnswer {
  readonly name: string
  /** Latin-1. Each piece is written after the one before it has left. */
  readonly pieces: readonly string[]
  /** What follows the last piece. `stay`: nothing more is sent. `repeat`: the last piece again and again. */
  readonly then: 'end' | 'reset' | 'stay' | 'repeat'
  /** Sent when the connection opens, before any request. */
  readonly isEarly?: true
}

/** Where redirects lead; the runner replaces it. */
export const CANARY = '{canary}'

const MIB = 1024 * 1024
const OK = 'HTTP/1.1 200 OK\r\n'

const answer = (name: string, bytes: string, then: HostileAnswer['then'] = 'end'): HostileAnswer => ({ name, pieces: [bytes], then })
const withBody = (name: string, body: string, lines = 'Content-Type: application/json\r\n'): HostileAnswer =>
  answer(name, `${OK}${lines}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`)
const bytesOf = (bytes: Buffer): string => bytes.toString('latin1')

const STATUS_LINES: readonly HostileAnswer[] = [
  ...[
    'HTTP/1.1 200',
    'HTTP/1.1 99 X',
    'HTTP/1.1 000 X',
    'HTTP/1.1 -1 X',
    'HTTP/1.1 1e3 X',
    'HTTP/1.1 999 X',
    'HTTP/1.1 20 X',
    'HTTP/1.1 2000 X',
  ],
  ...[
    'HTTP/2.0 200 OK',
    'HTTP/0.9 200 OK',
    'ICY 200 OK',
    'HTTP/1.1',
    '',
    ' ',
    'HTTP/1.1\t200\tOK',
    'http/1.1 200 ok',
    '220 smtp.example ESMTP',
  ],
  ...[
    'HTTP/1.1 101 Switching Protocols',
    'HTTP/1.1 204 No Content',
    'HTTP/1.1 205 Reset',
    'HTTP/1.1 304 Not Modified',
    'HTTP/1.1 407 Proxy',
  ],
  ...[
    'HTTP/1.1 418 x',
    'HTTP/1.1 429 x',
    'HTTP/1.1 500 x',
    'HTTP/1.1 599 x',
    `HTTP/1.1 200 ${'x'.repeat(20_000)}`,
    'HTTP/1.1 200 \x00\xff\xfe',
  ],
].map((line) => answer(`the status line ${line.slice(0, 30)}`, `${line}\r\nContent-Length: 2\r\n\r\n{}`))

const HEADERS: readonly HostileAnswer[] = [
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3'],
  ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
  ['a negative length', 'Content-Length: -2'],
  ['a length that is no number', 'Content-Length: two'],
  ['a length beyond 64 bits', 'Content-Length: 99999999999999999999'],
  ['a length of 4 GB', 'Content-Length: 4294967297'],
  ['an unknown coding', 'Transfer-Encoding: xchunked'],
  ['a coding twice', 'Transfer-Encoding: chunked, chunked'],
  ['a folded line', 'X: a\r\n b\r\nContent-Length: 2'],
  ['a line without a colon', 'X\r\nContent-Length: 2'],
  ['a line without a name', ': x\r\nContent-Length: 2'],
  ['NUL in a value', 'X: a\x00b\r\nContent-Length: 2'],
  ['high bytes', 'X-\xff: \xfe\r\nContent-Length: 2'],
  ['__proto__ as a name', '__proto__: x\r\nconstructor: y\r\nContent-Length: 2'],
  ['a line of 100 KB', `X: ${'a'.repeat(100_000)}\r\nContent-Length: 2`],
  ['5 000 lines', `${Array.from({ length: 5000 }, (_, at) => `X-${at}: ${at}`).join('\r\n')}\r\nContent-Length: 2`],
  ['cookies', 'Set-Cookie: a=b\r\nSet-Cookie: c=d\r\nContent-Length: 2'],
  ['an upgrade', 'Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 2'],
  ['a compressed body that is none', 'Content-Encoding: gzip\r\nContent-Length: 2'],
  ['an unknown encoding', 'Content-Encoding: \x00, br, gzip\r\nContent-Length: 2'],
  ['a keep-alive of a year', 'Keep-Alive: timeout=31536000, max=99999999\r\nContent-Length: 2'],
].map(([name, lines]) => answer(`a head with ${name}`, `${OK}${lines}\r\n\r\n{}`))

const WAITS: readonly HostileAnswer[] = [
  ...['-1', '0', '1e9', '999999999', '9999999999', '99999999999999999999', 'NaN', 'soon', '1, 2', '0x10', '', '\x00', 'Infinity'],
  ...[
    'Fri, 01 Jan 1000 00:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Fri, 99 Foo 275761 99:99:99 GMT',
    'Sat, 13 Sep 275760 00:00:00 GMT',
  ],
].map((value) => answer(`Retry-After ${JSON.stringify(value)}`, `HTTP/1.1 503 x\r\nRetry-After: ${value}\r\nContent-Length: 0\r\n\r\n`))

const REDIRECTS: readonly HostileAnswer[] = [
  ...[301, 302, 303, 307, 308, 300, 305].map((status): readonly [number, string] => [status, `http://127.0.0.1:${CANARY}/`]),
  ...[`//127.0.0.1:${CANARY}/`, `/\\127.0.0.1:${CANARY}`, 'file:///etc/passwd', 'javascript:1', '', '\x00', `http://[::1]:${CANARY}/`].map(
    (location): readonly [number, string] => [302, location],
  ),
].map(([status, location]) =>
  answer(`${status} to ${location.slice(0, 30)}`, `HTTP/1.1 ${status} x\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
)

const BODIES: readonly HostileAnswer[] = [
  ...[
    'null',
    '0',
    'true',
    '""',
    '[]',
    '{}',
    '[null]',
    '{"ok":true}',
    '{"ok":true,"amount":1500}',
    '{"ok":false,"reason":"<b>\\u202e"}',
    '{"ok":true,"amount":1e400}',
    '{"ok":true,"amount":-0}',
    '{"ok":1}',
  ],
  ...[
    '{"keys":[]}',
    '{"keys":{}}',
    '{"keys":[1]}',
    '{"keys":[null]}',
    '{"keys":[{}]}',
    '{"keys":"x"}',
    '{"keys":[[]]}',
    '{"__proto__":{"keys":[]}}',
  ],
  ...['{"keys":[{"kty":"RSA","kid":"one","alg":"RS256"}]}', '{"keys":[{"kty":"RSA","kid":"one","alg":"RS256","n":5,"e":{}}]}'],
  ...[
    '{"keys":[{"kty":"RSA","kid":"one","alg":"RS256","n":"","e":""}]}',
    '{"keys":[{"kty":"RSA","kid":"one","alg":"RS256","n":"AQ","e":"AQ"}]}',
  ],
  ...[
    '{"keys":[{"kty":"oct","kid":"one","alg":"HS256","k":"AAAA"}]}',
    '{"keys":[{"kty":"RSA","kid":"one","alg":"RS256","use":"enc","n":"AQAB","e":"AQAB"}]}',
  ],
  ...['{"keys":[{"kty":"RSA","kid":"one","n":"AQAB","e":"AQAB","oth":[{}],"d":"AQAB"}]}', '{"keys":[{"kty":7,"kid":"one","alg":"RS256"}]}'],
  ...[
    '{"keys":[{"kty":"EC","kid":"one","alg":"RS256","crv":"P-256","x":"AA","y":"AA"}]}',
    '{',
    '<html>',
    '\xef\xbb\xbf{}',
    '\xff\xfe{\x00}\x00',
    '\x00',
  ],
]
  .map((body) => withBody(`the body ${body.slice(0, 60)}`, body))
  .concat([
    withBody('JSON 10 000 deep', '['.repeat(10_000)),
    withBody('a list of 30 000', `[${'1,'.repeat(30_000)}1]`),
    withBody('60 000 keys that are objects', `{"keys":[${'{},'.repeat(20_000)}{}]}`),
    withBody('a body above every maximum', 'x'.repeat(MIB)),
    withBody('a compressed body', bytesOf(gzipSync(Buffer.alloc(10 * MIB))), 'Content-Encoding: gzip\r\n'),
    withBody('a body of another type', 'ok=true', 'Content-Type: text/\xff; charset=utf-99\r\n'),
  ])

const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
const ENDS: readonly HostileAnswer[] = [
  answer('nothing, and the end', ''),
  answer('nothing, and a reset', '', 'reset'),
  answer('nothing at all', '', 'stay'),
  answer('half a status line, and the end', 'HTTP/1.1 2'),
  answer('half a status line, and nothing more', 'HTTP/1.1 2', 'stay'),
  answer('half a head, and a reset', `${OK}X: y`, 'reset'),
  answer('a head without an end', `${OK}`, 'stay'),
  answer('lines without an end', `${OK}X: y\r\n`, 'repeat'),
  answer('a head, and no body', `${OK}Content-Length: 20\r\n\r\n`, 'stay'),
  answer('a body that is cut', `${OK}Content-Length: 20\r\n\r\n{"ok"`),
  answer('a body that is cut by a reset', `${OK}Content-Length: 20\r\n\r\n{"ok"`, 'reset'),
  answer('a body longer than its length', `${OK}Content-Length: 2\r\n\r\n{}{"ok":true}`),
  answer('a second answer behind the first', `${OK}Content-Length: 2\r\n\r\n{}HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n`),
  answer('a body without a length', `${OK}\r\n{"ok":true}`),
  answer('a body without a length or an end', `${OK}\r\nx`, 'repeat'),
  answer('chunks without an end', `${CHUNKED}`, 'stay'),
  { name: 'chunk after chunk', pieces: [CHUNKED, `10000\r\n${'x'.repeat(0x10000)}\r\n`], then: 'repeat' },
  answer('a chunk that is cut', `${CHUNKED}20\r\n{"a"`),
  answer('a chunk of a size that is no number', `${CHUNKED}zz\r\n{}\r\n0\r\n\r\n`),
  answer('a chunk of a size beyond 64 bits', `${CHUNKED}ffffffffffffffff2\r\n{}\r\n0\r\n\r\n`),
  answer('a chunk with an extension of 20 KB', `${CHUNKED}2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  answer('chunks with trailers', `${CHUNKED}2\r\n{}\r\n0\r\nContent-Length: 9\r\nX: y\r\n\r\n`),
  answer('continue, again and again', 'HTTP/1.1 100 Continue\r\n\r\n', 'repeat'),
  answer('early hints before the answer', `${'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(50)}${OK}Content-Length: 2\r\n\r\n{}`),
  { name: 'the answer in single bytes', pieces: [...`${OK}Content-Length: 2\r\n\r\n{}`], then: 'end' },
  { ...answer('an answer before the request', `${OK}Content-Length: 2\r\n\r\n{}`, 'stay'), isEarly: true },
  { ...answer('a greeting before the request', '220 ready\r\n', 'stay'), isEarly: true },
  answer('the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(300, '\x07')),
  answer('zeros', '\x00'.repeat(5000)),
]

/** All written answers, those of different kinds beside each other, so that the first ones are some of each. */
export const HOSTILE_ANSWERS: readonly HostileAnswer[] = mixed([STATUS_LINES, HEADERS, WAITS, REDIRECTS, BODIES, ENDS])

function mixed(kinds: readonly (readonly HostileAnswer[])[]): readonly HostileAnswer[] {
  const longest = Math.max(...kinds.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => kinds.flatMap((kind) => kind[at] ?? [])).flat()
}

/** A written answer with changed bytes, cut in two, or with another end. */
export function changedAnswer(random: Prng): HostileAnswer {
  const base = random.pick(HOSTILE_ANSWERS)
  const bytes = Buffer.from(base.pieces.join(''), 'latin1')
  for (let changes = random.below(5); changes > 0 && bytes.length > 0; changes--) {
    bytes[random.below(Math.min(bytes.length, 300))] = random.chance(0.6)
      ? random.pick([0, 10, 13, 32, 44, 45, 48, 57, 58, 123, 255])
      : random.below(256)
  }
  const text = bytesOf(random.chance(0.2) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes)
  const cut = random.below(text.length + 1)
  const then = random.chance(0.8) ? 'end' : random.pick(['reset', 'stay'] as const)
  return { name: `${base.name}, changed`, pieces: random.chance(0.5) ? [text] : [text.slice(0, cut), text.slice(cut)], then }
}
