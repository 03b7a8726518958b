// The load generator's response parser: whole responses, responses in pieces, and what it must refuse to guess.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResponseParser } from '../../bench/load/response-parser.ts'

const PAID = 'HTTP/1.1 201 Created\r\nX-Request-Id: 1\r\nContent-Length: 16\r\n\r\n{"state":"paid"}'
const LOWER_CASE = 'HTTP/1.1 201 Created\r\ncontent-length:16\r\nx-request-id: 1\r\n\r\n{"state":"paid"}'
const REFUSED = 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 2\r\n\r\n{}'
const EMPTY = 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n'

function push(parser: ResponseParser, text: string): boolean {
  const bytes = Buffer.from(text)
  const complete = parser.push(bytes, bytes.length)
  // The generator reads into one buffer for ever: nothing of it may be kept.
  bytes.fill(0)
  return complete
}

for (const { name, text, status, matches } of [
  { name: 'paid', text: PAID, status: 201, matches: true },
  { name: 'header names in lower case, no space', text: LOWER_CASE, status: 201, matches: true },
  { name: 'refused', text: REFUSED, status: 429, matches: false },
  { name: 'no body', text: EMPTY, status: 204, matches: false },
]) {
  test(`a response is parsed in one read: ${name}`, () => {
    const parser = new ResponseParser('"state":"paid"')
    assert.equal(push(parser, text), true)
    assert.deepEqual([parser.status, parser.bodyMatches], [status, matches])
  })

  test(`a response is parsed when it is cut at every byte: ${name}`, () => {
    const parser = new ResponseParser('"state":"paid"')
    for (let cut = 1; cut < text.length; cut++) {
      assert.equal(push(parser, text.slice(0, cut)), false, `cut at ${cut}`)
      assert.equal(push(parser, text.slice(cut)), true, `cut at ${cut}`)
      assert.deepEqual([parser.status, parser.bodyMatches], [status, matches])
    }
  })
}

test('responses are parsed byte by byte, one after another', () => {
  const parser = new ResponseParser('"state":"paid"')
  for (const [text, status] of [
    [PAID, 201],
    [REFUSED, 429],
    [PAID, 201],
  ] as const) {
    const completions = [...text].map((byte) => push(parser, byte))
    assert.equal(completions.indexOf(true), text.length - 1)
    assert.equal(parser.status, status)
  }
})

test('a body larger than any read is parsed', () => {
  const parser = new ResponseParser('last')
  const body = `${'x'.repeat(300_000)}last`
  assert.equal(push(parser, `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`), false)
  for (let at = 0; at < body.length; at += 65_536) assert.equal(push(parser, body.slice(at, at + 65_536)), at + 65_536 >= body.length)
  assert.equal(parser.bodyMatches, true)
})

test('the text to look for must stand in the body, not in the head', () => {
  const parser = new ResponseParser('paid')
  assert.equal(push(parser, 'HTTP/1.1 201 Created\r\nX-Hint: paid\r\nContent-Length: 2\r\n\r\n{}'), true)
  assert.equal(parser.bodyMatches, false)
})

for (const { name, text, error } of [
  { name: 'no length', text: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', error: /without Content-Length/ },
  { name: 'a length that is no number', text: 'HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n', error: /not a number/ },
  { name: 'more than one response', text: PAID + PAID, error: /bytes after the response/ },
  { name: 'no HTTP', text: 'SSH-2.0-OpenSSH_9.2\r\nContent-Length: 0\r\n\r\n', error: /not a status line/ },
  { name: 'an endless head', text: `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`, error: /without an end/ },
]) {
  test(`an input is rejected: ${name}`, () => {
    assert.throws(() => push(new ResponseParser(''), text), error)
  })
}
