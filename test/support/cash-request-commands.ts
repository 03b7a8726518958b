// Commands of top-ups and withdrawals, sent to an engine fixture.
import assert from 'node:assert/strict'
import type { CashRequestKind, CommandOf } from '../../engine/api.ts'
import type { Command } from '../../engine/domain/command.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { type KnownMerchant, openMerchant } from './commands.ts'
import { EngineFixture, type EngineFixtureParts } from './engine-fixture.ts'

export const DESTINATION = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' } as const

export function requestTopUp(merchant: AccountNumber, amount: number, reference = ''): Command {
  return { type: 'RequestTopUp', merchant, amount, reference, instructions: 'Virement à Cauri' }
}

export function requestWithdrawal(merchant: AccountNumber, amount: number, reference = ''): Command {
  return { type: 'RequestWithdrawal', merchant, amount, destination: DESTINATION, accountId: null, reference }
}

export function confirmTopUp(id: string, more: Partial<CommandOf<'ConfirmTopUp'>> = {}): Command {
  return { type: 'ConfirmTopUp', id, amount: null, reference: 'VIR-1', merchant: null, ...more }
}

export function payWithdrawal(id: string, merchant: AccountNumber | null = null): CommandOf<'PayWithdrawal'> {
  return { type: 'PayWithdrawal', id, reference: 'VIR-2', merchant }
}

/** Sends a request and returns the id of what it made. */
export function requested(fixture: EngineFixture, command: Command): string {
  const { kind, body } = fixture.do(command)
  assert.equal(kind, 'created', body)
  return (JSON.parse(body) as { id: string }).id
}

export interface CashSetup {
  readonly fixture: EngineFixture
  readonly merchant: KnownMerchant
}

export async function openCashSetup(amount: number, parts: EngineFixtureParts = {}): Promise<CashSetup> {
  const fixture = await EngineFixture.open(parts)
  return { fixture, merchant: openMerchant(fixture, 'boutique', amount) }
}

/** Balance, held and available of the merchant's test account. */
export function cashFigures({ fixture, merchant }: CashSetup): number[] {
  const { accounts } = fixture.state
  return [accounts.balance(merchant.test), accounts.held(merchant.test), accounts.available(merchant.test)]
}

export function answeredState({ fixture }: CashSetup, command: Command, key?: string): string {
  const { kind, body } = fixture.do(command, key === undefined ? {} : { key })
  const { state, code } = JSON.parse(body) as { state?: string; code?: string }
  return kind === 'ok' ? String(state) : String(code)
}

export type CashDecision = 'confirmed' | 'paid' | 'refused' | 'cancelled'

export function decidingCash(kind: CashRequestKind, decision: CashDecision, id: string, merchant: number): Command {
  const name = kind === 'top_up' ? 'TopUp' : 'Withdrawal'
  if (decision === 'confirmed') return confirmTopUp(id)
  if (decision === 'paid') return payWithdrawal(id)
  if (decision === 'refused') return { type: `Refuse${name}`, id, reason: 'Non.' }
  return { type: `Cancel${name}`, merchant, id }
}

export function askCash(setup: CashSetup, kind: CashRequestKind, amount = 100): string {
  const make = kind === 'top_up' ? requestTopUp : requestWithdrawal
  return requested(setup.fixture, make(setup.merchant.test, amount, 'ref'))
}
