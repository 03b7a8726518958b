// Short ways to the commands that most rows need, sent to an engine fixture.
import assert from 'node:assert/strict'
import type { Caller } from '../../engine/contract/created-by.ts'
import type { Command } from '../../engine/domain/command.ts'
import type { Deposit, FundingTarget, Withdraw } from '../../engine/domain/funding/funding-decide.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { EngineFixture } from './engine-fixture.ts'

/** A member of a merchant, as the maker of a record. */
export const MEMBER: Caller = { kind: 'member', id: '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0e', name: 'awa@boutique.example' }

export function createMerchant(name: string): Command {
  return { type: 'CreateMerchant', name, email: `${name}@example.com`, currency: 'XOF' }
}

export function deposit(target: FundingTarget, amount: number, environment: Environment = 'test', reference = ''): Deposit {
  return { type: 'Deposit', target, environment, amount, reference, by: 'operator' }
}

export function withdraw(target: FundingTarget, amount: number, environment: Environment = 'test', reference = ''): Withdraw {
  return { type: 'Withdraw', target, environment, amount, reference, by: 'operator' }
}

export function payout(merchant: AccountNumber, recipient: string, amount: number, reference = '', note = ''): Command {
  return { type: 'CreatePayout', merchant, recipient, amount, reference, note }
}

export function testWallet(tag: string): Command {
  return { type: 'CreateTestWallet', tag }
}

export function liveWallet(phone: string, tag: string): Command {
  return { type: 'CreateWallet', phone, tag, familyName: 'Diallo', givenName: 'Awa' }
}

export interface KnownMerchant {
  readonly id: string
  readonly live: AccountNumber
  readonly test: AccountNumber
}

/** A merchant with this much on its test account. */
export function openMerchant(fixture: EngineFixture, name: string, amount = 0): KnownMerchant {
  const { kind, body } = fixture.do(createMerchant(name))
  assert.equal(kind, 'created')
  const { id } = JSON.parse(body) as { id: string }
  const merchant = fixture.state.merchants.merchants.get(id)
  assert.ok(merchant !== undefined)
  if (amount > 0) assert.equal(fixture.do(deposit({ merchantId: id }, amount)).kind, 'created')
  return { id, ...merchant.accounts }
}

/** Account of a new test wallet. */
export function openWallet(fixture: EngineFixture, tag: string): AccountNumber {
  assert.equal(fixture.do(testWallet(tag)).kind, 'created')
  const wallet = fixture.state.wallets.byTag('test', tag)
  assert.ok(wallet !== undefined)
  return wallet.account
}

/** Account of a new live wallet. */
export function openLiveWallet(fixture: EngineFixture, phone: string, tag: string): AccountNumber {
  assert.equal(fixture.do(liveWallet(phone, tag)).kind, 'created')
  const wallet = fixture.state.wallets.byTag('live', tag)
  assert.ok(wallet !== undefined)
  return wallet.account
}

/** Who makes charges and payment links. */
export const CALLER = { kind: 'key', id: '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e00', name: 'Site' } as const
