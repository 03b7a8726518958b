// The pages of the simulated phone by their routes, for a test wallet that is signed in on it.
import assert from 'node:assert/strict'
import { OTP, type Payer, PIN } from './charge-callers.ts'
import { askPage, cookieHeader, hidden } from './raw-page.ts'
import { ok } from './wallet-callers.ts'

/** Signs in as a program. Returns the cookie of the session as the browser sends it. */
export async function signInPhone(baseUrl: string, tag: string): Promise<string> {
  const f = hidden((await askPage(baseUrl, '/dev/phone')).text, 'f')
  const started = await askPage(baseUrl, '/dev/phone/start', { form: { f, purpose: 'login', identifier: `@${tag}` } })
  const s = new URL(started.location, `${baseUrl}/dev/phone/start`).searchParams.get('s') ?? ''
  const done = await askPage(baseUrl, '/dev/phone/login', { form: { f, s, code: OTP, pin: PIN } })
  const { cookie } = cookieHeader(done)
  assert.match(cookie, /^dev_phone=./)
  return cookie
}

export interface OnThePhone {
  readonly biller: string
  readonly mandate: string
  /** Token of a mandate that waits for its approval. */
  readonly approval: string
  /** Code of a payment link, and token of a charge, that can be paid. */
  readonly code: string
  readonly pending: string
}

/** Returns the addresses by the path of the route. The biller has the product `recharge`. */
export async function phonePages(
  baseUrl: string,
  payer: Payer,
  cookie: string,
  { biller, mandate, approval, code, pending }: OnThePhone,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { body } = await ok(payer.app.get<{ data: { id: string }[] }>('/v1/me/transactions'))
  const charges = await ok(payer.app.get<{ data: { id: string }[] }>('/v1/me/transactions?type=charge'))
  const product = `/dev/phone/bills/${biller}/recharge`
  const page = await askPage(baseUrl, product, { headers: { cookie } })
  const form = { f: hidden(page.text, 'f'), key: hidden(page.text, 'key'), package: 'jour', v0: '+221771234567' }
  const { location } = await askPage(baseUrl, product, { headers: { cookie }, form })
  const { pathname, search } = new URL(location, baseUrl + product)
  assert.equal(pathname, `${product}/pay`)
  const send = { f: form.f, key: form.key, recipient: payer.tag, amount: '100', note: '' }
  const ordered = await askPage(baseUrl, '/dev/phone/send', { headers: { cookie }, form: send })
  const confirm = new URL(ordered.location, `${baseUrl}/dev/phone/send`)
  const plain = ['', '/send', '/bills', '/history', '/mandates']
  return {
    ...Object.fromEntries(plain.map((path) => [`/dev/phone${path}`, [`/dev/phone${path}`]])),
    '/dev/phone/send/confirm': [confirm.pathname + confirm.search],
    '/dev/phone/charge': [`/dev/phone/charge?c=${pending}`],
    '/dev/phone/link/{code}': [`/dev/phone/link/${code}`],
    '/dev/phone/bills/{biller}': [`/dev/phone/bills/${biller}`],
    '/dev/phone/bills/{biller}/{product}': [product],
    '/dev/phone/bills/{biller}/{product}/pay': [pathname + search],
    // The newest movement, and payments without and with a problem.
    '/dev/phone/history/{id}': [body.data[0], charges.body.data[0], charges.body.data.at(-1)].map((one) => `/dev/phone/history/${one?.id}`),
    '/dev/phone/mandates/{id}': [`/dev/phone/mandates/${mandate}`],
    '/dev/phone/mandates/by-token/{token}': [`/dev/phone/mandates/by-token/${approval}`],
  }
}
