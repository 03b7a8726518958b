// Multipart bodies: what is read out of them, what is refused, and that no body makes the reader fail, loop or disagree
// with what was put in.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isMultipartFault, type Multipart, multipartIdentity, parseMultipart } from '../../../../http/server/body/multipart.ts'
import { runs } from '../../../support/property-runs.ts'

const TYPE = 'multipart/form-data; boundary=x'

function parse(body: string | Buffer, type = TYPE, names: readonly string[] = ['file']): string {
  const parsed = parseMultipart(type, Buffer.from(body as string, 'latin1'), names)
  if (isMultipartFault(parsed)) return `! ${parsed.code} ${parsed.param ?? ''}`.trim()
  return Object.entries(parsed)
    .map(([name, content]) => `${name}=${content.toString('latin1')}`)
    .join('&')
}

function part(name: string, content: string, head = ''): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${content}\r\n`
}

const ROWS: readonly (readonly [given: string, body: string, then: string])[] = [
  ['one file', `${part('file', 'abc', '; filename="a.png"')}--x--\r\n`, 'file=abc'],
  ['no end of line at the end', `${part('file', 'abc')}--x--`, 'file=abc'],
  ['an empty file', `${part('file', '')}--x--`, 'file='],
  ['no part at all', '--x--\r\n', ''],
  ['other parts around', `${part('a', '1')}${part('file', 'abc')}${part('b', '2')}--x--`, 'file=abc'],
  ['no file', `${part('logo', 'abc')}--x--`, ''],
  ['a name in other letters', `${part('File', 'abc')}--x--`, ''],
  ['two files', `${part('file', 'a')}${part('file', 'b')}--x--`, '! invalid_request file'],
  ['text before and behind', `Bonjour\r\n${part('file', 'abc')}--x--\r\nau revoir`, 'file=abc'],
  ['blanks behind a delimiter', `--x \t\r\n${part('file', 'abc').slice(5)}--x--`, 'file=abc'],
  ['line ends in the content', `${part('file', '\r\n\r\n-\r\n--\r\n')}--x--`, 'file=\r\n\r\n-\r\n--\r\n'],
  ['a boundary inside a line', `${part('file', 'a--x--')}--x--`, 'file=a--x--'],
  ['more headers', `--x\r\nContent-Type: image/png\r\ncontent-disposition:form-data;filename=a;name=file\r\n\r\nabc\r\n--x--`, 'file=abc'],
  ['a file name in quotes with quotes', `${part('file', 'abc', '; filename="a\\";name=\\"b.png"')}--x--`, 'file=abc'],
  ['nothing', '', '! invalid_request'],
  ['no delimiter', 'abc', '! invalid_request'],
  ['no closing delimiter', part('file', 'abc'), '! invalid_request'],
  ['a delimiter that goes on', `${part('file', 'a\r\n--xy\r\nb')}--x--`, '! invalid_request'],
  ['a delimiter without its line end', '--xContent-Disposition: form-data; name="file"\r\n\r\nabc\r\n--x--', '! invalid_request'],
  ['the first delimiter inside a line', `a${part('file', 'abc')}--x--`, '! invalid_request'],
  ['a part without a head', '--x\r\nabc\r\n--x--', '! invalid_request'],
  ['a part without anything', '--x\r\n--x--', '! invalid_request'],
  ['a part without a name', '--x\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--x--', '! invalid_request'],
  ['a part that is no form data', '--x\r\nContent-Disposition: attachment; name="file"\r\n\r\nabc\r\n--x--', '! invalid_request'],
  ['a name twice', `${part('file', 'abc', '; name="file"')}--x--`, '! invalid_request'],
  [
    'two dispositions',
    `--x\r\nContent-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=file\r\n\r\nabc\r\n--x--`,
    '! invalid_request',
  ],
  ['a quote that does not end', '--x\r\nContent-Disposition: form-data; name="file\r\n\r\nabc\r\n--x--', '! invalid_request'],
  ['a head that is too long', `${part('file', 'abc', `; filename="${'a'.repeat(5000)}"`)}--x--`, '! invalid_request'],
  ['sixteen parts', `${part('a', '1').repeat(15)}${part('file', 'abc')}--x--`, 'file=abc'],
  ['seventeen parts', `${part('a', '1').repeat(16)}${part('file', 'abc')}--x--`, '! invalid_request'],
  ['bare line feeds', part('file', 'abc').replaceAll('\r\n', '\n'), '! invalid_request'],
]

describe('a body', () => {
  for (const [given, body, then] of ROWS) test(`${given}: ${JSON.stringify(then)}`, () => assert.equal(parse(body), then))
})

describe('a content type', () => {
  const body = `${part('file', 'abc')}--x--`
  const rows: readonly (readonly [type: string, then: string])[] = [
    ['multipart/form-data; boundary="x"', 'file=abc'],
    ['Multipart/Form-Data ; charset=utf-8; Boundary=x', 'file=abc'],
    ['', '! unsupported_media_type'],
    ['image/png', '! unsupported_media_type'],
    ['application/json', '! unsupported_media_type'],
    ['multipart/mixed; boundary=x', '! unsupported_media_type'],
    ['multipart/form-data', '! unsupported_media_type'],
    ['multipart/form-data;', '! invalid_request Content-Type'],
    ['multipart/form-data; boundary=', '! invalid_request Content-Type'],
    ['multipart/form-data; boundary=""', '! invalid_request Content-Type'],
    ['multipart/form-data; boundary=x; boundary=y', '! invalid_request Content-Type'],
    [`multipart/form-data; boundary=${'x'.repeat(71)}`, '! invalid_request Content-Type'],
    ['multipart/form-data; boundary="x "', '! invalid_request Content-Type'],
    ['multipart/form-data; boundary="a\u00e9"', '! invalid_request Content-Type'],
    ['multipart/form-data; boundary=y', '! invalid_request'],
  ]
  for (const [type, then] of rows) test(`${type}: ${then}`, () => assert.equal(parse(body, type), then))
})

const BOUNDARY = fc.string({ unit: fc.constantFrom(..."ab-'()+_,./:=?09"), minLength: 1, maxLength: 70 })

test('what was put in comes out, for any boundary and content', () => {
  fc.assert(
    fc.property(BOUNDARY, fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }), (boundary, contents) => {
      const sent = contents.map((content) => Buffer.from(content))
      fc.pre(sent.every((content) => !content.includes(`--${boundary}`)))
      const pieces = sent.flatMap((content, index) => [
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="f${index}"; filename="é;\\".png"\r\n\r\n`),
        content,
        Buffer.from('\r\n'),
      ])
      const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
      const names = sent.map((_, index) => `f${index}`)
      const parsed = parseMultipart(`multipart/form-data; boundary="${boundary}"`, body, names)
      assert.deepEqual(parsed, Object.fromEntries(sent.map((content, index) => [`f${index}`, content])))
    }),
    { numRuns: runs(2000) },
  )
})

