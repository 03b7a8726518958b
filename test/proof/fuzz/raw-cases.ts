// Requests as bytes that no HTTP library sends: framing that two parties read differently, torn heads, long lines, odd methods.

export interface RawCase {
  readonly name: string
  /** Latin-1. Each piece is sent after the one before it has left. */
  readonly pieces: readonly string[]
  /** True when no answer may be a success. */
  readonly isRefused: boolean
  /** Most answers that may come. */
  readonly answersMax: number
  /** What the client does after the last piece; it waits for an answer or the end when absent. */
  readonly then?: 'half-close' | 'close' | 'reset'
  /** True for a changed case: what is left of it may be two honest requests. */
  readonly allowsHidden?: true
}

/** An answer to it would repeat this id. */
export const HIDDEN_ID = 'hidden-request'
const HIDDEN = `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${HIDDEN_ID}\r\n\r\n`
const PATH = '/v1/auth/phone/start'
const HEAD = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
const GET = 'GET /healthz HTTP/1.1\r\nHost: a\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`

type More = Partial<Omit<RawCase, 'name' | 'pieces'>>

const one = (name: string, bytes: string, more: More = {}): RawCase => ({ name, pieces: [bytes], isRefused: false, answersMax: 1, ...more })
const refused = (name: string, bytes: string, more: More = {}): RawCase => one(name, bytes, { isRefused: true, ...more })

