// Many bills of one merchant are paid at once and its code waits in fetch. Fulfillment runs for every paid bill, and the honest
// merchant's bills are not late.
import { setTimeout as delay } from 'node:timers/promises'
import { Customer, openBillerSystem, openPaidFor, type PaidFor } from '../../../support/bill-callers.ts'
import { GOOD_PRODUCTS } from '../../../support/biller-engine.ts'
import type { Attack, AttackFigures } from '../attack.ts'

const CUSTOMERS = 4
const BILLS_EACH = 40
const FETCH_MS = 1_000
/** Maximum after the attack; shorter than the time that the harness allows the attacker to end. */
const REST_MAX_MS = 60_000

export const FULFILLMENT_BURST: Attack = {
  name: 'fulfillment-burst',
  title: `Pays ${CUSTOMERS * BILLS_EACH} bills of one merchant at once whose code waits ${FETCH_MS} ms in fetch.`,
  prepare: async ({ server }) => {
    const system = await openBillerSystem()
    system.answering = (_received, response) => setTimeout(() => response.end('{}'), FETCH_MS)
    const shop = await openPaidFor(server, system)
    const fulfillment_code = `async function onPaid(ctx) { await fetch('https://localhost:${system.port}/paid', { method: 'POST', body: ctx.charge_id }) }`
    const product = { ...GOOD_PRODUCTS.user, fulfillment_mode: 'code', fulfillment_code }
    const made = await shop.merchant.test.request('PUT', '/v1/biz/biller/products/jeton', { json: product })
    if (made.status !== 200) throw new Error(made.text)
    const customers: Customer[] = []
    for (let count = 0; count < CUSTOMERS; count++) customers.push(await Customer.open(server, shop, 10_000_000))
    return async (signal) => {
      const startMs = performance.now()
      const statuses = await Promise.all(customers.map((customer) => payAll(customer)))
      const paidMs = Math.round(performance.now() - startMs)
      const paid = statuses.flat().filter((status) => status === 200).length
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      const succeeded = await fulfilled(shop, paid)
      await system.close()
      return { paid, paid_ms: paidMs, succeeded } satisfies AttackFigures
    }
  },
  judge: ({ paid, succeeded }) => [
    ...(paid === CUSTOMERS * BILLS_EACH ? [] : [`${paid} of ${CUSTOMERS * BILLS_EACH} bills were paid`]),
    ...(succeeded === paid ? [] : [`${succeeded} of ${paid} paid bills were fulfilled`]),
  ],
}

function payAll(customer: Customer): Promise<number[]> {
  const pay = async (): Promise<number> => (await customer.pay('jeton', { amount: 1000 })).status
  return Promise.all(Array.from({ length: BILLS_EACH }, pay))
}

/** How many are fulfilled once all are, or when the time is over. */
async function fulfilled(shop: PaidFor, wanted: number): Promise<number> {
  for (const deadlineMs = performance.now() + REST_MAX_MS; ; await delay(200)) {
    const count = await countSucceeded(shop)
    if (count >= wanted || performance.now() > deadlineMs) return count
  }
}

interface BillPage {
  readonly data: readonly { readonly fulfillment: { readonly state: string } }[]
  readonly next_cursor: string | null
}

async function countSucceeded({ merchant }: PaidFor): Promise<number> {
  let count = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { body }: { body: BillPage } = await merchant.test.get<BillPage>(`/v1/biz/bill-payments?${query}`)
    count += body.data.filter(({ fulfillment }) => fulfillment.state === 'succeeded').length
    cursor = body.next_cursor
  }
  return count
}
