// Packages of a product through the text of its form: every package that the API takes comes back as it was.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Product } from '../../../../../engine/contract/biller-product.ts'
import { isText } from '../../../../../engine/contract/schema.ts'
import { AMOUNT_MAX } from '../../../../../engine/kernel/amount.ts'
import { packageLines, packagesOf, packagesSent, type TypedPackage } from '../../../../../http/pages/dashboard/products/package-lines.ts'

const ROWS: readonly { readonly name: string; readonly given: string; readonly then: readonly object[] }[] = [
  { name: 'nothing', given: ' \r\n\n', then: [] },
  { name: 'a new one', given: 'Formule 1 ; 1 000\r\n', then: [{ label: 'Formule 1', amount: 1000 }] },
  { name: 'one with its id', given: 'Formule 1;1000;a', then: [{ label: 'Formule 1', amount: 1000, id: 'a' }] },
  { name: 'an id left empty', given: 'Formule 1;1000;', then: [{ label: 'Formule 1', amount: 1000 }] },
  { name: 'a semicolon in the name', given: 'Forfait;500;1000;a', then: [{ label: 'Forfait;500', amount: 1000, id: 'a' }] },
  { name: 'a name in quotes', given: '"Forfait;500";1000', then: [{ label: 'Forfait;500', amount: 1000 }] },
  { name: 'quotes that are words', given: '"Gros" forfait;1000', then: [{ label: '"Gros" forfait', amount: 1000 }] },
  { name: 'no name', given: ';1000;a', then: [{ label: '', amount: 1000, id: 'a' }] },
  { name: 'no amount', given: 'Forfait', then: [{ label: 'Forfait', amount: '' }] },
]

describe('lines', () => {
  for (const { name, given, then } of ROWS) test(name, () => assert.deepEqual(packagesOf(given, 'XOF'), then))
})

describe('ids', () => {
  test('a package without an id is sent with one from its name, which no other has', () => {
    const sent = packagesSent('Pass été;500\nPass été;700\nGros;900;pass_ete\n★;5\n;5', 'XOF')
    assert.deepEqual(
      sent.map(({ id }) => id),
      ['pass_ete_2', 'pass_ete_3', 'pass_ete', 'formule', undefined],
    )
  })
})

describe('packages', () => {
  const sign = fc.oneof(
    fc.constantFrom(';', '"', ' ', '\u00a0', '\u2028', '\ufeff', '5'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  )
  const words = fc.array(sign, { minLength: 1, maxLength: 12 }).map((signs) => signs.join(''))
  const taken = words.filter((text) => isText(text, 'one', 64) && text.trim() !== '')
  const packages = fc.array(
    fc.record({ id: taken, label: taken, amount: fc.integer({ min: 1, max: AMOUNT_MAX }) }, { noNullPrototype: true }),
    { maxLength: 5 },
  )

  test('packages come back from their lines as they were, with decimals or without', () => {
    const back = (sent: Product['packages'], currency: string): TypedPackage[] =>
      packagesOf(packageLines(sent, currency).replaceAll('\n', '\r\n'), currency)
    for (const currency of ['XOF', 'GHS']) fc.assert(fc.property(packages, (sent) => assert.deepEqual(back(sent, currency), sent)))
  })
})
