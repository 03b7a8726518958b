// The small parts of a checkout: changing codes, their pictures, addresses of merchants, the way back to the shop.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { create } from 'qrcode'
import { redirectAddress } from '../../../../engine/domain/charge/charge-redirect.ts'
import { CheckoutCodes } from '../../../../http/api/checkout/checkout-codes.ts'
import { qrSvg } from '../../../../http/api/checkout/qr.ts'
import { redirectFault, webhookFault } from '../../../../http/outbound/merchant-addresses.ts'

const TOKEN = 'Vb3kQ0xTz7mN1rYp4LwHs8DgJf2CeA6u'
const URL = `https://payer.example/pay/${TOKEN}`

describe('checkout codes', () => {
  const codes = new CheckoutCodes(Buffer.alloc(32, 7))
  const STEP_MS = 15_000
  const START_MS = 1_790_000_010_000

  test('a checkout code is good for its step and the one after, from first to last millisecond', () => {
    assert.equal(START_MS % STEP_MS, 0)
    const { payload } = codes.code(URL, TOKEN, START_MS)
    for (const passedMs of [0, 1, STEP_MS - 1, STEP_MS, 2 * STEP_MS - 1]) {
      assert.deepEqual(codes.read(payload, START_MS + passedMs), { token: TOKEN })
    }
    for (const passedMs of [2 * STEP_MS, 10 * STEP_MS, -1]) assert.equal(codes.read(payload, START_MS + passedMs), 'expired')
  })

  test('a checkout code says how long it stays, at least a second', () => {
    const left = (passedMs: number): number => codes.code(URL, TOKEN, START_MS + passedMs).expiresInS
    assert.deepEqual([left(0), left(1), left(14_000), left(14_001), left(14_999), left(15_000)], [15, 15, 1, 1, 1, 15])
  })

  test('a checkout code of another token or key is expired; any other text is malformed', () => {
    const { payload } = codes.code(URL, TOKEN, START_MS)
    const other = payload.replace(TOKEN, TOKEN.split('').reverse().join(''))
    assert.equal(codes.read(other, START_MS), 'expired')
    assert.equal(new CheckoutCodes(Buffer.alloc(32, 8)).read(payload, START_MS), 'expired')
    assert.equal(codes.read(payload.slice(0, -1), START_MS), 'malformed')
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => codes.read(text, START_MS) === 'malformed'))
  })

  test('a checkout code counts in every character, in its step and in the one after', () => {
    const { payload } = codes.code(URL, TOKEN, START_MS)
    const begin = payload.indexOf('?c=') + '?c='.length
    for (let at = begin; at < payload.length; at++) {
      const changed = `${payload.slice(0, at)}${payload[at] === 'A' ? 'Q' : 'A'}${payload.slice(at + 1)}`
      for (const passedMs of [0, STEP_MS]) assert.equal(codes.read(changed, START_MS + passedMs), 'expired', `character ${at - begin}`)
    }
  })

  test('a checkout code is read behind any host and path', () => {
    for (const base of ['http://127.0.0.1:8080', 'https://payer.example/caisse', 'https://xn--caf-dma.example']) {
      const { payload } = codes.code(`${base}/pay/${TOKEN}`, TOKEN, START_MS)
      assert.deepEqual(codes.read(payload, START_MS), { token: TOKEN })
    }
  })
})

test('the picture holds the modules of the code, black on white, with four of quiet around', () => {
  const payload = `${URL}?c=0q2Zk8m3Yb5xVw7tRj1LpA`
  const { size, data } = create(payload, { errorCorrectionLevel: 'M' }).modules
  const svg = qrSvg(payload)
  assert.ok(svg.includes(`viewBox="0 0 ${size + 8} ${size + 8}"`))
  const drawn = new Set<string>()
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let at = 0; at < Number(width); at++) drawn.add(`${Number(x) + at - 4},${Number(y) - 4}`)
  }
  const expected = new Set<string>()
  data.forEach((dark, index) => {
    if (dark === 1) expected.add(`${index % size},${Math.floor(index / size)}`)
  })
  assert.deepEqual(drawn, expected)
})

