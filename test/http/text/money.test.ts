// Amounts as people read and type them, by currency and language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CURRENCY_CODES, type Currency } from '../../../engine/kernel/currency.ts'
import { moneyInput, moneyText, typedMoney } from '../../../http/text/money.ts'

const shown: readonly (readonly [amount: number, currency: Currency, fr: string, en: string])[] = [
  [5000, 'XOF', '5\u202f000\u00a0F\u00a0CFA', '5,000\u00a0F\u00a0CFA'],
  [-5000, 'XOF', '\u22125\u202f000\u00a0F\u00a0CFA', '\u22125,000\u00a0F\u00a0CFA'],
  [1250, 'GHS', '12,50\u00a0GH₵', '12.50\u00a0GH₵'],
  [5, 'GHS', '0,05\u00a0GH₵', '0.05\u00a0GH₵'],
  [123_456_789, 'EUR', '1\u202f234\u202f567,89\u00a0€', '1,234,567.89\u00a0€'],
]

for (const [amount, currency, fr, en] of shown) {
  test(`${amount} of ${currency} is shown in the form of each language`, () => {
    assert.deepEqual([moneyText(amount, currency, 'fr'), moneyText(amount, currency, 'en')], [fr, en])
  })
}

const typed: readonly (readonly [typed: string, currency: Currency, amount: number | null])[] = [
  ['12 500 F CFA', 'XOF', 12_500],
  ['12.500', 'XOF', 12_500],
  ['12,50', 'XOF', null],
  ['12,50', 'GHS', 1250],
  ['12.5', 'GHS', 1250],
  ['12', 'GHS', 1200],
  ['12,50 GH₵', 'GHS', 1250],
  ['1 234,50 ghs', 'GHS', 123_450],
  ['1.234,50', 'GHS', 123_450],
  ['1,234.50', 'GHS', 123_450],
  ['1,234', 'GHS', null],
  ['12,505', 'GHS', null],
  ['12,', 'GHS', null],
  ['1.234.50', 'GHS', null],
  ['-5', 'GHS', null],
  ['', 'GHS', null],
]

for (const [text, currency, amount] of typed) {
  test(`"${text}" of ${currency} is typed for ${amount}`, () => assert.equal(typedMoney(text, currency), amount))
}

test('an amount that was shown in a form, or on a French page, is typed again as the same amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e12 }), fc.constantFrom(...CURRENCY_CODES), (amount, currency) => {
      assert.equal(typedMoney(moneyInput(amount, currency), currency), amount)
      assert.equal(typedMoney(moneyText(amount, currency, 'fr'), currency), amount)
    }),
  )
})
