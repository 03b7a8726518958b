// Which frames a movement of money puts on a wallet's stream.
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { FrameType, PlannedFrame } from './stream-state.ts'

/** The payment itself, then the balance that it leaves. */
export function paymentFrames(wallet: AccountNumber, type: 'payment.received' | 'payment.sent', eventIndex: number): PlannedFrame[] {
  return [plannedFrame(wallet, type, eventIndex), plannedFrame(wallet, 'balance.updated', eventIndex)]
}

/** Without its id, which the turn gives it. */
export function plannedFrame(account: AccountNumber, type: FrameType, eventIndex: number): PlannedFrame {
  return { account, type, eventIndex, id: 0 }
}
