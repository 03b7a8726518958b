// Payment files of a currency with decimals: people write major units and show it, programs write digits alone in the smallest unit. A
// file is read at one of the two doors at most, and as it was written.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { CURRENCY_CODES, decimalsOf, KNOWN_CURRENCIES } from '../../../../engine/kernel/currency.ts'
import { type FileUnit, writtenAmount } from '../../../../http/client/src/payment-file/file-amount.ts'
import { FILE_CURRENCIES } from '../../../../http/client/src/payment-file/file-currency.ts'
import { isUnreadable, type PaymentLine, readPaymentFile } from '../../../../http/client/src/payment-file/payment-file.ts'
import { lineProblemText, paymentFileText } from '../../../../http/client/src/payment-file/payment-file-text.ts'
import { runs } from '../../../support/property-runs.ts'

function lines(text: string, unit: FileUnit = 'major', currency = 'GHS'): readonly PaymentLine[] {
  const file = readPaymentFile(text, { currency, unit })
  assert.ok(!isUnreadable(file), text)
  return file.lines
}

function amounts(text: string, unit: FileUnit = 'major', currency = 'GHS'): readonly (number | string)[] {
  return lines(text, unit, currency).map(({ amount, problem }) => problem?.code ?? amount ?? '')
}

describe('an amount of a currency with decimals', () => {
  for (const [cell, then] of [
    ...['12.00', '12,00', '12,0', '12 GHS', 'GHS 12', 'GH₵12.00', '12,00 GH₵', '12.00\u00a0₵'].map((one) => [one, 1200] as const),
    ...['12,5', '12.50'].map((one) => [one, 1250] as const),
    ['0,05', 5],
    ['0.5', 50],
    ...['1.234,50', '1,234.50', '1 234,50', '1\u202f234,5', '1234.50', '1 234.50 GHS'].map((one) => [one, 123_450] as const),
    ['1,234,567.89', 123_456_789],
    ['1,234,567 GHS', 123_456_700],
    ...['1,234', '1.234', '1234,567', '1 234,567', '0.500'].map((one) => [one, 'amount_two_readings'] as const),
    ...['12', '1500', '1 500', '1,234,567'].map((one) => [one, 'amount_without_unit'] as const),
    ...['12,3456', '1.2.3', '12,5,0', '1,23,45', 'douze', '12 XOF', '12 F CFA', '012', '1e3'].map(
      (one) => [one, 'amount_invalid'] as const,
    ),
    ...['0', '0,00'].map((one) => [one, 'amount_zero'] as const),
    ...['-12,00', '(12.00)'].map((one) => [one, 'amount_negative'] as const),
    ['99999999999999,00', 'amount_too_large'],
  ] as const) {
    it(`${JSON.stringify(cell)} is ${then} alone in a file`, () => assert.deepEqual(amounts(`tag;montant\n@a;"${cell}"`), [then]))
  }

  it('is whole in major units where the file shows that they are', () => {
    assert.deepEqual(amounts('tag;montant\n@a;1500\n@b;12,50'), [150_000, 1250])
    for (const name of ['montant (GHS)', 'Amount (ghs)', 'MONTANT (GH₵)'])
      assert.deepEqual(amounts(`tag;${name}\n@a;1500\n@b;1 500`), [150_000, 150_000])
  })

  it('has another currency in the name of its column: the file is refused', () => {
    for (const [name, currency] of [
      ['montant (XOF)', 'GHS'],
      ['montant (F CFA)', 'GHS'],
      ['montant (GHS)', 'XOF'],
    ] as const)
      assert.ok(isUnreadable(readPaymentFile(`tag;${name}\n@a;5`, { currency })))
  })

  it('is refused where a comma may have split it off', () => {
    const head = 'recipient,amount,reference\n@z,1.00,\n'
    for (const [row, then] of [
      ['@a,12,50', 'amount_two_readings'],
      ['@a,12,5', 'amount_two_readings'],
      ['@a,1500,50', 'amount_two_readings'],
      ['@a,1,234.50', 'amount_two_readings'],
      ['@a,GHS 12,50', 'amount_two_readings'],
      ['@a,"12,50",7', 1250],
      ['@a,12.50,7', 1250],
      ['@a,12,"50"', 1200],
      ['@a,12,R50', 1200],
    ] as const)
      assert.equal(amounts(head + row)[1], then, row)
    assert.equal(amounts('ref,montant,tag\n1001,50,@a\nR,1.00,@b')[0], 'amount_two_readings')
    assert.equal(amounts('recipient,amount\n@b,1.00\n+233241234567,50')[1], 5000)
  })

  it('is in the smallest unit for programs, whose files show no major unit', () => {
    assert.deepEqual(amounts('tag;montant\n@a;1250\n@b;25 000', 'smallest'), [1250, 25_000])
    assert.deepEqual(amounts('tag;montant\n@a;1250\n@b;12,50', 'smallest'), ['amount_without_unit', 'amount_not_smallest'])
    assert.deepEqual(amounts('tag;montant (GHS)\n@a;1250', 'smallest'), ['amount_without_unit'])
  })

  it('names both readings, and what to write instead', () => {
    const text = (file: string, unit: FileUnit, language: 'fr' | 'en'): string => {
      const problem = lines(file, unit)[0]?.problem ?? null
      return problem === null ? '' : lineProblemText(problem, language)
    }
    const whole = 'tag;montant\n@a;1500'
    assert.equal(
      text(whole, 'major', 'fr'),
      'le montant « 1500 » se lit 1500,00 ou 15,00 : écrivez-le avec ses décimales, ou nommez la colonne « montant (GHS) »',
    )
    assert.equal(
      text(`${whole}\n@b;1,50`, 'smallest', 'en'),
      'the amount "1500" can be read as 1500,00 or 15,00: write each amount of the file in digits alone, in the smallest unit of GHS',
    )
    assert.match(text('tag;montant\n@a;1,234', 'major', 'fr'), /se lit 1 234 ou 1,234 :/)
    for (const cell of ['12,3456', '12 XOF']) assert.match(text(`tag;montant\n@a;"${cell}"`, 'major', 'fr'), /n’est pas un montant en GHS/)
  })
})

