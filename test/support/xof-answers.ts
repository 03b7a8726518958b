// A day of a merchant and two wallets in XOF: each request with the bytes of its answer, in which ids, times and secrets are replaced.

import { openBiller } from './biller-callers.ts'
import { GOOD_PRODUCTS } from './biller-engine.ts'
import type { Client } from './client.ts'
import { eventuallyAsync } from './eventually.ts'
import { newKey, type TestServer } from './server-fixture.ts'
import { logIn } from './wallet-callers.ts'

const PIN = '2580'
const ACCOUNT = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' }

/** What differs from run to run, by what replaces it. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, '<time>'],
  [/\d{4}-\d\d-\d\d/g, '<day>'],
  [/https?:\/\/127\.0\.0\.1:\d+/g, '<base>'],
  [/\+22500\d{8}/g, '<phone>'],
  [/("(?:token|next_cursor|request_id|payment_reference)":)"[^"]*"/g, '$1"<text>"'],
  [/pk_test_[\w-]+/g, '<key>'],
  [/(<base>\/(?:pay|mandates|l|pay-link|logos)\/)[\w.-]+/g, '$1<text>'],
  [/(\/(?:charges|checkout|payment-links)\/)(?!<)[A-Za-z0-9_-]{16,}/g, '$1<text>'],
]

function unchanging(text: string): string {
  return CHANGING.reduce((left, [pattern, shown]) => left.replaceAll(pattern, shown), text)
}

interface Made {
  readonly id?: string
  readonly token?: string
  readonly state?: string
}

class Recorder {
  readonly lines: string[]
  readonly client: Client

  constructor(client: Client, lines: string[] = []) {
    this.client = client
    this.lines = lines
  }

  as(client: Client): Recorder {
    return new Recorder(client, this.lines)
  }

  async get(path: string): Promise<Made> {
    return this.#keep('GET', path, await this.client.get<Made>(path))
  }

  async post(path: string, body: object = {}): Promise<Made> {
    return this.#keep('POST', path, await this.client.post<Made>(path, body, newKey()))
  }

  #keep(method: string, path: string, { status, body, text }: { status: number; body: Made; text: string }): Made {
    this.lines.push(unchanging(`${method} ${path} ${status} ${text}`))
    return body
  }
}

/** Returns the requests and answers of a day. The server has no other merchant. */
export async function xofAnswers(server: TestServer): Promise<readonly string[]> {
  const merchant = await server.merchant('Boutique Awa')
  const { slug } = await openBiller(server, 'published', merchant)
  const biz = new Recorder(merchant.test)
  const awa = (await merchant.test.post<{ phone: string }>('/v1/biz/test/wallets', { tag: 'awa_or' })).body
  await biz.post('/v1/biz/test/wallets', { tag: 'kofi_or' })
  await biz.post('/v1/biz/test/deposits', { amount: 1_000_000 })
  await biz.post('/v1/biz/test/deposits', { recipient: 'awa_or', amount: 50_000 })
  await merchant.test.post('/v1/biz/biller/products', { slug: 'don', ...GOOD_PRODUCTS.user })
  const { client } = await logIn(server.anybody, awa.phone, PIN)
  const me = biz.as(client)
  await payOut(biz)
  await getPaid(biz, me)
  await plan(biz)
  await pay(me, slug)
  await read(biz, me, biz.as(server.operator), merchant.id)
  await disburse(biz)
  return biz.lines
}

async function payOut(biz: Recorder): Promise<void> {
  const payout = await biz.post('/v1/biz/payouts', { recipient: '@awa_or', amount: 5000, reference: 'PAIE', note: 'Novembre' })
  await biz.get(`/v1/biz/payouts/${payout.id}`)
  for (const body of [
    { recipient: '@nobody_or', amount: 1 },
    { recipient: 'kofi_or', amount: 2_000_000 },
    { recipient: 'kofi_or', amount: 10, currency: 'XOF' },
    { recipient: 'kofi_or', amount: 10, currency: 'GHS' },
    { recipient: 'kofi_or', amount: 0 },
    { recipient: 'kofi_or', amount: 12.5 },
  ])
    await biz.post('/v1/biz/payouts', body)
  const items = [
    { recipient: 'awa_or', amount: 1000 },
    { recipient: 'nobody_or', amount: 5 },
    { recipient: 'kofi_or', amount: 1500, reference: 'B', currency: 'GHS' },
    { recipient: 'kofi_or', amount: 2_000_000 },
  ]
  await biz.post('/v1/biz/payouts/batch?dry_run=true', { items, reference: 'LOT' })
  await biz.post('/v1/biz/payouts/batch', { items, reference: 'LOT' })
}

