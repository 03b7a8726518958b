// Who receives a payment, with so many wallets that their names are cached.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Wallet, Wallets } from '../../../../engine/domain/wallet/wallet-state.ts'
import { NAMES_CACHED_FROM } from '../../../../engine/kernel/limits.ts'

function walletOf(number: number): Wallet {
  const digits = String(number).padStart(7, '0')
  return {
    account: number,
    id: `u${number}`,
    phone: `+22177${digits}`,
    tag: `w${digits}`,
    family_name: 'A',
    given_name: 'B',
    blocked: false,
  }
}

test('a recipient is the account of its wallet, also after the wallet was blocked and unblocked, and in its environment alone', () => {
  const wallets = new Wallets()
  for (let number = 0; number <= NAMES_CACHED_FROM; number++) wallets.set(walletOf(number))
  const { tag, phone } = walletOf(40)
  for (let round = 0; round < 2; round++) {
    for (const number of [0, 40, NAMES_CACHED_FROM]) assert.equal(wallets.payeeOf('live', walletOf(number).tag), number)
    assert.equal(wallets.payeeOf('live', phone), 40)
    assert.equal(wallets.payeeOf('test', tag), 'recipient_not_found')
    wallets.set({ ...walletOf(40), blocked: true })
    assert.deepEqual([wallets.payeeOf('live', tag), wallets.payeeOf('live', phone)], ['recipient_blocked', 'recipient_blocked'])
    wallets.set(walletOf(40))
    assert.equal(wallets.payeeOf('live', tag), 40)
  }
  assert.equal(wallets.payeeOf('live', 'unknown'), 'recipient_not_found')
})
