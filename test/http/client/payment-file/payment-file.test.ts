// The reader of payment files: what one reading has is read, and what has two is a problem of its line or of the file.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  isUnreadable,
  type PaymentFileOptions,
  type PaymentLine,
  readPaymentFile,
} from '../../../../http/client/src/payment-file/payment-file.ts'
import { fileProblemText, lineProblemText } from '../../../../http/client/src/payment-file/payment-file-text.ts'

const SENEGAL: PaymentFileOptions = { currency: 'XOF', callingCode: '221' }

/** A line in short: recipient, amount or the code of its problem, and texts that are not empty. */
function short({ recipient, amount, problem, reference, note }: PaymentLine): readonly (string | number)[] {
  return [recipient, problem?.code ?? amount ?? '', ...(note === '' ? (reference === '' ? [] : [reference]) : [reference, note])]
}

function read(text: string, options: PaymentFileOptions = SENEGAL): readonly (readonly (string | number)[])[] | string {
  const file = readPaymentFile(text, options)
  return isUnreadable(file) ? file.problem.code : file.lines.map(short)
}

const AWA = ['@awa', 25_000, 'PAIE', 'Août']

const FILES: readonly { readonly name: string; readonly given: string; readonly then: ReturnType<typeof read> }[] = [
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
  {
    name: 'names in capitals, with blanks, signs and a currency',
    given: ' TÉLÉPHONE ;Montant (F CFA)\n+221 77 123 45 67;5',
    then: [['+221771234567', 5]],
  },
  { name: 'a line `sep=` and titles above the names', given: 'sep=;\nSalaires;;\n\nDestinataire;Montant\n@awa;5', then: [['@awa', 5]] },
  { name: 'a separator that is not known', given: 'sep=|\ntag|montant\n@awa|5', then: 'separator' },
  { name: 'one known name of three', given: 'Nom;Téléphone;Salaire\nawa;771234567;25000', then: 'columns' },
  { name: 'a name twice', given: 'destinataire;montant;montant\nawa;5;6', then: 'columns' },
  { name: 'two names of the recipient', given: 'telephone;tag;montant\n771234567;awa;5', then: 'columns' },
  { name: 'a further column', given: 'tag;montant;âge\n@awa;5;33', then: 'columns' },
  { name: 'a column that is missing', given: 'tag;référence\n@awa;5', then: 'columns' },
  { name: 'names that say nothing', given: 'nom;somme\nawa;5', then: 'columns' },
  { name: 'names in other words', given: 'who,how much\nawa,5', then: 'columns' },
  { name: 'names below a payment', given: '@awa;5\ntag;montant\n@kofi;6', then: 'columns_not_first' },
  { name: 'empty names over empty cells', given: 'recipient,amount,,\n@awa,5,,', then: [['@awa', 5]] },
  { name: 'a cell without a name', given: 'recipient,amount,,\n@awa,5,,x', then: [['@awa', 'too_many_cells']] },
  {
    name: 'a row that is longer than the names',
    given: 'tag;montant\n@awa;5;33\n@kofi;6',
    then: [
      ['@awa', 'too_many_cells'],
      ['@kofi', 6],
    ],
  },
  { name: 'an open quote', given: '@awa;5;"x\n@kofi;6\n', then: 'open_quote' },
  { name: 'a quote in the middle of a quoted cell', given: '@awa;5;"x"y\n@kofi;6\n', then: 'malformed_quote' },
  {
    name: 'a quote in the middle of a cell',
    given: '@awa;5;écran 5"\n@kofi;6',
    then: [
      ['@awa', 5, 'écran 5"'],
      ['@kofi', 6],
    ],
  },
  { name: 'a blank before a quote', given: '@awa;5; "a;b"', then: [['@awa', 'blank_before_quote', '"a', 'b"']] },
  {
    name: 'quotes with separators, line breaks and quotes in them',
    given: '@awa;"25000";"a;""b""\nc"',
    then: [['@awa', 25_000, 'a;"b"\nc']],
  },
  { name: 'too few cells', given: '@awa', then: [['@awa', 'amount_missing']] },
  {
    name: 'an amount that a comma splits, before a reference',
    given: 'recipient,amount,reference\n@awa,500,001',
    then: [['@awa', 'amount_two_readings', '001']],
  },
  {
    name: 'an amount that a comma may have split, and those that it has not',
    given: '@awa,25,000\n@awa,500,"001"\n@awa,"500",001\n@awa,500,01\n@awa,2500,001\n@awa,0,001\n@awa,1,500,000\n@awa,25,000.00',
    then: [
      ['@awa', 'amount_two_readings', '000'],
      ['@awa', 500, '001'],
      ['@awa', 500, '001'],
      ['@awa', 500, '01'],
      ['@awa', 2500, '001'],
      ['@awa', 'amount_zero', '001'],
      ['@awa', 'amount_two_readings', '500', '000'],
      ['@awa', 'amount_two_readings', '000.00'],
    ],
  },
  {
    name: 'an amount that a comma splits behind another column',
    given: 'tag,ref,montant\n@awa,25,500\n@awa,R,500',
    then: [
      ['@awa', 'amount_two_readings', '25'],
      ['@awa', 500, 'R'],
    ],
  },
  {
    name: 'an amount with its currency that a comma splits',
    given: 'recipient,amount,reference\n@awa,1,000 F,\n@awa,XOF 1,000,\n@awa,1,000.000 F CFA,\n@awa,500 F,R 1',
    then: [
      ['@awa', 'amount_two_readings', '000 F'],
      ['@awa', 'amount_two_readings', '000'],
      ['@awa', 'amount_two_readings', '000.000 F CFA'],
      ['@awa', 500, 'R 1'],
    ],
  },
  { name: 'a reference of three digits behind a semicolon', given: '@awa;500;001', then: [['@awa', 500, '001']] },
  {
    name: 'a phone where the amount would be, without names',
    given: 'awa;771234567;25000',
    then: [['awa', 'amount_maybe_phone', '25000']],
  },
  { name: 'a large amount under its name', given: 'tag;montant\nawa;771234567', then: [['awa', 771_234_567]] },
  {
    name: 'a row with the total',
    given: 'tag;montant\n@awa;5\nTotal;5\nTOTAL GÉNÉRAL;5\n@total;5',
    then: [
      ['@awa', 5],
      ['Total', 'recipient_total'],
      ['TOTAL GÉNÉRAL', 'recipient_total'],
      ['@total', 5],
    ],
  },
]

