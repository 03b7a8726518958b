// The public side of a charge: what it shows, the changing code, and paying on the web with code and PIN.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Charge } from '../../../../engine/contract/charge.ts'
import { balanceOf, OTP, openCharge, openPayer, type Payer, PIN, stateOf } from '../../../support/charge-callers.ts'
import type { Answer } from '../../../support/client.ts'
import { type Merchant, newKey, newTag, TestServer } from '../../../support/server-fixture.ts'

let house: TestServer

before(async () => {
  house = await TestServer.open()
})

after(async () => {
  await house.close()
})

interface Scene {
  readonly merchant: Merchant
  readonly payer: Payer
  readonly charge: Charge
}

async function openScene(more: object = {}, funds = 5000): Promise<Scene> {
  const merchant = await house.merchant('Boutique «Awa»')
  return { merchant, payer: await openPayer(house, merchant, funds), charge: await openCharge(merchant, more) }
}

const ofCheckout = (token: string, part = '') => house.anybody.get(`/v1/biz/checkout/${token}${part}`)

async function challengeFor({ charge, payer }: Scene, identifier = payer.tag): Promise<string> {
  const { status, body } = await house.anybody.post<{ challenge_id: string }>(`/v1/biz/checkout/${charge.token}/otp`, { identifier })
  assert.equal(status, 202)
  return body.challenge_id
}

interface Shown {
  readonly challenge_id: string
  readonly identifier: string
  readonly otp: string
  readonly pin: string
}

function payOnWeb({ charge, payer }: Scene, challenge_id: string, more: Partial<Shown> = {}, headers = {}): Promise<Answer> {
  const body = { challenge_id, identifier: payer.tag, otp: OTP, pin: PIN, ...more }
  return house.anybody.post(`/v1/biz/checkout/${charge.token}/pay`, body, headers)
}

function told({ status, body }: Answer): unknown[] {
  return [status, body.code ?? body.state]
}