/** Lines that frame a body: by each, another party could see the hidden request. */
const LENGTH_LINES: readonly (readonly [name: string, lines: string])[] = [
  ['two equal lengths', 'Content-Length: 2\r\nContent-Length: 2'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 90'],
  ['two lengths, one in capitals', 'Content-Length: 2\r\nCONTENT-LENGTH: 90'],
  ['a list of lengths', 'Content-Length: 2, 2'],
  ['a length with a sign', 'Content-Length: +2'],
  ['a negative length', 'Content-Length: -2'],
  ['a length in hexadecimal', 'Content-Length: 0x2'],
  ['a length with an exponent', 'Content-Length: 2e0'],
  ['a length with a space inside', 'Content-Length: 2 2'],
  ['a length with a fraction', 'Content-Length: 2.0'],
  ['a length without digits', 'Content-Length: '],
  ['a length beyond 64 bits', 'Content-Length: 18446744073709551618'],
  ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
  ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 2'],
  ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'],
  ['a coding twice', 'Transfer-Encoding: chunked, chunked'],
  ['another coding', 'Transfer-Encoding: gzip'],
  ['another coding first', 'Transfer-Encoding: gzip, chunked'],
  ['another coding last', 'Transfer-Encoding: chunked, gzip'],
  ['an unknown coding', 'Transfer-Encoding: xchunked'],
  ['a coding in quotes', 'Transfer-Encoding: "chunked"'],
  ['a coding behind a vertical tab', 'Transfer-Encoding: \x0bchunked'],
  ['no coding', 'Transfer-Encoding: '],
  ['a space before the colon', 'Content-Length : 2'],
  ['a coding with a space before the colon', 'Transfer-Encoding : chunked'],
  ['a length on a folded line', 'Content-Length:\r\n 2'],
  ['a coding on a folded line', 'Transfer-Encoding:\r\n chunked'],
  ['a length behind a bare line feed', 'X: y\nContent-Length: 2'],
  ['a length behind a bare carriage return', 'X: y\rContent-Length: 2'],
  ['a line without a colon', 'Content-Length: 2\r\nX'],
  ['a line without a name', 'Content-Length: 2\r\n: x'],
  ['NUL in a value', 'Content-Length: 2\r\nX: a\x00b'],
  ['two hosts', 'Content-Length: 2\r\nHost: b'],
]

/** Bodies in chunks: at most the first request is answered. */
const CHUNKS: readonly (readonly [name: string, body: string])[] = [
  ['whole', '2\r\n{}\r\n0\r\n\r\n'],
  ['with an extension', '2;a=b\r\n{}\r\n0;c\r\n\r\n'],
  ['with a long extension', `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
  ['with trailers', '2\r\n{}\r\n0\r\nContent-Length: 90\r\nHost: b\r\n\r\n'],
  ['with leading zeros', '0000000000002\r\n{}\r\n0\r\n\r\n'],
  ['with line feeds alone', '2\n{}\n0\n\n'],
  ['with a space behind the size', '2 \r\n{}\r\n0\r\n\r\n'],
  ['without a size', '\r\n{}\r\n0\r\n\r\n'],
  ['with a size in C notation', '0x2\r\n{}\r\n0\r\n\r\n'],
  ['with a negative size', '-2\r\n{}\r\n0\r\n\r\n'],
  ['with a size beyond 64 bits', 'ffffffffffffffff2\r\n{}\r\n0\r\n\r\n'],
  ['with a size that is no number', 'zz\r\n{}\r\n0\r\n\r\n'],
  ['longer than their size', '2\r\n{}{}\r\n0\r\n\r\n'],
  ['shorter than their size', '4\r\n{}\r\n0\r\n\r\n'],
]

const REQUEST_LINES: readonly (readonly [name: string, line: string])[] = [
  ['a method in small letters', 'get /healthz HTTP/1.1'],
  ['an unknown method', 'BREW /healthz HTTP/1.1'],
  ['a method of signs', '<>"{} /healthz HTTP/1.1'],
  ['a very long method', `${'A'.repeat(9000)} /healthz HTTP/1.1`],
  ['no method', ' /healthz HTTP/1.1'],
  ['no version', 'GET /healthz'],
  ['version 0.9', 'GET /healthz HTTP/0.9'],
  ['version 2', 'PRI * HTTP/2.0'],
  ['a version of text', 'GET /healthz HTTP/x.y'],
  ['another protocol', 'GET /healthz ICY/1.1'],
  ['a tab between the parts', 'GET\t/healthz\tHTTP/1.1'],
  ['a path without a slash', 'GET healthz HTTP/1.1'],
  ['an authority', 'CONNECT 127.0.0.1:80 HTTP/1.1'],
  ['NUL in the path', 'GET /health\x00z HTTP/1.1'],
  ['a line feed in the path', 'GET /health\nz HTTP/1.1'],
  ['a space in the path', 'GET /health z HTTP/1.1'],
  ['a path of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1`],
]

const PATHS: readonly (readonly [name: string, target: string])[] = [
  ['an absolute address', 'http://other.example/healthz'],
  ['an asterisk', '*'],
  ['two slashes', '//healthz'],
  ['dots', '/v1/../healthz'],
  ['encoded dots', '/v1/%2e%2e/healthz'],
  ['an encoded slash', '/v1%2fbiz%2fping'],
  ['an encoded NUL', '/v1/biz/checkout/%00'],
  ['bytes that are no UTF-8', '/v1/biz/checkout/%ff%fe'],
  ['half an escape', '/v1/biz/checkout/%e'],
  ['high bytes', '/v1/biz/checkout/\xff\xfe'],
  ['a query of question marks', '/healthz????'],
  ['a query with a bad escape', '/v1/biz/charges?limit=%zz'],
  ['a fragment', '/healthz#x'],
]

const HEADERS: readonly (readonly [name: string, lines: string])[] = [
  ['an expectation', 'Expect: 100-continue'],
  ['an unknown expectation', 'Expect: 200-ok'],
  ['an upgrade', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13'],
  ['an upgrade to version 2', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk'],
  ['a connection that names its own lines', 'Connection: close, Host, X-Api-Key'],
  ['a range', 'Range: bytes=0-0,0-0,0-0'],
  ['a name of high bytes', 'X-\xe9: 1'],
  ['many lines', Array.from({ length: 60 }, (_, at) => `X-${at}: ${at}`).join('\r\n')],
  ['far too many lines', Array.from({ length: 3000 }, (_, at) => `X-${at}: ${at}`).join('\r\n')],
  ['a line of 20 KB', `X: ${'a'.repeat(20_000)}`],
  ['many cookies', `Cookie: ${'a=b; '.repeat(1500)}`],
]

const TORN: readonly RawCase[] = [
  { ...one('a head in single bytes', ''), pieces: [...`${GET}\r\n`] },
  { ...one('a body in single bytes', ''), pieces: [`${HEAD}Content-Length: 2\r\n\r\n`, '{', '}'] },
  { ...one('a head torn inside its end', ''), pieces: [`${GET}\r`, '\n'] },
  { ...one('a head torn inside a name', ''), pieces: ['GET /healthz HTTP/1.1\r\nHo', 'st: a\r\n\r\n'] },
  one('empty lines before the request', `\r\n\r\n${GET}\r\n`),
  refused('empty lines alone', '\r\n'.repeat(50), { then: 'close' }),
  one('a closing after half a head', GET, { then: 'close', answersMax: 0 }),
  one('a reset after half a head', GET, { then: 'reset', answersMax: 0 }),
  one('a closing inside the body', `${HEAD}Content-Length: 20\r\n\r\n{"a"`, { then: 'close', answersMax: 0 }),
  one('a reset inside the body', `${HEAD}Content-Length: 20\r\n\r\n{"a"`, { then: 'reset', answersMax: 0 }),
  refused('an end inside the body', `${HEAD}Content-Length: 20\r\n\r\n{"a"`, { then: 'half-close' }),
  refused('an end inside a chunk', `${CHUNKED}20\r\n{"a"`, { then: 'half-close' }),
  one('an end behind the request', `${GET}\r\n`, { then: 'half-close' }),
  one('a reset behind the request', `${GET}\r\n`, { then: 'reset' }),
  one('two requests at once', `${GET}\r\n${GET}\r\n`, { answersMax: 2 }),
  one('a hundred requests at once', `${GET}\r\n`.repeat(100), { answersMax: 100 }),
  one('a request behind a body', `${HEAD}Content-Length: 2\r\n\r\n{}${HIDDEN}`),
  one('a body of a GET', `${GET}Content-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`),
  one('a HEAD with a body', `HEAD /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`),
  one('version 1.0', 'GET /healthz HTTP/1.0\r\nHost: a\r\n\r\n'),
  one('no host', 'GET /healthz HTTP/1.1\r\n\r\n'),
  one('an empty host', 'GET /healthz HTTP/1.1\r\nHost: \r\n\r\n'),
  refused('the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(300, '\x07'), { then: 'half-close' }),
  refused('another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'),
  refused('a proxy line', `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${GET}\r\n`),
  refused('zeros', '\x00'.repeat(5000), { then: 'half-close' }),
  refused('a head without an end', `GET /healthz HTTP/1.1\r\n${'X: y\r\n'.repeat(5000)}`),
]

/** All cases, those of different kinds beside each other, so that the first ones are some of each. */
export const RAW_CASES: readonly RawCase[] = mixed([
  LENGTH_LINES.map(([name, lines]) => refused(`framed by ${name}`, `${HEAD}${lines}\r\n\r\n2\r\n{}\r\n0\r\n\r\n${HIDDEN}`)),
  CHUNKS.map(([name, body]) => one(`chunks ${name}`, CHUNKED + body + HIDDEN)),
  REQUEST_LINES.map(([name, line]) => refused(`a request line with ${name}`, `${line}\r\nHost: a\r\n\r\n`)),
  PATHS.map(([name, target]) => one(`a target with ${name}`, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)),
  HEADERS.map(([name, lines]) => one(`a head with ${name}`, `${GET}${lines}\r\n\r\n`)),
  TORN,
])

function mixed(kinds: readonly (readonly RawCase[])[]): readonly RawCase[] {
  const longest = Math.max(...kinds.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => kinds.flatMap((kind) => kind[at] ?? [])).flat()
}