describe('files', () => {
  for (const { name, given, then } of FILES) test(`${name}: read as meant, or refused`, () => assert.deepEqual(read(given), then))

  test('a file that must name its columns is refused without names', () => {
    assert.equal(read('@awa;5', { currency: 'XOF', needsNames: true }), 'columns_missing')
    assert.deepEqual(read('montant,destinataire\n5,@awa', { currency: 'XOF', needsNames: true }), [['@awa', 5]])
  })

  test('a refusal of columns says what was read', () => {
    const file = readPaymentFile('Nom;Téléphone;Salaire\nawa;771234567;25000', SENEGAL)
    assert.ok(isUnreadable(file))
    const said = 'Ligne 1 : colonne inconnue : Nom. Lu : A « Nom », B « Téléphone » = destinataire, C « Salaire » = montant. '
    assert.equal(fileProblemText(file.problem, 'fr').slice(0, said.length), said)
    assert.match(
      fileProblemText(file.problem, 'en'),
      /^Row 1: unknown column: Nom\. Read: A "Nom", B "Téléphone" = recipient, C "Salaire" = amount\./,
    )
  })

  test('each line knows its row, its line and its text, where rows are empty and cells have line breaks', () => {
    const file = readPaymentFile('tag;montant;motif\r\n@awa;1 000;"a\nb"\r\n\r\n;;\r\n77-123.45 67;5;;\r\n', SENEGAL)
    assert.ok(!isUnreadable(file))
    assert.deepEqual(
      file.lines.map(({ row, line, typed, isCompleted }) => [row, line, typed.recipient, typed.amount, isCompleted]),
      [
        [2, 2, '@awa', '1 000', false],
        [5, 6, '77-123.45 67', '5', true],
      ],
    )
    assert.deepEqual(file.columns, [
      { letter: 'A', name: 'tag', column: 'recipient' },
      { letter: 'B', name: 'montant', column: 'amount' },
      { letter: 'C', name: 'motif', column: 'note' },
    ])
  })

  test('the 28th column is AB', () => {
    const file = readPaymentFile(['tag', 'montant', ...Array.from({ length: 25 }, () => ''), 'Matricule'].join(';'), SENEGAL)
    assert.ok(isUnreadable(file) && file.problem.code === 'columns')
    assert.deepEqual(file.problem.read.at(-1), { letter: 'AB', name: 'Matricule', column: null })
  })
})

