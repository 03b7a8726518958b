// Payment references: unique, without characters that are misread, and with a check of typing errors.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { isPaymentReference, paymentReference } from '../../../../engine/domain/cash-request/payment-reference.ts'

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const numbers = fc.integer({ min: 1, max: 27_000_000_000 })

it('payment references of different numbers differ', () => {
  const seen = new Set(Array.from({ length: 200_000 }, (_, number) => paymentReference(number + 1)))
  assert.equal(seen.size, 200_000)
})

it('a payment reference is eight characters that are not misread', () => {
  fc.assert(
    fc.property(numbers, (number) => {
      const text = paymentReference(number)
      assert.match(text, /^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/)
      assert.ok(isPaymentReference(text) && isPaymentReference(text.toLowerCase().replace('-', '')))
    }),
  )
})

it('one wrong character of a payment reference and two swapped ones are found', () => {
  const place = fc.integer({ min: 0, max: 7 })
  fc.assert(
    fc.property(numbers, place, fc.constantFrom(...ALPHABET), (number, index, other) => {
      const characters = Array.from(paymentReference(number).replace('-', ''))
      const wrong = characters.with(index, other)
      assert.equal(isPaymentReference(wrong.join('')), other === characters[index])
      const next = (index + 1) % 7
      const [one, two] = [characters[index] as string, characters[next] as string]
      if (index < 6) assert.equal(isPaymentReference(characters.with(index, two).with(next, one).join('')), one === two)
    }),
  )
})

it('text of another shape is no payment reference', () => {
  for (const text of ['', 'ABCD', 'ABCD-EFG', '0ABC-1234', 'ABCD-EFGHJ', 'ABCD EFGH']) assert.equal(isPaymentReference(text), false, text)
})
