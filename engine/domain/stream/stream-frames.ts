// Which frames a movement of money puts on a wallet's stream.
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { PlannedFrame } from './stream-state.ts'

/** The payment itself, then the balance that it leaves. */
export function paymentFrames(wallet: AccountNumber, type: 'payment.received' | 'payment.sent', eventIndex: number): PlannedFrame[] {
  return [
    { account: wallet, type, eventIndex },
    { account: wallet, type: 'balance.updated', eventIndex },
  ]
}
