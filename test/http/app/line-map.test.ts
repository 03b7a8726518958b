// Source maps with one segment a line: Node.js finds the same original line as in the full map.
import assert from 'node:assert/strict'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { describe, it } from 'node:test'
import { lineMappings } from '../../../http/app/line-map.ts'

/** Several segments a line, two sources, lines without segments, steps backwards, and fields of two digits. */
const MAPPINGS = 'AAAA,IAAI,QAAQ;;AACA,KAAK,EAAE;E,ECAE,GADAC;;gCAwCJ,CAAC;AADD,UAAY'

function mapOf(mappings: string): SourceMap {
  const payload: SourceMapPayload = {
    ...{ version: 3, file: 'all.js', sourceRoot: '', names: [], mappings },
    sources: ['a.ts', 'b.ts'],
    sourcesContent: [],
  }
  return new SourceMap(payload)
}

describe('a source map with one segment a line', () => {
  const [full, short] = [mapOf(MAPPINGS), mapOf(lineMappings(MAPPINGS))]
  const columns = [0, null, 0, 4, null, 32, 0]

  it('shows the source and line of the first segment of each line that has an original', () => {
    for (const [line, column] of columns.entries()) {
      if (column === null) continue
      const { generatedLine, originalSource, originalLine, originalColumn } = full.findEntry(line, column) as SourceMapEntry
      const found = short.findEntry(line, column + 3) as SourceMapEntry
      const expected = { generatedLine, originalSource, originalLine, originalColumn }
      assert.deepEqual({ ...found, ...expected }, found, `line ${line}`)
      assert.equal(generatedLine, line)
    }
  })

  it('has one segment a line', () => {
    assert.deepEqual(lineMappings(MAPPINGS).match(/,/), null)
    assert.equal(lineMappings(MAPPINGS).split(';').length, columns.length)
  })
})

interface SourceMapEntry {
  readonly generatedLine: number
  readonly originalSource: string
  readonly originalLine: number
  readonly originalColumn: number
}
