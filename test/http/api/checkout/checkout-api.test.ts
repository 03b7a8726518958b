// The public side of a charge: what it shows, the changing code, and paying on the web with code and PIN.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Charge } from '../../../../engine/contract/charge.ts'
import { balanceOf, OTP, openCharge, openPayer, type Payer, PIN, stateOf } from '../../../support/charge-callers.ts'
import type { Answer } from '../../../support/client.ts'
import { type Merchant, newKey, newTag, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

interface Setup {
  readonly merchant: Merchant
  readonly payer: Payer
  readonly charge: Charge
}

async function openSetup(more: object = {}, funds = 5000): Promise<Setup> {
  const merchant = await server.merchant('Boutique «Awa»')
  return { merchant, payer: await openPayer(server, merchant, funds), charge: await openCharge(merchant, more) }
}

const ofCheckout = (token: string, part = '') => server.anybody.get(`/v1/biz/checkout/${token}${part}`)

async function challengeFor({ charge, payer }: Setup, identifier = payer.tag): Promise<string> {
  const { status, body } = await server.anybody.post<{ challenge_id: string }>(`/v1/biz/checkout/${charge.token}/otp`, { identifier })
  assert.equal(status, 202)
  return body.challenge_id
}

interface Shown {
  readonly challenge_id: string
  readonly identifier: string
  readonly otp: string
  readonly pin: string
}

function payOnWeb({ charge, payer }: Setup, challenge_id: string, more: Partial<Shown> = {}, headers = {}): Promise<Answer> {
  const body = { challenge_id, identifier: payer.tag, otp: OTP, pin: PIN, ...more }
  return server.anybody.post(`/v1/biz/checkout/${charge.token}/pay`, body, headers)
}

function told({ status, body }: Answer): unknown[] {
  return [status, body.code ?? body.state]
}

describe('what each holder of the token sees', () => {
  test('the token shows the checkout and its status, in every state', async () => {
    const setup = await openSetup({ amount: 2500, description: 'Deux pagnes', redirect_url: 'https://boutique.example/merci' })
    const { merchant, payer, charge } = setup
    const record = {
      amount: 2500,
      currency: 'XOF',
      fee: 0,
      description: 'Deux pagnes',
      merchant_name: 'Boutique «Awa»',
      merchant_address: null,
      merchant_logo_url: null,
      restricted: false,
      expires_at: charge.expires_at,
      redirect_url: 'https://boutique.example/merci',
    }
    const sees = async (state: string): Promise<void> => {
      assert.deepEqual((await ofCheckout(charge.token)).body, { state, ...record })
      assert.equal((await ofCheckout(charge.token, '/status')).text, JSON.stringify({ state }))
    }
    await sees('pending')
    await merchant.test.post(`/v1/biz/test/charges/${charge.token}/pay`, { payer_tag: payer.tag })
    await sees('paid')
    await merchant.test.post(`/v1/biz/charges/${charge.token}/refund`, undefined, newKey())
    await sees('refunded')
    const [cancelled, expired] = [await openCharge(merchant), await openCharge(merchant, { customer_tag: payer.tag })]
    await merchant.test.post(`/v1/biz/charges/${cancelled.token}/cancel`, undefined)
    await merchant.test.post(`/v1/biz/test/charges/${expired.token}/expire`, undefined)
    assert.equal((await ofCheckout(cancelled.token)).body.state, 'cancelled')
    const { body } = await ofCheckout(expired.token)
    assert.deepEqual([body.state, body.restricted], ['expired', true])
    assert.ok(!JSON.stringify(body).includes(payer.tag), 'for whom it is stays between merchant and customer')
  })

  test('the QR code holds the page and a code that the app takes', async () => {
    const { charge, payer } = await openSetup()
    const { body } = await ofCheckout(charge.token, '/qr')
    const { payload, svg, expires_in } = body as { payload: string; svg: string; expires_in: number }
    assert.ok(payload.startsWith(`${charge.checkout_url}?`))
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /)
    assert.ok(expires_in >= 1 && expires_in <= 15)
    const page = await fetch(payload)
    assert.equal(page.status, 200, 'a camera without the app opens the page')
    const scanned = await payer.app.post('/v1/me/charges/scan', { payload })
    const checkout = (await ofCheckout(charge.token)).body
    assert.deepEqual([scanned.status, scanned.body], [200, { token: charge.token, ...checkout }])
  })

  test('unknown tokens show nothing, and ids are no tokens', async () => {
    const { charge } = await openSetup()
    for (const token of ['x'.repeat(32), charge.id, charge.token.slice(0, -1), `${charge.token}x`]) {
      for (const part of ['', '/status', '/qr']) assert.equal((await ofCheckout(token, part)).status, 404)
      assert.equal((await server.anybody.post(`/v1/biz/checkout/${token}/otp`, { identifier: 'awa' })).status, 404)
    }
  })

  test('a charge that is over has no QR code and no SMS', async () => {
    const { merchant, charge } = await openSetup()
    await merchant.test.post(`/v1/biz/charges/${charge.token}/cancel`, undefined)
    assert.deepEqual(told(await ofCheckout(charge.token, '/qr')), [409, 'charge_cancelled'])
    assert.deepEqual(told(await server.anybody.post(`/v1/biz/checkout/${charge.token}/otp`, { identifier: 'awa' })), [
      409,
      'charge_cancelled',
    ])
  })
})