describe('addresses', () => {
  const ROWS: readonly (readonly [address: string, test: string | null, live: string | null])[] = [
    ['https://boutique.example', null, null],
    ['HTTPS://boutique.example/a?b#c', null, null],
    ['http://localhost', null, 'redirect_url_must_be_https'],
    ['http://localhost:3000/retour?x', null, 'redirect_url_must_be_https'],
    ['http://localhost.example', 'redirect_url_must_be_https', 'redirect_url_must_be_https'],
    ['http://127.0.0.1', 'redirect_url_must_be_https', 'redirect_url_must_be_https'],
    ['javascript:alert(1)', 'redirect_url_must_be_https', 'redirect_url_must_be_https'],
    [' https://boutique.example', 'redirect_url_must_be_https', 'redirect_url_must_be_https'],
    ['//boutique.example', 'redirect_url_must_be_https', 'redirect_url_must_be_https'],
    ['https://', 'invalid_request', 'invalid_request'],
    ['https://user@boutique.example', 'invalid_request', 'invalid_request'],
    ['https://boutique.example ', 'invalid_request', 'invalid_request'],
  ]
  const codeOf = (fault: ReturnType<typeof redirectFault>): string | null => fault?.code ?? null
  for (const [address, inTest, live] of ROWS) {
    test(`a redirect address is checked: «${address}»`, () => {
      assert.deepEqual([codeOf(redirectFault(address, 'test')), codeOf(redirectFault(address, 'live'))], [inTest, live])
    })
  }

  test('a webhook address may be http only in test and only where the setting allows it', () => {
    const http = 'http://10.0.0.1:3000/hook'
    assert.equal(webhookFault(http, 'test', true), null)
    assert.equal(codeOf(webhookFault(http, 'test', false)), 'webhook_url_must_be_https')
    assert.equal(codeOf(webhookFault(http, 'live', true)), 'webhook_url_must_be_https')
    assert.equal(webhookFault('https://boutique.example', 'live', false), null)
    const withUser = webhookFault('https://a:b@boutique.example', 'live', false)
    assert.deepEqual([codeOf(withUser), withUser?.extras?.reason], ['invalid_request', 'address'])
  })
})

describe('the way back', () => {
  const ROWS: readonly (readonly [given: string, then: string])[] = [
    ['', ''],
    ['https://a.example', 'https://a.example?T'],
    ['https://a.example/b', 'https://a.example/b?T'],
    ['https://a.example/?x=1', 'https://a.example/?x=1&T'],
    ['https://a.example/?x=%20+é', 'https://a.example/?x=%20+é&T'],
    ['https://a.example/?', 'https://a.example/?T'],
    ['https://a.example/?x&', 'https://a.example/?x&T'],
    ['https://a.example/#part', 'https://a.example/?T#part'],
    ['https://a.example/?x=1#a?b', 'https://a.example/?x=1&T#a?b'],
  ]
  for (const [redirect_url, then] of ROWS) {
    test(`the way back is built from «${redirect_url}»`, () => {
      const address = redirectAddress({ redirect_url, token: TOKEN, state: 'paid' })
      assert.equal(address, then.replace('T', `token=${TOKEN}&state=paid`))
    })
  }

  test('the way back carries the state of the charge; open and refunded charges have none', () => {
    const to = (state: 'pending' | 'paid' | 'expired' | 'cancelled' | 'refunded') =>
      redirectAddress({ redirect_url: 'https://a.example', token: 't', state })
    assert.deepEqual(
      [to('pending'), to('paid'), to('expired'), to('cancelled'), to('refunded')],
      ['', ...['paid', 'expired', 'cancelled'].map((state) => `https://a.example?token=t&state=${state}`), ''],
    )
  })
})
