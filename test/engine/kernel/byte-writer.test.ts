// What is written as bytes is what JSON and UTF-8 make of the same texts and numbers.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ByteWriter } from '../../../engine/kernel/byte-writer.ts'

function written(write: (out: ByteWriter) => void): string {
  const out = new ByteWriter(1)
  write(out)
  return out.bytes.toString('utf8', 0, out.size)
}

const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii', minLength: 90, maxLength: 200 }))

describe('a byte writer', () => {
  it('writes texts as UTF-8, one behind the other', () => {
    fc.assert(
      fc.property(fc.array(texts), (some) => {
        const all = written((out) => {
          for (const text of some) out.text(text)
        })
        assert.equal(all, Buffer.from(some.join('')).toString('utf8'))
      }),
    )
  })

  it('writes a text as JSON.stringify does', () => {
    fc.assert(
      fc.property(texts, (text) =>
        assert.equal(
          written((out) => out.jsonText(text)),
          JSON.stringify(text),
        ),
      ),
    )
    for (const text of ['', '"', 'a\\b', '\u0000', '\u007f', 'é', '\ud800', 'a'.repeat(96), 'é'.repeat(97)])
      assert.equal(
        written((out) => out.jsonText(text)),
        JSON.stringify(text),
      )
  })

  it('writes every number as its text', () => {
    const { MAX_SAFE_INTEGER } = Number
    const edges = [0, -0, 9, 10, -1, 999_999_999, 1e9, 2 ** 31 - 1, 2 ** 31, 1e15, MAX_SAFE_INTEGER, -MAX_SAFE_INTEGER, 2 ** 60, 0.5]
    for (const value of edges)
      assert.equal(
        written((out) => out.number(value)),
        String(value),
      )
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) =>
        assert.equal(
          written((out) => out.number(value)),
          String(value),
        ),
      ),
    )
  })

  it('keeps its buffer when it forgets what was written', () => {
    const out = new ByteWriter(4)
    out.text('a longer text than its buffer')
    const { bytes } = out
    out.clear()
    out.text('short')
    out.unit(0x21)
    assert.equal(out.bytes, bytes)
    assert.equal(out.bytes.toString('utf8', 0, out.size), 'short!')
  })

  it('gives what was written in place, also after its buffer grew', () => {
    const out = new ByteWriter(2)
    for (const text of ['a', 'b', 'longer than the buffer', 'c', 'é'.repeat(5000), 'd', 'e']) {
      out.text(text)
      assert.equal(out.takeBytes().toString(), text)
      out.text(text)
      assert.equal(out.takeText(), text)
    }
  })

  it('copies what another one, or it itself, has written', () => {
    const from = new ByteWriter(2)
    from.text('one, deux é, three')
    const out = new ByteWriter(1)
    out.text('<')
    out.copy(from, 5, 13)
    assert.equal(out.takeText(), '<deux é,')
    from.copy(from, 0, 3)
    assert.equal(from.takeText(), 'one, deux é, threeone')
  })

  it('says when it begins anew, so that what was written is not looked for', () => {
    const out = new ByteWriter(8)
    const seen: number[] = [out.restarts]
    out.text('longer than its buffer')
    seen.push(out.restarts)
    for (const begin of [() => out.clear(), () => out.takeText(), () => out.takeBytes()]) {
      begin()
      seen.push(out.restarts)
    }
    assert.deepEqual(seen, [0, 0, 1, 2, 3])
  })

  it('writes bytes as Latin-1', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) =>
        assert.equal(
          written((out) => out.latin1(bytes)),
          Buffer.from(bytes).toString('latin1'),
        ),
      ),
    )
  })
})