test('no body makes it throw, and what comes out lies in the body', () => {
  const piece = fc.constantFrom(
    '--x',
    '--x--',
    '\r\n',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="file"',
    ' ',
    '-',
    'abc',
    '"',
    ';',
    '\u0000',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const body = Buffer.from(pieces.join(''), 'latin1')
      const parsed = parseMultipart(TYPE, body, ['file'])
      if (isMultipartFault(parsed)) return
      const { file } = parsed as { file?: Buffer }
      assert.ok(file === undefined || body.includes(file))
    }),
    { numRuns: runs(20_000) },
  )
})

test('hostile bodies take no longer than their length', () => {
  const hostile = [
    Buffer.from('\r\n--'.repeat(130_000)),
    Buffer.from(`${part('a', '\r\n--'.repeat(100_000))}`),
    Buffer.from('--x\r\n'.repeat(100_000)),
  ]
  for (const body of hostile) assert.equal(isMultipartFault(parseMultipart(TYPE, body, ['file'])), true)
})

test('two forms with the same file are the same request, with another file they are not', () => {
  const parsed = (type: string, body: string): Multipart => {
    const parts = parseMultipart(type, Buffer.from(body), ['file', 'a'])
    assert.ok(!isMultipartFault(parts))
    return parts
  }
  const one = parsed(TYPE, `${part('file', 'abc')}--x--`)
  const again = parsed('multipart/form-data; boundary=y', `${part('file', 'abc', '; filename="z"').replaceAll('--x', '--y')}--y--`)
  const other = parsed(TYPE, `${part('file', 'abd')}--x--`)
  const split = parsed(TYPE, `${part('file', 'ab')}${part('a', 'c')}--x--`)
  assert.deepEqual(multipartIdentity(one), multipartIdentity(again))
  assert.notDeepEqual(multipartIdentity(one), multipartIdentity(other))
  assert.notDeepEqual(multipartIdentity(one), multipartIdentity(split))
})
