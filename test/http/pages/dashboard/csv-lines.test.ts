// Lines of a batch as users paste them out of spreadsheets and mails.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { textOfFile } from '../../../../http/pages/dashboard/csv-file.ts'
import { csvOfLines, linesOfCsv, readCsv, type TypedLine } from '../../../../http/pages/dashboard/csv-lines.ts'
import { typedRecipient } from '../../../../http/pages/dashboard/recipient-text.ts'
import { amountOf } from '../../../../http/pages/dashboard/typed.ts'
import { runs } from '../../../support/property-runs.ts'

const AWA: TypedLine = { recipient: '@awa', amount: 25_000, reference: 'PAIE', note: 'Août' }

const ROWS: readonly { readonly name: string; readonly given: string; readonly then: readonly TypedLine[] }[] = [
  { name: 'nothing', given: '', then: [] },
  { name: 'empty lines', given: '\n \r\n;;;\n', then: [] },
  { name: 'semicolons', given: '@awa;25000;PAIE;Août', then: [AWA] },
  { name: 'commas', given: '@awa,25000,PAIE,Août', then: [AWA] },
  { name: 'tabs, out of a spreadsheet', given: '@awa\t25000\tPAIE\tAoût\r\n', then: [AWA] },
  {
    name: 'a mark of UTF-8 and French names in another order',
    given: '\uFEFFMontant;Bénéficiaire;Motif;Référence\n25 000;@awa;Août;PAIE',
    then: [AWA],
  },
  { name: 'names that say nothing are a line', given: 'nom;somme', then: [{ recipient: 'nom', amount: 'somme' }] },
  {
    name: 'quotes with separators, line breaks and quotes in them',
    given: '@awa;"25000";"a;""b""\nc"',
    then: [{ recipient: '@awa', amount: 25_000, reference: 'a;"b"\nc' }],
  },
  { name: 'a quote that never ends', given: '@awa;5;"x', then: [{ recipient: '@awa', amount: 5, reference: 'x' }] },
  { name: 'too few cells', given: '@awa', then: [{ recipient: '@awa', amount: '' }] },
  {
    name: 'an amount with a comma, which is two cells, is no amount of its first digits',
    given: 'recipient,amount,reference\n@awa,25,000,PAIE\n@awa,"25000",PAIE,\n',
    then: [
      { recipient: '@awa', amount: '25,000', reference: '000' },
      { recipient: '@awa', amount: 25_000, reference: 'PAIE' },
    ],
  },
  {
    name: 'an amount with a comma, before a cell that may be its end',
    given: '@awa,25,000\n@awa,500,"001"\n@awa,"500",001\n@awa,500,01\n@awa,2500,001\n@awa,0,001',
    then: [
      { recipient: '@awa', amount: '25,000', reference: '000' },
      { recipient: '@awa', amount: 500, reference: '001' },
      { recipient: '@awa', amount: 500, reference: '001' },
      { recipient: '@awa', amount: 500, reference: '01' },
      { recipient: '@awa', amount: 2500, reference: '001' },
      { recipient: '@awa', amount: 0, reference: '001' },
    ],
  },
  {
    name: 'a reference of three digits behind a semicolon',
    given: '@awa;500;001',
    then: [{ recipient: '@awa', amount: 500, reference: '001' }],
  },
  { name: 'more cells than names with semicolons', given: 'tag;montant\n@awa;5;33', then: [{ recipient: '@awa', amount: 5 }] },
  { name: 'an unknown column is left out', given: 'tag;montant;âge\n@awa;5;33', then: [{ recipient: '@awa', amount: 5 }] },
]

describe('lines', () => {
  for (const { name, given, then } of ROWS) test(name, () => assert.deepEqual(linesOfCsv(given), then))
})

