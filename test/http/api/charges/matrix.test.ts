// Every state of a charge against every possible request, over HTTP: one row for each, none left out.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { CHARGE_STATES, type Charge } from '../../../../engine/contract/charge.ts'
import type { ChargeState } from '../../../../engine/domain/charge/charge-state.ts'
import { balanceOf, OTP, openCharge, openPayer, type Payer, PIN, stateOf } from '../../../support/charge-callers.ts'
import type { Answer } from '../../../support/client.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

interface Setup {
  readonly merchant: Merchant
  readonly payer: Payer
  readonly charge: Charge
  /** A code that was shown while the charge was pending. */
  readonly challenge: string
  /** What its QR code held then. */
  readonly payload: string
}

const AMOUNT = 1000

/** A charge in that state, with everything in hand that could move it on. */
async function openIn(state: ChargeState): Promise<Setup> {
  const merchant = await server.merchant()
  const payer = await openPayer(server, merchant, 5 * AMOUNT)
  const charge = await openCharge(merchant, { amount: AMOUNT })
  const { token } = charge
  const otp = await server.anybody.post<{ challenge_id: string }>(`/v1/biz/checkout/${token}/otp`, { identifier: payer.tag })
  const qr = await server.anybody.get<{ payload: string }>(`/v1/biz/checkout/${token}/qr`)
  const setup = { merchant, payer, charge, challenge: otp.body.challenge_id, payload: qr.body.payload }
  const way: Readonly<Record<ChargeState, readonly (keyof typeof DOING)[]>> = {
    pending: [],
    paid: ['pay by the helper'],
    refunded: ['pay by the helper', 'refund'],
    cancelled: ['cancel'],
    expired: ['expire by the helper'],
  }
  for (const step of way[state]) assert.equal((await DOING[step](setup)).status, 200, step)
  assert.equal(await stateOf(server, charge), state)
  return setup
}

type Doing = (setup: Setup) => Promise<Answer>

const DOING = {
  cancel: ({ merchant, charge }) => merchant.test.post(`/v1/biz/charges/${charge.token}/cancel`, undefined),
  refund: ({ merchant, charge }) => merchant.test.post(`/v1/biz/charges/${charge.token}/refund`, undefined, newKey()),
  'pay in the app': ({ payer, charge }) => payer.app.post(`/v1/me/charges/${charge.token}/pay`, { pin: PIN }, newKey()),
  'pay on the web': ({ payer, charge, challenge }) =>
    server.anybody.post(`/v1/biz/checkout/${charge.token}/pay`, { challenge_id: challenge, identifier: payer.tag, otp: OTP, pin: PIN }),
  'pay by the helper': ({ merchant, payer, charge }) =>
    merchant.test.post(`/v1/biz/test/charges/${charge.token}/pay`, { payer_tag: payer.tag }),
  'expire by the helper': ({ merchant, charge }) => merchant.test.post(`/v1/biz/test/charges/${charge.token}/expire`, undefined),
  'ask for a code': ({ payer, charge }) => server.anybody.post(`/v1/biz/checkout/${charge.token}/otp`, { identifier: payer.tag }),
  'ask for the QR code': ({ charge }) => server.anybody.get(`/v1/biz/checkout/${charge.token}/qr`),
  'scan the QR code': ({ payer, payload }) => payer.app.post('/v1/me/charges/scan', { payload }),
  'look at the checkout': ({ charge }) => server.anybody.get(`/v1/biz/checkout/${charge.token}`),
  'look at the status': ({ charge }) => server.anybody.get(`/v1/biz/checkout/${charge.token}/status`),
  'look at the charge': ({ merchant, charge }) => merchant.test.get(`/v1/biz/charges/${charge.token}`),
} satisfies Readonly<Record<string, Doing>>

/** Status, then the code of the refusal or the state that the answer shows; and the state after it. */
type Outcome = readonly [status: number, told: string | undefined, state: ChargeState]

