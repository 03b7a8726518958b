// The golden scenario of fees: plans, the plan of a merchant, and every movement that has a fee, borne by either side, refunded or not.
import type { FeeRules } from '../../engine/contract/fees.ts'
import { positionOf } from '../../engine/kernel/position.ts'
import { payWithdrawal, requestWithdrawal } from '../support/cash-request-commands.ts'
import { CALLER, deposit, openMerchant, openWallet, payout } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { becomeBiller, teller } from './golden-bills.ts'
import { must, newestId } from './golden-steps.ts'

export const FEES: FeeRules = {
  plans: [
    {
      name: 'standard',
      rules: [
        { on: 'payout', percent_bp: 125, fixed: 3, min: 10, max: 60, borne_by: 'merchant' },
        { on: 'charge', percent_bp: 200, fixed: 0, borne_by: 'merchant' },
        { on: 'bill', percent_bp: 0, fixed: 40, borne_by: 'payer' },
        { on: 'transfer', percent_bp: 50, fixed: 0, borne_by: 'payer' },
        { on: 'withdrawal', percent_bp: 0, fixed: 25, borne_by: 'merchant' },
      ],
      refund_fees: true,
    },
    { name: 'payeur', rules: [{ on: 'charge', percent_bp: 0, fixed: 7, borne_by: 'payer' }], refund_fees: false },
  ],
  default_plan: 'standard',
}

export function playFees(fixture: EngineFixture): void {
  const { id, test: merchant, live } = openMerchant(fixture, 'Boutique', 50_000)
  const awa = openWallet(fixture, 'awa')
  openWallet(fixture, 'kofi')
  must(fixture, deposit({ tag: 'awa' }, 20_000), 201)
  becomeBiller(teller(fixture), live)
  must(fixture, { type: 'ChangeRules', change: { kind: 'fee_rules', environment: 'test', currency: 'XOF', rules: FEES } }, 200)
  must(fixture, payout(merchant, 'awa', 1000, 'PAIE'), 201, 'one payout')
  const line = (recipient: string, amount: number) => ({ recipient, amount, reference: 'lot', note: 'é', fault: null })
  const lines = [line('awa', 500), line('nobody', 500), line('kofi', 9000)]
  must(fixture, { type: 'CreateBatch', merchant, lines, reference: '', scheduleId: null }, 201, 'a batch')
  must(fixture, { type: 'CreateTransfer', sender: awa, recipient: 'kofi', amount: 999, note: '' }, 201, 'a transfer')
  payAndRefund(fixture, merchant, awa, 'first')
  must(fixture, { type: 'ChangeRules', change: { kind: 'fee_plan', environment: 'test', merchant_id: id, plan: 'payeur' } }, 200)
  payAndRefund(fixture, merchant, awa, 'second')
  must(fixture, { type: 'ChangeRules', change: { kind: 'fee_plan', environment: 'test', merchant_id: id, plan: null } }, 200)
  const bill = { type: 'PayBill', payer: awa, biller: 'eau-vive', product: 'don', quoteId: null, packageId: null, formValues: {} } as const
  must(fixture, { ...bill, amount: 700 }, 200, 'a bill')
  const position = positionOf(fixture.records.at(-1)?.sequence ?? 0, 0)
  must(fixture, { type: 'RefundBill', merchant, position }, 200, 'its refund')
  must(fixture, requestWithdrawal(merchant, 1000), 201, 'a withdrawal')
  must(fixture, payWithdrawal(newestId(fixture)), 200)
  must(fixture, requestWithdrawal(merchant, 500), 201)
  must(fixture, { type: 'CancelWithdrawal', merchant, id: newestId(fixture) }, 200)
  must(fixture, requestWithdrawal(merchant, 300), 201)
}

function payAndRefund(fixture: EngineFixture, merchant: number, payer: number, token: string): void {
  const texts = { reference: 'CMD', description: '', customerTag: '', metadata: {}, checkoutUrl: '', redirectUrl: '', webhookUrl: '' }
  must(fixture, { type: 'CreateCharge', merchant, token, amount: 2500, madeBy: CALLER, ...texts }, 201)
  must(fixture, { type: 'PayCharge', token, merchant: null, payer, challengeId: null, answer: 'app' }, 200, `pay ${token}`)
  must(fixture, { type: 'RefundCharge', merchant, token }, 200, `refund ${token}`)
}
