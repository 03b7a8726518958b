// Money in: charges, their public checkout, and payment links.
import { type List, listOf } from '../list.ts'
import type { RequestOptions } from '../transport.ts'
import type { Answer, Body, Query, Row, Schema } from '../types.ts'
import { Resource } from './resource.ts'

export class Charges extends Resource {
  /** Asks for a payment. Show its `checkout_url` to the customer. */
  create(body: Body<'createCharge'>, options: RequestOptions = {}): Promise<Schema<'Charge'>> {
    return this.transport.post('/v1/biz/charges', {}, body, options)
  }

  list(query: Query<'listCharges'> = {}, options: RequestOptions = {}): List<Row<'listCharges'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/charges', {}, page, options))
  }

  /** Payments and refunds of a period, with their sums for each member. */
  till(query: Query<'getTill'> = {}, options: RequestOptions = {}): Promise<Schema<'Till'>> {
    return this.transport.get('/v1/biz/till', {}, query, options)
  }

  /** By token or id. */
  get(token: string, options: RequestOptions = {}): Promise<Schema<'Charge'>> {
    return this.transport.get('/v1/biz/charges/{token}', { token }, {}, options)
  }

  cancel(token: string, options: RequestOptions = {}): Promise<Schema<'Charge'>> {
    return this.transport.post('/v1/biz/charges/{token}/cancel', { token }, undefined, options)
  }

  /** Sends the whole amount back to the payer. Name the amount to be sure of it: another one is an error, and nothing moves. */
  refund(token: string, body?: Body<'refundCharge'>, options: RequestOptions = {}): Promise<Schema<'Charge'>> {
    return this.transport.post('/v1/biz/charges/{token}/refund', { token }, body, options)
  }
}

/** What customers say about their payments. A refund of the payment ends its problem. */
export class Problems extends Resource {
  list(query: Query<'listProblems'> = {}, options: RequestOptions = {}): List<Row<'listProblems'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/problems', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Schema<'Problem'>> {
    return this.transport.get('/v1/biz/problems/{id}', { id }, {}, options)
  }

  /** The customer reads the text. `CauriError` with `problem_closed` where the problem is not open any more. */
  answer(id: string, body: Body<'answerProblem'>, options: RequestOptions = {}): Promise<Schema<'Problem'>> {
    return this.transport.post('/v1/biz/problems/{id}/answer', { id }, body, options)
  }
}

/** What the payment page of a charge asks. Public routes: the token is the only credential. */
export class Checkout extends Resource {
  get(token: string, options: RequestOptions = {}): Promise<Schema<'Checkout'>> {
    return this.transport.get('/v1/biz/checkout/{token}', { token }, {}, options)
  }

  status(token: string, options: RequestOptions = {}): Promise<Schema<'CheckoutStatus'>> {
    return this.transport.get('/v1/biz/checkout/{token}/status', { token }, {}, options)
  }

  /** The QR code to show, which changes every 15 seconds. */
  qr(token: string, options: RequestOptions = {}): Promise<Schema<'CheckoutQr'>> {
    return this.transport.get('/v1/biz/checkout/{token}/qr', { token }, {}, options)
  }

  /** Sends a code to the payer's phone. */
  startOtp(token: string, body: Body<'startCheckoutOtp'>, options: RequestOptions = {}): Promise<Schema<'CheckoutOtp'>> {
    return this.transport.post('/v1/biz/checkout/{token}/otp', { token }, body, options)
  }

  pay(token: string, body: Body<'payCheckout'>, options: RequestOptions = {}): Promise<Answer<'payCheckout'>> {
    return this.transport.post('/v1/biz/checkout/{token}/pay', { token }, body, options)
  }
}

export class PaymentLinks extends Resource {
  /** One address for many payments. It may be printed. */
  create(body: Body<'createPaymentLink'>, options: RequestOptions = {}): Promise<Schema<'PaymentLink'>> {
    return this.transport.post('/v1/biz/payment-links', {}, body, options)
  }

  list(query: Query<'listPaymentLinks'> = {}, options: RequestOptions = {}): List<Row<'listPaymentLinks'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/payment-links', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Schema<'PaymentLink'>> {
    return this.transport.get('/v1/biz/payment-links/{id}', { id }, {}, options)
  }

  close(id: string, options: RequestOptions = {}): Promise<Schema<'PaymentLink'>> {
    return this.transport.post('/v1/biz/payment-links/{id}/close', { id }, undefined, options)
  }
}
