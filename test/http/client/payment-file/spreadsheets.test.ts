// Files as Excel, LibreOffice and Google Sheets write them, in French and English settings: each amount is read as the sheet shows it, or
// refused, and never as another amount. The files in `files/` were written by LibreOffice 7.4.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { isUnreadable, type PaymentLine, readPaymentFile } from '../../../../http/client/src/payment-file/payment-file.ts'
import { runs } from '../../../support/property-runs.ts'
import { EXPORTS, exportedCsv, libreOffice, TYPED_AMOUNTS } from '../../../support/spreadsheet.ts'

/** Formats of whole amounts whose thousands have the sign that another language has before its decimals. */
const TWO_WAYS = /^@(?:en_grouped|de_grouped|en_three)_/

/** Fails where a line has another amount than its sheet shows, or is refused though it can be read in one way. */
function assertRead(bytes: Uint8Array, name: string): void {
  const file = readPaymentFile(bytes, { currency: 'XOF' })
  assert.ok(!isUnreadable(file), name)
  assert.equal(file.lines.length, TYPED_AMOUNTS.length * 11)
  for (const line of file.lines) {
    const typed = Number(line.reference.slice(2))
    if (line.amount === null) assert.ok(!Number.isInteger(typed) || TWO_WAYS.test(line.recipient), `${name}: ${JSON.stringify(line)}`)
    else assert.equal(line.amount, Math.round(typed), `${name}: ${JSON.stringify(line)}`)
    assert.equal(line.note, 'L’œuvre – 5 € ; "août", fin')
  }
}

for (const { name } of EXPORTS) {
  test(`the file ${name} of LibreOffice is read as its sheet shows it, or refused`, () => {
    assertRead(readFileSync(join(import.meta.dirname, 'files', `${name}.csv`)), name)
  })
}

for (const { name } of EXPORTS) {
  test(`the file ${name} of LibreOffice is read in a currency with decimals as its sheet shows it, or refused`, () => {
    const bytes = readFileSync(join(import.meta.dirname, 'files', `${name}.csv`))
    const file = readPaymentFile(bytes, { currency: 'GHS' })
    assert.ok(!isUnreadable(file))
    const read = file.lines.filter(({ amount }) => amount !== null)
    for (const { amount, reference, recipient } of read) {
      const typed = Number(reference.slice(2))
      // A format without decimals shows a rounded amount.
      assert.ok([Math.round(typed * 100), Math.round(typed) * 100].includes(amount ?? 0), `${recipient}: ${amount}`)
    }
    assert.ok(read.length > file.lines.length / 4, `${read.length} of ${file.lines.length}`)
    const programs = readPaymentFile(bytes, { currency: 'GHS', unit: 'smallest' })
    assert.ok(!isUnreadable(programs) && programs.lines.every(({ amount }) => amount === null))
  })
}

const program = libreOffice()

test('a file that LibreOffice writes now is read the same', { skip: program === null && 'LibreOffice is not installed' }, () => {
  const [first] = EXPORTS
  assert.ok(program !== null && first !== undefined)
  assertRead(exportedCsv(program, first), first.name)
})

/** How a program shows whole amounts: thousands, decimals with another sign, and what stands around. */
const SHOWN = fc
  .record({
    thousands: fc.constantFrom('', ' ', '\u00a0', '\u202f', ',', '.'),
    decimals: fc.constantFrom('', ',0', ',00', '.0', '.00', ',000', '.000'),
    before: fc.constantFrom('', 'XOF ', 'F CFA '),
    after: fc.constantFrom('', ' F CFA', '\u00a0F\u00a0CFA', ' F', ' XOF'),
  })
  .filter(({ thousands, decimals }) => thousands === '' || !decimals.startsWith(thousands))

/** What the programs write: Excel in French and English, as CSV and as Unicode text; Google Sheets; LibreOffice with its choices. */
const WRITER = fc.record({
  separator: fc.constantFrom(';', ',', '\t'),
  encoding: fc.constantFrom('utf-8', 'utf-8-mark', 'utf-16le', 'windows-1252'),
  lineEnd: fc.constantFrom('\r\n', '\n', '\r'),
  quotes: fc.constantFrom('needed', 'texts', 'all', 'none'),
  title: fc.constantFrom('', 'sep', 'title'),
  names: fc.constantFrom(
    ['Destinataire', 'Montant', 'Référence'],
    ['RECIPIENT', 'Amount', 'reference'],
    ['Téléphone', 'Montant (F CFA)', 'Réf'],
  ),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
})

type Writer = typeof WRITER extends fc.Arbitrary<infer Value> ? Value : never

function written(writer: Writer, rows: readonly (readonly [recipient: string, amount: string, reference: string])[]): Buffer {
  const { separator, lineEnd, quotes, title, names, order, encoding } = writer
  const cell = (value: string, isText: boolean): string => {
    const isNeeded = value.includes(separator) || /["\r\n]/.test(value)
    const isQuoted = quotes === 'all' || (quotes === 'texts' && isText) || (quotes !== 'none' && isNeeded)
    return isQuoted ? `"${value.replaceAll('"', '""')}"` : value
  }
  const row = (cells: readonly string[]): string => order.map((at) => cell(cells[at] ?? '', at !== 1)).join(separator)
  const top = title === 'sep' ? [`sep=${separator}`] : title === 'title' ? [`Paie de novembre${separator}${separator}`] : []
  const text = [...top, row(names), ...rows.map(row), ''].join(lineEnd)
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le')
  // Excel writes a question mark for what Windows-1252 does not have.
  if (encoding === 'windows-1252') return Buffer.from(text.replaceAll('\u202f', '?'), 'latin1')
  return Buffer.from(`${encoding === 'utf-8-mark' ? '\ufeff' : ''}${text}`)
}

test('an amount of any spreadsheet, in any format, separator, encoding and order, is read as typed or refused', () => {
  const amount = fc.oneof(
    fc.integer({ min: 1, max: 999_999_999 }),
    fc.integer({ min: 1, max: 2000 }),
    fc.constantFrom(1000, 500_001, 25_000),
  )
  const reference = fc.constantFrom('', '001', '500', '00', '11', 'PAIE', '1,5', '=5')
  let read = 0
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, reference), { minLength: 1, maxLength: 5 }), SHOWN, WRITER, (typed, shown, writer) => {
      const { before, thousands, decimals, after } = shown
      const rows = typed.map(([value, ref], at) => {
        const digits = String(value).replace(/\B(?=(?:\d{3})+$)/g, thousands)
        return [`@w${at}`, `${before}${digits}${decimals}${after}`, ref] as const
      })
      const file = readPaymentFile(written(writer, rows), { currency: 'XOF' })
      if (isUnreadable(file)) return
      const byRecipient = new Map(file.lines.map((line): [string, PaymentLine] => [line.recipient, line]))
      for (const [at, [value]] of typed.entries()) {
        const found = byRecipient.get(`@w${at}`)?.amount ?? null
        if (found !== null) assert.equal(found, value)
        if (found !== null) read++
      }
    }),
    { numRuns: runs(3000) },
  )
  assert.ok(read > 1000, `${read} amounts were read`)
})