describe('paying on the web', () => {
  for (const by of ['tag', '@tag in capitals', 'phone'] as const) {
    test(`a charge is paid on the web by ${by}`, async () => {
      const setup = await openSetup({ redirect_url: 'https://boutique.example/merci?a=1' })
      const { payer, charge, merchant } = setup
      const identifier = by === 'phone' ? payer.phone : by === 'tag' ? payer.tag : `@${payer.tag.toUpperCase()}`
      const answer = await payOnWeb(setup, await challengeFor(setup, identifier), { identifier })
      assert.equal(answer.status, 200)
      const redirect_url = `https://boutique.example/merci?a=1&token=${charge.token}&state=paid`
      assert.deepEqual(answer.body, { state: 'paid', redirect_url })
      assert.equal(await balanceOf(merchant), 1000)
      assert.equal((await payer.app.get('/v1/me/balance')).body.available, 4000)
    })
  }

  test('a charge without a redirect_url has an empty one in its answer', async () => {
    const setup = await openSetup()
    assert.deepEqual((await payOnWeb(setup, await challengeFor(setup))).body, { state: 'paid', redirect_url: '' })
  })

  test('the challenge is the idempotency key: the same result again, byte for byte, without a second debit', async () => {
    const setup = await openSetup()
    const challenge = await challengeFor(setup)
    const first = await payOnWeb(setup, challenge)
    const again = await payOnWeb(setup, challenge)
    assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [200, first.text, 'true'])
    assert.equal(first.headers['idempotent-replayed'], undefined)
    const upper = await payOnWeb(setup, challenge.toUpperCase())
    assert.equal(upper.status, 422, 'the same key for another body')
    assert.equal(await balanceOf(setup.merchant), 1000)
  })

  test('twenty clicks at once pay once', async () => {
    // Several times: in some, a click arrives before the payment and its code is looked at after it.
    for (let round = 0; round < 6; round++) {
      const setup = await openSetup()
      const challenge = await challengeFor(setup)
      const answers = await Promise.all(Array.from({ length: 20 }, () => payOnWeb(setup, challenge)))
      assert.deepEqual([...new Set(answers.map(({ text }) => text))], ['{"state":"paid","redirect_url":""}'])
      assert.equal(await balanceOf(setup.merchant), 1000)
    }
  })

  test('an Idempotency-Key header takes the place of the challenge', async () => {
    const setup = await openSetup()
    const challenge = await challengeFor(setup)
    const key = newKey()
    const first = await payOnWeb(setup, challenge, {}, key)
    const again = await payOnWeb(setup, challenge, {}, key)
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
    assert.deepEqual(told(await payOnWeb(setup, challenge)), [409, 'charge_already_paid'])
  })

  test('an unknown customer gets the same answer, from the first step to the last', async () => {
    const setup = await openSetup()
    const nobody = newTag()
    const known = await server.anybody.post(`/v1/biz/checkout/${setup.charge.token}/otp`, { identifier: setup.payer.tag })
    const unknown = await server.anybody.post(`/v1/biz/checkout/${setup.charge.token}/otp`, { identifier: nobody })
    assert.deepEqual(
      [unknown.status, unknown.body.expires_in, Object.keys(unknown.body)],
      [202, known.body.expires_in, Object.keys(known.body)],
    )
    const wrong = { otp: '123456' }
    for (let count = 0; count < 5; count++) {
      const one = await payOnWeb(setup, String(known.body.challenge_id), wrong)
      const other = await payOnWeb(setup, String(unknown.body.challenge_id), { ...wrong, identifier: nobody })
      assert.deepEqual(told(one), count < 4 ? [401, 'otp_incorrect'] : [429, 'otp_attempts_exceeded'])
      assert.deepEqual([other.status, other.body], [one.status, one.body])
    }
    assert.equal(await stateOf(server, setup.charge), 'pending')
  })

  test('after a wrong code and a wrong PIN the right ones pay: wrong answers are not kept', async () => {
    const setup = await openSetup()
    const challenge = await challengeFor(setup)
    assert.deepEqual(told(await payOnWeb(setup, challenge, { otp: '111111' })), [401, 'otp_incorrect'])
    const wrongPin = await payOnWeb(setup, challenge, { pin: '1111' })
    assert.deepEqual([...told(wrongPin), wrongPin.body.attempts_left], [401, 'pin_incorrect', 4])
    assert.deepEqual(told(await payOnWeb(setup, challenge)), [200, 'paid'])
  })

  test('the PIN locks, and a lock holds for the right PIN too', async () => {
    const setup = await openSetup()
    const challenge = await challengeFor(setup)
    for (let left = 4; left > 0; left--) assert.equal((await payOnWeb(setup, challenge, { pin: '1111' })).body.attempts_left, left)
    const locking = await payOnWeb(setup, challenge, { pin: '1111' })
    assert.deepEqual(told(locking), [423, 'pin_locked'])
    assert.ok(Number(locking.headers['retry-after']) > 800)
    assert.deepEqual(told(await payOnWeb(setup, challenge)), [423, 'pin_locked'])
    assert.equal(await stateOf(server, setup.charge), 'pending')
  })

  test('a code is good for its charge, its identifier and one payment', async () => {
    const setup = await openSetup()
    const other = { ...setup, charge: await openCharge(setup.merchant) }
    const challenge = await challengeFor(setup)
    assert.deepEqual(told(await payOnWeb(other, challenge)), [401, 'otp_expired'])
    assert.deepEqual(told(await payOnWeb(setup, challenge, { identifier: setup.payer.phone })), [401, 'otp_expired'])
    assert.deepEqual(told(await payOnWeb(setup, randomUUID())), [401, 'otp_expired'])
    assert.deepEqual(told(await payOnWeb(setup, challenge)), [200, 'paid'])
  })

  test('short of money: kept under the challenge; a new code pays once the money is there', async () => {
    const setup = await openSetup({}, 999)
    const challenge = await challengeFor(setup)
    assert.deepEqual(told(await payOnWeb(setup, challenge)), [402, 'insufficient_balance'])
    await setup.merchant.test.post('/v1/biz/test/deposits', { recipient: setup.payer.tag, amount: 1 })
    const again = await payOnWeb(setup, challenge)
    assert.deepEqual([...told(again), again.headers['idempotent-replayed']], [402, 'insufficient_balance', 'true'])
    assert.deepEqual(told(await payOnWeb(setup, await challengeFor(setup))), [200, 'paid'])
  })

  test('the wrong customer learns of it only after code and PIN', async () => {
    const setup = await openSetup({ customer_tag: newTag() })
    const challenge = await challengeFor(setup)
    assert.deepEqual(told(await payOnWeb(setup, challenge, { pin: '1111' })), [401, 'pin_incorrect'])
    assert.deepEqual(told(await payOnWeb(setup, challenge)), [403, 'wrong_customer'])
  })

  test('a charge that was cancelled, expired or paid meanwhile takes no payment', async () => {
    for (const [end, code] of [
      ['charges/{token}/cancel', 'charge_cancelled'],
      ['test/charges/{token}/expire', 'charge_expired'],
      ['test/charges/{token}/pay', 'charge_already_paid'],
    ] as const) {
      const setup = await openSetup()
      const challenge = await challengeFor(setup)
      const body = end.endsWith('pay') ? { payer_tag: setup.payer.tag } : undefined
      await setup.merchant.test.post(`/v1/biz/${end.replace('{token}', setup.charge.token)}`, body)
      assert.deepEqual(told(await payOnWeb(setup, challenge)), [409, code])
    }
  })

  const BAD: readonly (readonly [given: string, body: Partial<Shown>, param: string])[] = [
    ['an identifier with spaces', { identifier: 'a b c' }, 'identifier'],
    ['a phone without its plus', { identifier: '00225 07' }, 'identifier'],
    ['five digits of a code', { otp: '12345' }, 'otp'],
    ['three digits of a PIN', { pin: '123' }, 'pin'],
    ['letters', { pin: 'abcd' }, 'pin'],
    ['no challenge', { challenge_id: 'x' }, 'challenge_id'],
  ]
  for (const [given, more, param] of BAD) {
    test(`a request is rejected by its form: ${given}`, async () => {
      const setup = await openSetup()
      const { status, body } = await payOnWeb(setup, randomUUID(), more)
      assert.deepEqual([status, body.code, body.param], [400, 'invalid_request', param])
    })
  }
})