describe('amounts', () => {
  const amountOf = (cell: string) => read(`tag;montant\n@a;"${cell}"`)[0]?.[1]
  for (const [cell, amount] of [
    ...['25000', '25 000', '25\u00a0000', '25\u202f000', '25 000,00', '25000.00', '25000,0', '25,000.00', '25.000,00'].map(
      (one) => [one, 25_000] as const,
    ),
    ...['25 000 F CFA', '25\u202f000\u00a0F\u00a0CFA', '25000 fcfa', '25000 F', 'XOF 25000', '25 000 XOF', 'F CFA 25 000'].map(
      (one) => [one, 25_000] as const,
    ),
    ['1,000,000', 1_000_000],
    ['1.000.000,00', 1_000_000],
    ['25.000', 'amount_two_readings'],
    ['1,500', 'amount_two_readings'],
    ['500,001', 'amount_two_readings'],
    ['1500,000', 'amount_two_readings'],
    ['25 000,000', 'amount_two_readings'],
    ['0.500', 'amount_two_readings'],
    ['12,50', 'amount_not_whole'],
    ['12.5', 'amount_not_whole'],
    ['70 000,01', 'amount_not_whole'],
    ['-5', 'amount_negative'],
    ['\u22125', 'amount_negative'],
    ['(5)', 'amount_negative'],
    ['0', 'amount_zero'],
    ['0,00', 'amount_zero'],
    ['', 'amount_missing'],
    ...[
      '1.500,000',
      '1,500.000',
      '1.5.00',
      '12 50',
      '0500',
      '1e3',
      '2,5E+4',
      '0x10',
      '٥٠٠',
      '5 000 000 USD',
      '25000 ou 30000',
      '25’000',
      '+5',
    ].map((one) => [one, 'amount_invalid'] as const),
    ['1000000000000000', 'amount_too_large'],
  ] as const) {
    test(`an amount ${JSON.stringify(cell)} is ${amount}`, () => assert.equal(amountOf(cell), amount))
  }

  test('an amount with two readings names both', () => {
    for (const [cell, fr] of [
      ['25.000', 'le montant « 25.000 » se lit 25 000 ou 25 :'],
      ['1,500', 'le montant « 1,500 » se lit 1 500 ou 1,5 :'],
      ['500,001', 'le montant « 500,001 » se lit 500 001 ou 500,001 :'],
    ] as const) {
      const file = readPaymentFile(`tag;montant\n@a;${cell}`, SENEGAL)
      assert.ok(!isUnreadable(file))
      const problem = file.lines[0]?.problem ?? null
      assert.ok(problem !== null)
      assert.equal(lineProblemText(problem, 'fr').slice(0, fr.length), fr)
    }
  })
})

describe('recipients', () => {
  for (const [cell, callingCode, recipient] of [
    ['+221 77 123 45 67', null, '+221771234567'],
    ["'+221771234567", null, '+221771234567'],
    ['\u202a+221\u00a077\u202f123-45-67\u202c', null, '+221771234567'],
    ['+1 (202) 555.0101', null, '+12025550101'],
    ["'@awa", null, '@awa'],
    ['awa d', '221', 'awa d'],
    ['1234567', '221', '1234567'],
    ['77 123 45 67', '221', '+221771234567'],
    ['221771234567', '221', '+221771234567'],
    ['00221771234567', '225', '+221771234567'],
    ['2250090000102', '221', '+2250090000102'],
    ['07 07 12 34 56', '225', '+2250707123456'],
    ['0241234567', '233', '+233241234567'],
    ['221771234567', '', '+221771234567'],
    ['77 123 45 67', '', 'recipient_without_country'],
    ['77 123 45 67', null, 'recipient_without_country'],
    ['221771234567', null, 'recipient_without_country'],
    ['7712345678901234', '221', 'recipient_without_country'],
    ['2201234567', '225', 'recipient_two_readings'],
    ['2,21772E+11', '221', 'recipient_rounded'],
    ['2.21771E+11', '221', 'recipient_rounded'],
    ['', '221', 'recipient_missing'],
  ] as const) {
    test(`a recipient ${JSON.stringify(cell)} of a merchant in ${callingCode === null ? 'a country that no one gave' : callingCode || 'an unknown country'} is ${recipient || 'missing'}`, () => {
      const file = readPaymentFile(`montant;tag\n5;"${cell}"`, { currency: 'XOF', callingCode })
      assert.ok(!isUnreadable(file))
      assert.equal(file.lines[0]?.problem?.code ?? file.lines[0]?.recipient, recipient)
    })
  }
})
