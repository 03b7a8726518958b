// The versions of a product in the log: written as changes, read as a whole.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PublicProduct } from '../../../../engine/domain/biller/product-versions.ts'
import { BillerFixture, GOOD_PRODUCTS, type Json } from '../../../support/biller-engine.ts'

describe('a product', () => {
  it('a product with much code writes a new title in few bytes, answers the whole product, and reads it after a start', async () => {
    const setup = await BillerFixture.open()
    const { fixture, merchant } = setup
    setup.must(setup.save(), 200)
    const body = { ...GOOD_PRODUCTS.user, fulfillment_mode: 'code', fulfillment_code: `function onPaid() {}${' '.repeat(40_000)}` }
    setup.must(setup.product('don', body), 201)
    const sizes: number[] = []
    const replace = (more: Json): PublicProduct => {
      const command = setup.product('don', { ...body, ...more }, { mode: 'replace' })
      const key = `put ${sizes.length}`
      const answer = fixture.do(command, { mailbox: merchant.live, key })
      const record = fixture.records.at(-1)
      assert.deepEqual([record?.command, record?.idempotency?.body], ['SaveProduct', 0], 'the answer is not written beside the event')
      sizes.push(Buffer.byteLength(record?.events[0]?.text ?? ''))
      assert.equal(fixture.do(command, { mailbox: merchant.live, key }).body, answer.body, 'the key has its answer')
      return JSON.parse(answer.body) as PublicProduct
    }
    for (const title of ['Don du mois', 'Don de l’année']) {
      const { title: shown, fulfillment_code, version } = replace({ title })
      assert.deepEqual([shown, fulfillment_code, version], [title, body.fulfillment_code, sizes.length + 1])
    }
    const code = `${body.fulfillment_code}//`
    replace({ fulfillment_code: code })
    replace({ fulfillment_code: code, min: 200 })
    const [first = 0, second = 0, whole = 0, last = 0] = sizes
    assert.ok(Math.max(first, second, last) < 500 && whole > 40_000, String(sizes))
    await fixture.startWithoutArchive()
    const product = fixture.state.billers.product('senelec-fils', 'don')
    assert.ok(product !== undefined)
    const { title, min, fulfillment_code } = fixture.state.billers.definitionOf(product, fixture.engine.history)
    assert.deepEqual([title, min, fulfillment_code, product.version], [GOOD_PRODUCTS.user.title, 200, code, 5])
  })
})
