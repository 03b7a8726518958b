// Commands of top-ups and withdrawals, sent to an engine fixture.
import assert from 'node:assert/strict'
import type { CommandOf } from '../../engine/api.ts'
import type { Command } from '../../engine/domain/command.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { EngineFixture } from './engine-fixture.ts'

export const DESTINATION = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' } as const

export function requestTopUp(merchant: AccountNumber, amount: number, reference = ''): Command {
  return { type: 'RequestTopUp', merchant, amount, reference, instructions: 'Virement à Cauri' }
}

export function requestWithdrawal(merchant: AccountNumber, amount: number, reference = ''): Command {
  return { type: 'RequestWithdrawal', merchant, amount, destination: DESTINATION, reference }
}

export function confirmTopUp(id: string, more: Partial<CommandOf<'ConfirmTopUp'>> = {}): Command {
  return { type: 'ConfirmTopUp', id, amount: null, reference: 'VIR-1', merchant: null, ...more }
}

export function payWithdrawal(id: string, merchant: AccountNumber | null = null): Command {
  return { type: 'PayWithdrawal', id, reference: 'VIR-2', merchant }
}

/** Sends a request and returns the id of what it made. */
export function requested(fixture: EngineFixture, command: Command): string {
  const { kind, body } = fixture.do(command)
  assert.equal(kind, 'created', body)
  return (JSON.parse(body) as { id: string }).id
}