describe('what each holder of the token sees', () => {
  test('the token shows the checkout and its status, in every state', async () => {
    const scene = await openScene({ amount: 2500, description: 'Deux pagnes', redirect_url: 'https://boutique.example/merci' })
    const { merchant, payer, charge } = scene
    const record = {
      amount: 2500,
      currency: 'XOF',
      description: 'Deux pagnes',
      merchant_name: 'Boutique «Awa»',
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
    const { charge, payer } = await openScene()
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
    const { charge } = await openScene()
    for (const token of ['x'.repeat(32), charge.id, charge.token.slice(0, -1), `${charge.token}x`]) {
      for (const part of ['', '/status', '/qr']) assert.equal((await ofCheckout(token, part)).status, 404)
      assert.equal((await house.anybody.post(`/v1/biz/checkout/${token}/otp`, { identifier: 'awa' })).status, 404)
    }
  })

  test('a charge that is over has no QR code and no SMS', async () => {
    const { merchant, charge } = await openScene()
    await merchant.test.post(`/v1/biz/charges/${charge.token}/cancel`, undefined)
    assert.deepEqual(told(await ofCheckout(charge.token, '/qr')), [409, 'charge_cancelled'])
    assert.deepEqual(told(await house.anybody.post(`/v1/biz/checkout/${charge.token}/otp`, { identifier: 'awa' })), [
      409,
      'charge_cancelled',
    ])
  })
})

describe('paying on the web', () => {
  for (const by of ['tag', '@tag in capitals', 'phone'] as const) {
    test(`a charge is paid on the web by ${by}`, async () => {
      const scene = await openScene({ redirect_url: 'https://boutique.example/merci?a=1' })
      const { payer, charge, merchant } = scene
      const identifier = by === 'phone' ? payer.phone : by === 'tag' ? payer.tag : `@${payer.tag.toUpperCase()}`
      const answer = await payOnWeb(scene, await challengeFor(scene, identifier), { identifier })
      assert.equal(answer.status, 200)
      const redirect_url = `https://boutique.example/merci?a=1&token=${charge.token}&state=paid`
      assert.deepEqual(answer.body, { state: 'paid', redirect_url })
      assert.equal(await balanceOf(merchant), 1000)
      assert.equal((await payer.app.get('/v1/me/balance')).body.available, 4000)
    })
  }

  test('a charge without a redirect_url has an empty one in its answer', async () => {
    const scene = await openScene()
    assert.deepEqual((await payOnWeb(scene, await challengeFor(scene))).body, { state: 'paid', redirect_url: '' })
  })

  test('the challenge is the idempotency key: the same result again, byte for byte, without a second debit', async () => {
    const scene = await openScene()
    const challenge = await challengeFor(scene)
    const first = await payOnWeb(scene, challenge)
    const again = await payOnWeb(scene, challenge)
    assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [200, first.text, 'true'])
    assert.equal(first.headers['idempotent-replayed'], undefined)
    const upper = await payOnWeb(scene, challenge.toUpperCase())
    assert.equal(upper.status, 422, 'the same key for another body')
    assert.equal(await balanceOf(scene.merchant), 1000)
  })

  test('twenty clicks at once pay once', async () => {
    const scene = await openScene()
    const challenge = await challengeFor(scene)
    const answers = await Promise.all(Array.from({ length: 20 }, () => payOnWeb(scene, challenge)))
    assert.deepEqual(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(await balanceOf(scene.merchant), 1000)
  })

  test('an Idempotency-Key header takes the place of the challenge', async () => {
    const scene = await openScene()
    const challenge = await challengeFor(scene)
    const key = newKey()
    const first = await payOnWeb(scene, challenge, {}, key)
    const again = await payOnWeb(scene, challenge, {}, key)
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
    assert.deepEqual(told(await payOnWeb(scene, challenge)), [409, 'charge_already_paid'])
  })

  test('an unknown customer gets the same answer, from the first step to the last', async () => {
    const scene = await openScene()
    const nobody = newTag()
    const known = await house.anybody.post(`/v1/biz/checkout/${scene.charge.token}/otp`, { identifier: scene.payer.tag })
    const unknown = await house.anybody.post(`/v1/biz/checkout/${scene.charge.token}/otp`, { identifier: nobody })
    assert.deepEqual(
      [unknown.status, unknown.body.expires_in, Object.keys(unknown.body)],
      [202, known.body.expires_in, Object.keys(known.body)],
    )
    const wrong = { otp: '123456' }
    for (let count = 0; count < 5; count++) {
      const one = await payOnWeb(scene, String(known.body.challenge_id), wrong)
      const other = await payOnWeb(scene, String(unknown.body.challenge_id), { ...wrong, identifier: nobody })
      assert.deepEqual(told(one), count < 4 ? [401, 'otp_incorrect'] : [429, 'otp_attempts_exceeded'])
      assert.deepEqual([other.status, other.body], [one.status, one.body])
    }
    assert.equal(await stateOf(house, scene.charge), 'pending')
  })

  test('after a wrong code and a wrong PIN the right ones pay: wrong answers are not kept', async () => {
    const scene = await openScene()
    const challenge = await challengeFor(scene)
    assert.deepEqual(told(await payOnWeb(scene, challenge, { otp: '111111' })), [401, 'otp_incorrect'])
    const wrongPin = await payOnWeb(scene, challenge, { pin: '1111' })
    assert.deepEqual([...told(wrongPin), wrongPin.body.attempts_left], [401, 'pin_incorrect', 4])
    assert.deepEqual(told(await payOnWeb(scene, challenge)), [200, 'paid'])
  })

  test('the PIN locks, and a lock holds for the right PIN too', async () => {
    const scene = await openScene()
    const challenge = await challengeFor(scene)
    for (let left = 4; left > 0; left--) assert.equal((await payOnWeb(scene, challenge, { pin: '1111' })).body.attempts_left, left)
    const locking = await payOnWeb(scene, challenge, { pin: '1111' })
    assert.deepEqual(told(locking), [423, 'pin_locked'])
    assert.ok(Number(locking.headers['retry-after']) > 800)
    assert.deepEqual(told(await payOnWeb(scene, challenge)), [423, 'pin_locked'])
    assert.equal(await stateOf(house, scene.charge), 'pending')
  })

  test('a code is good for its charge, its identifier and one payment', async () => {
    const scene = await openScene()
    const other = { ...scene, charge: await openCharge(scene.merchant) }
    const challenge = await challengeFor(scene)
    assert.deepEqual(told(await payOnWeb(other, challenge)), [401, 'otp_expired'])
    assert.deepEqual(told(await payOnWeb(scene, challenge, { identifier: scene.payer.phone })), [401, 'otp_expired'])
    assert.deepEqual(told(await payOnWeb(scene, randomUUID())), [401, 'otp_expired'])
    assert.deepEqual(told(await payOnWeb(scene, challenge)), [200, 'paid'])
  })

  test('short of money: kept under the challenge; a new code pays once the money is there', async () => {
    const scene = await openScene({}, 999)
    const challenge = await challengeFor(scene)
    assert.deepEqual(told(await payOnWeb(scene, challenge)), [402, 'insufficient_balance'])
    await scene.merchant.test.post('/v1/biz/test/deposits', { recipient: scene.payer.tag, amount: 1 })
    const again = await payOnWeb(scene, challenge)
    assert.deepEqual([...told(again), again.headers['idempotent-replayed']], [402, 'insufficient_balance', 'true'])
    assert.deepEqual(told(await payOnWeb(scene, await challengeFor(scene))), [200, 'paid'])
  })

  test('the wrong customer learns of it only after code and PIN', async () => {
    const scene = await openScene({ customer_tag: newTag() })
    const challenge = await challengeFor(scene)
    assert.deepEqual(told(await payOnWeb(scene, challenge, { pin: '1111' })), [401, 'pin_incorrect'])
    assert.deepEqual(told(await payOnWeb(scene, challenge)), [403, 'wrong_customer'])
  })

  test('a charge that was cancelled, expired or paid meanwhile takes no payment', async () => {
    for (const [end, code] of [
      ['charges/{token}/cancel', 'charge_cancelled'],
      ['test/charges/{token}/expire', 'charge_expired'],
      ['test/charges/{token}/pay', 'charge_already_paid'],
    ] as const) {
      const scene = await openScene()
      const challenge = await challengeFor(scene)
      const body = end.endsWith('pay') ? { payer_tag: scene.payer.tag } : undefined
      await scene.merchant.test.post(`/v1/biz/${end.replace('{token}', scene.charge.token)}`, body)
      assert.deepEqual(told(await payOnWeb(scene, challenge)), [409, code])
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
      const scene = await openScene()
      const { status, body } = await payOnWeb(scene, randomUUID(), more)
      assert.deepEqual([status, body.code, body.param], [400, 'invalid_request', param])
    })
  }
})
