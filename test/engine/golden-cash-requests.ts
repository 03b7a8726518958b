// The golden scenario of top-ups, withdrawals and the accounts that these go to: each end of each kind, and one of each that stays.

import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { confirmTopUp, DESTINATION, payWithdrawal, requestTopUp, requestWithdrawal } from '../support/cash-request-commands.ts'
import { CALLER, openMerchant, payout } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must, newestId } from './golden-steps.ts'

export function playCashRequests(fixture: EngineFixture): void {
  const { test: merchant, live } = openMerchant(fixture, 'Boutique', 10_000)
  const topUp = (): string => made(fixture, requestTopUp(merchant, 500, 'Appro “é”'))
  const withdrawal = (): string => made(fixture, requestWithdrawal(merchant, 600, 'Retrait'))
  must(fixture, confirmTopUp(topUp(), { amount: 450 }), 200, 'confirm')
  must(fixture, { type: 'RefuseTopUp', id: topUp(), reason: 'Rien n’est arrivé.' }, 200, 'refuse')
  must(fixture, { type: 'CancelTopUp', merchant, id: topUp() }, 200, 'cancel')
  const paid = withdrawal()
  must(fixture, payWithdrawal(paid), 200, 'pay')
  must(fixture, payWithdrawal(paid), 409, 'pay again')
  must(fixture, { type: 'RefuseWithdrawal', id: withdrawal(), reason: 'Compte inconnu.' }, 200)
  must(fixture, { type: 'CancelWithdrawal', merchant, id: withdrawal() }, 200)
  must(fixture, payWithdrawal(withdrawal(), merchant), 200)
  must(fixture, requestWithdrawal(merchant, 10_000), 402, 'too much')
  topUp()
  withdrawal()
  playWithdrawalAccounts(fixture, merchant, live)
  must(fixture, payout(merchant, 'nobody', 1), 201)
}

function playWithdrawalAccounts(fixture: EngineFixture, merchant: AccountNumber, live: AccountNumber): void {
  const save = (owner: AccountNumber): string => {
    const destination = { ...DESTINATION, provider: null }
    must(fixture, { type: 'AddWithdrawalAccount', merchant: owner, destination, createdBy: CALLER }, 201)
    return [...fixture.state.cashRequests.accounts.values()].at(-1)?.saved.id ?? ''
  }
  const accountId = save(merchant)
  made(fixture, { type: 'RequestWithdrawal', merchant, amount: 5, destination: null, accountId, reference: '' })
  must(fixture, { type: 'DeleteWithdrawalAccount', merchant, id: save(merchant) }, 200, 'delete account')
  must(fixture, { type: 'ConfirmWithdrawalAccount', id: save(live) }, 200, 'confirm account')
  save(live)
}

function made(fixture: EngineFixture, command: Parameters<typeof must>[1]): string {
  must(fixture, command, 201)
  return newestId(fixture)
}
