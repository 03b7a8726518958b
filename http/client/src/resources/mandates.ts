// Subscriptions: what a customer lets you collect, once approved.
import { type List, listOf } from '../list.ts'
import type { RequestOptions } from '../transport.ts'
import type { Answer, Body, Query, Row } from '../types.ts'
import { Resource } from './resource.ts'

export class Mandates extends Resource {
  /** Asks a customer. The mandate is `pending` until its `approval_url` is followed. */
  create(body: Body<'createMandate'>, options: RequestOptions = {}): Promise<Answer<'createMandate'>> {
    return this.transport.post('/v1/biz/mandates', {}, body, options)
  }

  list(query: Query<'listMandates'> = {}, options: RequestOptions = {}): List<Row<'listMandates'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/mandates', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Answer<'getMandate'>> {
    return this.transport.get('/v1/biz/mandates/{id}', { id }, {}, options)
  }

  cancel(id: string, options: RequestOptions = {}): Promise<Answer<'cancelMandate'>> {
    return this.transport.post('/v1/biz/mandates/{id}/cancel', { id }, undefined, options)
  }

  /** Payments of the mandate. */
  listCharges(id: string, query: Query<'listMandateCharges'> = {}, options: RequestOptions = {}): List<Row<'listMandateCharges'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/mandates/{id}/charges', { id }, page, options))
  }

  /** Collects under a mandate of interval `on_demand`. */
  charge(id: string, body: Body<'chargeMandate'>, options: RequestOptions = {}): Promise<Answer<'chargeMandate'>> {
    return this.transport.post('/v1/biz/mandates/{id}/charges', { id }, body, options)
  }
}
