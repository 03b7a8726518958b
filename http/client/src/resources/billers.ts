// Bills that customers pay in the app: profile, products, hosted code and its runs, payments.
import { type List, listOf } from '../list.ts'
import { fileForm } from '../multipart.ts'
import type { RequestOptions } from '../transport.ts'
import type { Answer, Body, Query, Row, Schema } from '../types.ts'
import { Resource } from './resource.ts'

export class Billers extends Resource {
  get(options: RequestOptions = {}): Promise<Schema<'Biller'>> {
    return this.transport.get('/v1/biz/biller', {}, {}, options)
  }

  save(body: Body<'saveBiller'>, options: RequestOptions = {}): Promise<Schema<'Biller'>> {
    return this.transport.put('/v1/biz/biller', {}, body, options)
  }

  categories(query: Query<'listBillerCategories'> = {}, options: RequestOptions = {}): List<Row<'listBillerCategories'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/biller/categories', {}, page, options))
  }

  /** PNG, JPEG or WebP, square. */
  uploadLogo(image: Uint8Array, options: RequestOptions = {}): Promise<Answer<'uploadBillerLogo'>> {
    return this.transport.postBytes('/v1/biz/biller/logo', fileForm('file', 'logo', image), options)
  }

  /** Sends the profile to an operator for review. */
  submit(options: RequestOptions = {}): Promise<Schema<'Biller'>> {
    return this.transport.post('/v1/biz/biller/submit', {}, undefined, options)
  }
}

export class Products extends Resource {
  create(body: Body<'createProduct'>, options: RequestOptions = {}): Promise<Schema<'Product'>> {
    return this.transport.post('/v1/biz/biller/products', {}, body, options)
  }

  list(query: Query<'listProducts'> = {}, options: RequestOptions = {}): List<Row<'listProducts'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/biller/products', {}, page, options))
  }

  get(slug: string, options: RequestOptions = {}): Promise<Schema<'Product'>> {
    return this.transport.get('/v1/biz/biller/products/{slug}', { slug }, {}, options)
  }

  /** Replaces everything but a `lookup_secret` that is left out. */
  replace(slug: string, body: Body<'replaceProduct'>, options: RequestOptions = {}): Promise<Schema<'Product'>> {
    return this.transport.put('/v1/biz/biller/products/{slug}', { slug }, body, options)
  }

  activate(slug: string, options: RequestOptions = {}): Promise<Schema<'Product'>> {
    return this.transport.post('/v1/biz/biller/products/{slug}/activate', { slug }, undefined, options)
  }

  deactivate(slug: string, options: RequestOptions = {}): Promise<Schema<'Product'>> {
    return this.transport.post('/v1/biz/biller/products/{slug}/deactivate', { slug }, undefined, options)
  }

  /** Runs the lookup of the product: no quote is made. */
  testLookup(slug: string, body: Body<'testLookup'> = {}, options: RequestOptions = {}): Promise<Answer<'testLookup'>> {
    return this.transport.post('/v1/biz/biller/products/{slug}/test-lookup', { slug }, body, options)
  }

  /** Runs `onPaid` of the product: nothing is paid. */
  testFulfillment(slug: string, body: Body<'testFulfillment'> = {}, options: RequestOptions = {}): Promise<Answer<'testFulfillment'>> {
    return this.transport.post('/v1/biz/biller/products/{slug}/test-fulfillment', { slug }, body, options)
  }

  /** The last 100 runs of the product's code and lookups. */
  runs(slug: string, query: Query<'listCodeRuns'> = {}, options: RequestOptions = {}): List<Row<'listCodeRuns'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/biller/products/{slug}/runs', { slug }, page, options))
  }
}

export class BillPayments extends Resource {
  list(query: Query<'listBillPayments'> = {}, options: RequestOptions = {}): List<Row<'listBillPayments'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/bill-payments', {}, page, options))
  }

  get(transactionId: string, options: RequestOptions = {}): Promise<Answer<'getBillPayment'>> {
    return this.transport.get('/v1/biz/bill-payments/{transaction_id}', { transaction_id: transactionId }, {}, options)
  }

  /** Runs the fulfillment code once more and sends `bill.paid` again. */
  redeliver(
    transactionId: string,
    body: Body<'redeliverBillPayment'> = {},
    options: RequestOptions = {},
  ): Promise<Answer<'redeliverBillPayment'>> {
    return this.transport.post('/v1/biz/bill-payments/{transaction_id}/redeliver', { transaction_id: transactionId }, body, options)
  }

  /** Sends the whole amount back to the payer. Name the amount to be sure of it: another one is an error, and nothing moves. */
  refund(transactionId: string, body?: Body<'refundBillPayment'>, options: RequestOptions = {}): Promise<Answer<'refundBillPayment'>> {
    return this.transport.post('/v1/biz/bill-payments/{transaction_id}/refund', { transaction_id: transactionId }, body, options)
  }
}
