// Lines of CSV files as spreadsheets read them: with the comma of the standard, and with the semicolon of French ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvText } from '../../../http/lists/csv-text.ts'
import { runs } from '../../support/property-runs.ts'

/** Also behind blanks, which some readers drop. */
const STARTS_A_FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/**
 * The cells of a text as Excel reads them with that separator: quotes count at the start of a cell alone, and what
 * follows the closing one belongs to the cell.
 */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  let isStart = true
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (isQuoted && character === '"') {
      if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (isQuoted) cell += character
    else if (isStart && character === '"') isQuoted = true
    else if (character === separator || character === '\n' || character === '\r') {
      cells.push(cell)
      cell = ''
      isStart = true
      continue
    } else cell += character
    isStart = false
  }
  return [...cells, cell]
}

const rows: readonly (readonly [what: string, value: string, text: string])[] = [
  ['a formula', '=1+1', "'=1+1"],
  ['a plus', '+225', "'+225"],
  ['a call', '@SUM(A1)', "'@SUM(A1)"],
  ['a full-width sign', '\uff1d1+1', "'\uff1d1+1"],
  ['a formula behind a semicolon', 'x;=1+1', `"x;'=1+1"`],
  ['formulas behind each semicolon', 'x;=1;;-2;y', `"x;'=1;;'-2;y"`],
  ['a formula behind quotes, which a French spreadsheet reads as an empty text', 'x;"=1+1;y', `"x;'""=1+1;y"`],
  ['a formula behind a tab', 'x\t=1+1', `"x\t'=1+1"`],
  ['a formula behind a line end', 'x\r\n=1+1', `"x\r\n'=1+1"`],
  ['a formula behind a bar', 'x|=1+1', `"x|'=1+1"`],
  ['a formula behind a blank', ' =6+6', "' =6+6"],
  ['a formula behind a semicolon and a blank', 'x; =2+2', `"x;' =2+2"`],
  ['a formula behind a no-break space', '\u00a0=6+6', "'\u00a0=6+6"],
  ['a formula behind blanks and quotes', 'x; " =2+2', `"x;' "" =2+2"`],
  ['a tab at the start', '\t=1+1', `"'\t'=1+1"`],
  ['what only looks like one stays as it is', 'a=b, c - d; e: awa@example.ci', '"a=b, c - d; e: awa@example.ci"'],
  ['blanks alone need no apostrophe', ' x ; y', '" x ; y"'],
  ['plain text needs nothing', 'Facture 12-B', 'Facture 12-B'],
]
for (const [what, value, text] of rows) {
  test(what, () => {
    assert.equal(csvText([value]), `${text}\r\n`)
  })
}

test('numbers keep their sign, and nothing is empty', () => {
  assert.equal(csvText([-5000, null, undefined, 0]), '-5000,,,0\r\n')
})

const SEPARATORS = [',', ';', '\t', '|'] as const
const pieces = fc.constantFrom('=', '+', '-', '@', '\uff1d', ';', ',', '|', '\t', '\n', '\r', '"', "'", ' ', '\u00a0', '1', 'a')
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))

for (const [separator, written] of SEPARATORS.flatMap((one) => [[one, ','] as const, [one, ';'] as const])) {
  test(`split at ${JSON.stringify(separator)}, no text is a formula anywhere in a file with ${written}`, () => {
    fc.assert(
      fc.property(fc.array(fc.array(texts, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), (lines) => {
        for (const cell of cellsOf(lines.map((line) => csvText(line, written)).join(''), separator))
          assert.doesNotMatch(cell, STARTS_A_FORMULA)
      }),
      { numRuns: runs(3000) },
    )
  })
}

test('split at the comma, each field is one cell, and without its apostrophes it is the text', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const seen = csvText([one, other]).slice(0, -2)
      const read = cellsOf(seen.replaceAll(/\r?\n|\r/g, '~'), ',').map((cell) => cell.replaceAll("'", ''))
      assert.deepEqual(
        read,
        [one, other].map((text) => text.replaceAll(/\r?\n|\r/g, '~').replaceAll("'", '')),
      )
    }),
  )
})