const PAID_ALREADY: Outcome = [409, 'charge_already_paid', 'paid']
const REFUNDED: Outcome = [409, 'charge_already_paid', 'refunded']
const CANCELLED: Outcome = [409, 'charge_cancelled', 'cancelled']
const EXPIRED: Outcome = [409, 'charge_expired', 'expired']

/** In the order of the states: pending, paid, expired, cancelled, refunded. */
const ROWS: Readonly<Record<keyof typeof DOING, readonly [Outcome, Outcome, Outcome, Outcome, Outcome]>> = {
  cancel: [
    [200, 'cancelled', 'cancelled'],
    [409, 'charge_not_pending', 'paid'],
    [409, 'charge_not_pending', 'expired'],
    [200, 'cancelled', 'cancelled'],
    [409, 'charge_not_pending', 'refunded'],
  ],
  refund: [
    [409, 'charge_not_paid', 'pending'],
    [200, 'refunded', 'refunded'],
    [409, 'charge_not_paid', 'expired'],
    [409, 'charge_not_paid', 'cancelled'],
    [409, 'charge_already_refunded', 'refunded'],
  ],
  'pay in the app': [[200, 'paid', 'paid'], PAID_ALREADY, EXPIRED, CANCELLED, REFUNDED],
  'pay on the web': [[200, 'paid', 'paid'], PAID_ALREADY, EXPIRED, CANCELLED, REFUNDED],
  'pay by the helper': [[200, 'paid', 'paid'], PAID_ALREADY, EXPIRED, CANCELLED, REFUNDED],
  'expire by the helper': [
    [200, 'expired', 'expired'],
    [409, 'charge_not_pending', 'paid'],
    [200, 'expired', 'expired'],
    [409, 'charge_not_pending', 'cancelled'],
    [409, 'charge_not_pending', 'refunded'],
  ],
  'ask for a code': [[202, undefined, 'pending'], PAID_ALREADY, EXPIRED, CANCELLED, REFUNDED],
  'ask for the QR code': [[200, undefined, 'pending'], PAID_ALREADY, EXPIRED, CANCELLED, REFUNDED],
  'scan the QR code': [
    [200, 'pending', 'pending'],
    [200, 'paid', 'paid'],
    [200, 'expired', 'expired'],
    [200, 'cancelled', 'cancelled'],
    [200, 'refunded', 'refunded'],
  ],
  'look at the checkout': [
    [200, 'pending', 'pending'],
    [200, 'paid', 'paid'],
    [200, 'expired', 'expired'],
    [200, 'cancelled', 'cancelled'],
    [200, 'refunded', 'refunded'],
  ],
  'look at the status': [
    [200, 'pending', 'pending'],
    [200, 'paid', 'paid'],
    [200, 'expired', 'expired'],
    [200, 'cancelled', 'cancelled'],
    [200, 'refunded', 'refunded'],
  ],
  'look at the charge': [
    [200, 'pending', 'pending'],
    [200, 'paid', 'paid'],
    [200, 'expired', 'expired'],
    [200, 'cancelled', 'cancelled'],
    [200, 'refunded', 'refunded'],
  ],
}

for (const [place, state] of CHARGE_STATES.entries()) {
  describe(`a ${state} charge`, () => {
    for (const [name, row] of Object.entries(ROWS)) {
      const [status, told, stateAfter] = row[place] as Outcome
      test(`${name}: ${status} ${told ?? ''}`, async () => {
        const setup = await openIn(state)
        const answer = await DOING[name as keyof typeof DOING](setup)
        assert.deepEqual(
          [answer.status, answer.body.code ?? answer.body.state, await stateOf(server, setup.charge)],
          [status, told, stateAfter],
        )
        // The money is where the state says, for the payer and for the merchant.
        const isWithMerchant = stateAfter === 'paid'
        assert.equal(await balanceOf(setup.merchant), isWithMerchant ? AMOUNT : 0)
        const wallet = await setup.payer.app.get<{ available: number }>('/v1/me/balance')
        assert.equal(wallet.body.available, isWithMerchant ? 4 * AMOUNT : 5 * AMOUNT)
      })
    }
  })
}
