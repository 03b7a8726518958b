// The biller of a shop's day: published, with a product whose fulfillment code asks the biller's own system.
import { openBiller } from './biller-callers.ts'
import { GOOD_PRODUCTS } from './biller-engine.ts'
import { eventuallyAsync } from './eventually.ts'
import type { Receiver } from './receiver.ts'
import type { ShopDay } from './shop-day-steps.ts'

/** A biller of the shop whose fulfillment code asks the biller's system; returns its slug. */
export async function openShopBiller({ server, shopName }: Pick<ShopDay, 'server' | 'shopName'>, system: Receiver): Promise<string> {
  const { body } = await server.operator.get<{ data: readonly { id: string; name: string }[] }>('/v1/operator/merchants')
  const id = body.data.find(({ name }) => name === shopName)?.id ?? ''
  const keyed = (environment: 'test' | 'live') => server.keyed(id, environment, ['disbursements.write', 'billers.write'])
  const merchant = { id, test: await keyed('test'), live: await keyed('live') }
  const { slug } = await openBiller(server, 'published', merchant)
  const code = `async function onPaid(ctx) {
    const answer = await fetch('https://localhost:${system.port}/deliver', { method: 'POST', body: JSON.stringify(ctx) })
    if (!answer.ok) throw new Error('le système de recharge répond ' + answer.status)
  }`
  const product = { slug: 'recharge', ...GOOD_PRODUCTS.fixed, fulfillment_mode: 'code', fulfillment_code: code }
  await eventuallyAsync(
    async () => (await merchant.test.post('/v1/biz/biller/products', product)).status === 201,
    'the sandbox has started',
  )
  return slug
}
