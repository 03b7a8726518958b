// The order of contacts in an account across changes and a restored snapshot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contact, ContactBook, type ContactRow } from '../../../../engine/domain/contact/contact-state.ts'

function row(position: number, groups: readonly string[] = ['a'], recipient = `wallet_${position}`): ContactRow {
  return { account: 1, position, contact: { id: `id_${position}`, recipient, groups } as unknown as Contact }
}

const positions = (rows: Iterable<ContactRow>): number[] => [...rows].map(({ position }) => position)

test('contacts are listed newest first and paid oldest first, in whichever order a snapshot restores them', () => {
  const book = new ContactBook()
  for (const position of [30, 10, 20]) book.place(row(position), undefined)
  assert.deepEqual(positions(book.below(31)), [30, 20, 10])
  assert.deepEqual(positions(book.below(30)), [20, 10])
  assert.deepEqual(
    book.ofGroup('a').map(({ id }) => id),
    ['id_10', 'id_20', 'id_30'],
  )
})

test('a contact that is replaced keeps its place and gives its recipient free', () => {
  const book = new ContactBook()
  const [first, second] = [row(1), row(2)]
  book.place(first, undefined)
  book.place(second, undefined)
  book.place(row(1, ['b'], 'other'), first)
  assert.deepEqual(positions(book.below(3)), [2, 1])
  assert.equal(book.byRecipient('wallet_1'), undefined)
  assert.equal(book.byRecipient('other')?.position, 1)
  assert.deepEqual(
    book.ofGroup('a').map(({ id }) => id),
    ['id_2'],
  )
  book.place(undefined, second)
  assert.deepEqual(positions(book.below(3)), [1])
  assert.equal(book.byRecipient('wallet_2'), undefined)
})
