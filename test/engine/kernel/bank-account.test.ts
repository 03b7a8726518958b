// Check digits of bank accounts: examples of the IBAN registry (SWIFT), whose UEMOA rows hold a RIB each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankAccount } from '../../../engine/kernel/bank-account.ts'

const UEMOA = [
  'SN08SN0100152000048500003035',
  'CI93CI0080111301134291200589',
  'BJ66BJ0610100100144390000769',
  'ML13ML0160120102600100668497',
  'BF42BF0840101300463574000390',
  'TG53TG0090604310346500400070',
  'NE58NE0380100100130305000268',
]

test('an IBAN and the RIB in it are taken, with blanks, dashes and small letters', () => {
  for (const iban of [...UEMOA, 'FR1420041010050500013M02606', 'DE89370400440532013000']) {
    assert.equal(bankAccount(iban), iban)
    assert.equal(bankAccount(` ${iban.toLowerCase().replaceAll(/(.{4})/g, '$1 ')}`), iban)
  }
  for (const iban of UEMOA) {
    const rib = iban.slice(4)
    assert.equal(bankAccount(rib), rib)
    assert.equal(bankAccount(`${rib.slice(0, 5)}-${rib.slice(5, 10)}-${rib.slice(10, 22)}-${rib.slice(22)}`), rib)
  }
})

test('an account with one other digit or two swapped ones is refused, and so is any other text', () => {
  for (const account of [...UEMOA, ...UEMOA.map((iban) => iban.slice(4))]) {
    const at = account.length - 6
    const other = account.slice(0, at) + ((Number(account[at]) + 1) % 10) + account.slice(at + 1)
    assert.equal(bankAccount(other), null, other)
  }
  assert.equal(bankAccount('SN08SN0100152000048500003053'), null)
  for (const text of ['', 'SN', '12345', '+221770000012', 'SN08SN01001520000485000030350', 'FR010100152000048500003035', '٣'.repeat(24)]) {
    assert.equal(bankAccount(text), null, text)
  }
})