async function getPaid(biz: Recorder, me: Recorder): Promise<void> {
  const charge = { amount: 2500, reference: 'CMD-1', description: 'Panier', metadata: { panier: '1' } }
  const [first, second, third] = [
    await biz.post('/v1/biz/charges', charge),
    await biz.post('/v1/biz/charges', { ...charge, currency: 'GHS' }),
    await biz.post('/v1/biz/charges', { amount: 700 }),
  ]
  await biz.get(`/v1/biz/checkout/${first.token}`)
  await me.post(`/v1/me/charges/${first.token}/pay`, { pin: PIN })
  await biz.get(`/v1/biz/charges/${first.token}`)
  await biz.post(`/v1/biz/charges/${first.token}/refund`)
  await biz.post(`/v1/biz/charges/${third.token}/cancel`)
  await me.post(`/v1/me/charges/${third.token}/pay`, { pin: PIN })
  if (second.token !== undefined) throw new Error('a charge of another currency is refused')
  await biz.post('/v1/biz/payment-links', { amount: 1200, description: 'Thé' })
}

async function plan(biz: Recorder): Promise<void> {
  const schedule = { recurrence: 'monthly', start_at: '2030-01-01T08:00:00.000Z', reference: 'LOYER' }
  const { id } = await biz.post('/v1/biz/payout-schedules', { ...schedule, items: [{ recipient: 'kofi_or', amount: 900 }] })
  await biz.post(`/v1/biz/test/payout-schedules/${id}/run`)
  await biz.post('/v1/biz/mandates', {
    customer_tag: 'awa_or',
    amount: 500,
    interval: 'monthly',
    reference: 'ABO',
    description: 'Abonnement',
  })
  const withdrawal = await biz.post('/v1/biz/withdrawals', { amount: 4000, destination: ACCOUNT, reference: 'RET' })
  await biz.post(`/v1/biz/test/withdrawals/${withdrawal.id}/pay`)
  const topUp = await biz.post('/v1/biz/top-ups', { amount: 8000, reference: 'APP' })
  await biz.post(`/v1/biz/test/top-ups/${topUp.id}/confirm`)
}

async function disburse(biz: Recorder): Promise<void> {
  const items = [
    { recipient: 'kofi_or', amount: 300 },
    { recipient: 'nobody_or', amount: 1 },
  ]
  const { id } = await biz.post('/v1/biz/disbursements', { items, reference: 'MASSE', start: 'auto' })
  const path = `/v1/biz/disbursements/${id}`
  const silent = new Recorder(biz.client)
  await eventuallyAsync(async () => (await silent.get(path)).state === 'completed', 'the disbursement')
  await biz.get(path)
  await biz.get(`${path}/lines`)
}

async function pay(me: Recorder, biller: string): Promise<void> {
  await me.post('/v1/me/transfers', { recipient: 'kofi_or', amount: 600, note: 'Merci', pin: PIN })
  await me.post('/v1/me/transfers', { recipient: 'kofi_or', amount: 60_000_000, pin: PIN })
  await me.post(`/v1/me/directory/${biller}/products/don/pay`, { amount: 1500, form_values: {}, pin: PIN })
}

async function read(biz: Recorder, me: Recorder, operator: Recorder, merchantId: string): Promise<void> {
  for (const path of [
    'balance',
    'transactions',
    'payouts',
    'charges',
    'payment-links',
    'mandates',
    'withdrawals',
    'top-ups',
    'bill-payments',
    'till',
  ])
    await biz.get(`/v1/biz/${path}`)
  await biz.get('/v1/biz/events?limit=50')
  for (const path of ['balance', 'transactions', 'limits', 'directory']) await me.get(`/v1/me/${path}`)
  await me.get('/v1/me')
  await operator.get('/v1/operator/ledger/trial-balance?environment=test')
  await operator.get(`/v1/operator/merchants/${merchantId}`)
  await operator.get('/v1/operator/wallets?q=awa_or')
}