describe('payment files of each currency', () => {
  it('know the currencies of the service, with their decimals and symbols', () => {
    assert.deepEqual(Object.keys(FILE_CURRENCIES), CURRENCY_CODES)
    for (const currency of CURRENCY_CODES) {
      assert.equal(FILE_CURRENCIES[currency].decimals, decimalsOf(currency))
      assert.deepEqual(amounts(`tag;montant\n@a;5,00 ${KNOWN_CURRENCIES[currency].symbol}`, 'major', currency), [
        5 * 10 ** decimalsOf(currency),
      ])
    }
    assert.throws(() => readPaymentFile('', { currency: 'JPY' }), TypeError)
  })

  const AMOUNT = fc.oneof(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 1, max: 200_000 }))

  it('come back as the amounts that were written, in both languages', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CURRENCY_CODES),
        fc.constantFrom('fr', 'en'),
        fc.array(AMOUNT, { minLength: 1 }),
        (currency, language, all) => {
          const typed = all.map((amount, at) => ({
            ...{ recipient: `@w${at}`, amount: writtenAmount(amount, currency, language), reference: '7', note: '' },
          }))
          assert.deepEqual(amounts(paymentFileText(typed, language), 'major', currency), all)
        },
      ),
      { numRuns: runs(500) },
    )
  })

  /** How people and programs write amounts: thousands, decimals, and what stands around. */
  const SHOWN = fc.record({
    currency: fc.constantFrom('XOF', 'GNF', 'GHS', 'EUR'),
    thousands: fc.constantFrom('', ' ', '\u202f', ',', '.'),
    decimals: fc.constantFrom('', ',', '.'),
    places: fc.constantFrom(1, 2),
    around: fc.constantFrom('none', 'code', 'symbol'),
    column: fc.constantFrom('montant', 'montant (code)'),
    separator: fc.constantFrom(';', ',', '\t'),
    isQuoted: fc.boolean(),
  })
  type Shown = typeof SHOWN extends fc.Arbitrary<infer Value> ? Value : never

  /** The text of an amount, what it says in major units, and its digits without decimals. */
  function shownAs(
    amount: number,
    { currency, thousands, decimals, places, around }: Shown,
  ): { text: string; said: number; whole: number } {
    const unit = 10 ** decimalsOf(currency)
    const whole = Math.floor(amount / unit)
    const rest = String(amount % unit)
      .padStart(decimalsOf(currency), '0')
      .padEnd(2, '0')
      .slice(0, places)
    const behind = unit === 1 ? '0'.repeat(places) : rest
    const names = { none: '', code: ` ${currency}`, symbol: ` ${KNOWN_CURRENCIES[currency].symbol}` }
    const text = `${String(whole).replace(/\B(?=(?:\d{3})+$)/g, thousands)}${decimals === '' ? '' : decimals + behind}${names[around]}`
    return { text, whole, said: whole * unit + (decimals === '' || unit === 1 ? 0 : Number(rest.padEnd(2, '0'))) }
  }

  it('are read as they were written or refused, at one of the two doors at most', () => {
    const read = { major: 0, smallest: 0 }
    fc.assert(
      fc.property(fc.array(AMOUNT, { minLength: 1, maxLength: 4 }), SHOWN, (all, shown) => {
        const { currency, column, separator, isQuoted } = shown
        const written = all.map((amount) => shownAs(amount, shown))
        const cell = (text: string): string => (isQuoted || text.includes(separator) ? `"${text}"` : text)
        const names = `tag${separator}${column.replace('code', currency)}`
        const file = [names, ...written.map(({ text }) => `@a${separator}${cell(text)}`)].join('\n')
        const found = { major: amounts(file, 'major', currency), smallest: amounts(file, 'smallest', currency) }
        const isRead = (unit: FileUnit): boolean => found[unit].some((amount) => typeof amount === 'number')
        assert.ok(decimalsOf(currency) === 0 || !isRead('major') || !isRead('smallest'), file)
        for (const unit of ['major', 'smallest'] as const) {
          for (const [at, amount] of found[unit].entries()) {
            if (typeof amount !== 'number') continue
            read[unit]++
            const isDigits = unit === 'smallest' && decimalsOf(currency) > 0
            assert.equal(amount, isDigits ? written[at]?.whole : written[at]?.said, file)
          }
        }
      }),
      { numRuns: runs(3000) },
    )
    assert.ok(read.major > 1000 && read.smallest > 300, JSON.stringify(read))
  })
})