describe('rows of the spreadsheet', () => {
  test('each line knows its row and its text as typed, where rows are empty and cells have line breaks', () => {
    const text = 'tag;montant;âge;motif\r\n@awa;1 000;33;"a\nb"\r\n\r\n;;;\r\n+221 77-123.45 67;5;;\r\n'
    assert.deepEqual(readCsv(text), {
      lines: [
        { recipient: '@awa', amount: 1000, note: 'a\nb' },
        { recipient: '+221771234567', amount: 5 },
      ],
      source: [
        { number: 2, text: '@awa ; 1 000 ; 33 ; a\nb', amount: '1 000' },
        { number: 5, text: '+221 77-123.45 67 ; 5 ;  ; ', amount: '5' },
      ],
      unknownColumns: [{ name: 'âge', letter: 'C' }],
    })
  })

  test('the 28th column is AB', () => {
    const names = ['tag', 'montant', ...Array.from({ length: 25 }, () => ''), 'Matricule']
    assert.deepEqual(readCsv(names.join(';')).unknownColumns, [{ name: 'Matricule', letter: 'AB' }])
  })
})

describe('phones', () => {
  for (const [typed, recipient] of [
    ['+221 77 123 45 67', '+221771234567'],
    ["'+221771234567", '+221771234567'],
    ['+221\u00a077\u202f123-45-67', '+221771234567'],
    ['+1 (202) 555.0101', '+12025550101'],
    ['@awa', '@awa'],
    ['awa d', 'awa d'],
    ['221771234567', '221771234567'],
  ] as const) {
    test(`the recipient ${JSON.stringify(typed)}`, () => assert.equal(typedRecipient(typed), recipient))
  }
})

describe('amounts', () => {
  for (const [typed, amount] of [
    ['12500', 12_500],
    ['12 500', 12_500],
    ['12\u202f500\u00a0F\u00a0CFA', 12_500],
    ['12.500', 12_500],
    ['1,000,000', 1_000_000],
    ['12,50', '12,50'],
    ['12.5', '12.5'],
    ['12500 fcfa', 12_500],
    ['1500.50', '1500.50'],
    ['1500.000', '1500.000'],
    ['1.500,000', '1.500,000'],
    ['0.500', '0.500'],
    ['12 50', '12 50'],
    ['-5', '-5'],
    ['1e3', '1e3'],
    ['0x10', '0x10'],
    ['', ''],
  ] as const) {
    test(JSON.stringify(typed), () => assert.equal(amountOf(typed), amount))
  }
})

test('lines come back as they were, with any text in them', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab;,"\t \n\r@1é'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 6 }), (rows) => {
      const lines = linesOfCsv(rows.map((row) => row.join(';')).join('\n'))
      const text = csvOfLines(lines)
      assert.deepEqual(linesOfCsv(text), lines)
      assert.deepEqual(linesOfCsv(text.replaceAll('\n', '\r\n')), lines)
      for (let at = 0; at < lines.length; at++) assert.deepEqual(linesOfCsv(csvOfLines(lines.slice(at))), lines.slice(at))
    }),
  )
})

test('a file is read as spreadsheets write it, and a workbook is none', () => {
  const text = 'Bénéficiaire;Montant\n@awa;1000'
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le')
  for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`), Buffer.from(text, 'latin1'), utf16, Buffer.from(utf16).swap16()])
    assert.deepEqual(linesOfCsv(textOfFile(bytes) ?? ''), [{ recipient: '@awa', amount: 1000 }])
  for (const head of ['504b0304', 'd0cf11e0a1b11ae1']) assert.equal(textOfFile(Buffer.from(`${head}00000000`, 'hex')), null)
})

test('any bytes are a file of lines or none, and no line has more than the columns', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.constantFrom(...['"', '""', ';', '\n', '\r', '\ufeff', 'montant', 'Destinataire;', '@awa;5\n'].map((text) => Buffer.from(text))),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('', 'fffe', 'feff', 'efbbbf', '504b0304'), (pieces, head) => {
      const text = textOfFile(Buffer.concat([Buffer.from(head, 'hex'), ...pieces]))
      assert.equal(text === null, head === '504b0304')
      const { lines, source } = readCsv(text ?? '')
      assert.equal(source.length, lines.length)
      for (const line of lines) assert.ok(Object.keys(line).every((name) => ['recipient', 'amount', 'reference', 'note'].includes(name)))
    }),
    { numRuns: runs(2000) },
  )
})
