// Events: the list, the stream, and the endpoints that receive them as webhooks.
import { type StreamEvent, type StreamOptions, streamEvents } from '../event-stream.ts'
import { type List, listOf } from '../list.ts'
import type { RequestOptions } from '../transport.ts'
import type { Answer, Body, Query, Row, Schema } from '../types.ts'
import { Resource } from './resource.ts'

export class Events extends Resource {
  list(query: Query<'listEvents'> = {}, options: RequestOptions = {}): List<Row<'listEvents'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/events', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Schema<'Event'>> {
    return this.transport.get('/v1/biz/events/{id}', { id }, {}, options)
  }

  /** Sends the event to its endpoints again. */
  redeliver(id: string, options: RequestOptions = {}): Promise<Schema<'Event'>> {
    return this.transport.post('/v1/biz/events/{id}/redeliver', { id }, undefined, options)
  }

  /** Events as they happen. Lost connections are opened again and go on behind the last event. */
  stream(options: StreamOptions = {}): AsyncGenerator<StreamEvent, void, undefined> {
    return streamEvents(this.transport, options)
  }
}

export class WebhookEndpoints extends Resource {
  /** The secret is in this answer and in that of `rotateSecret`, and nowhere else. */
  create(body: Body<'createWebhookEndpoint'>, options: RequestOptions = {}): Promise<Schema<'WebhookEndpointWithSecret'>> {
    return this.transport.post('/v1/biz/webhook-endpoints', {}, body, options)
  }

  list(query: Query<'listWebhookEndpoints'> = {}, options: RequestOptions = {}): List<Row<'listWebhookEndpoints'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/webhook-endpoints', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Schema<'WebhookEndpoint'>> {
    return this.transport.get('/v1/biz/webhook-endpoints/{id}', { id }, {}, options)
  }

  update(id: string, body: Body<'updateWebhookEndpoint'>, options: RequestOptions = {}): Promise<Schema<'WebhookEndpoint'>> {
    return this.transport.put('/v1/biz/webhook-endpoints/{id}', { id }, body, options)
  }

  delete(id: string, options: RequestOptions = {}): Promise<Answer<'deleteWebhookEndpoint'>> {
    return this.transport.delete('/v1/biz/webhook-endpoints/{id}', { id }, options)
  }

  /** One row for each attempt. */
  deliveries(id: string, query: Query<'listDeliveries'> = {}, options: RequestOptions = {}): List<Row<'listDeliveries'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/webhook-endpoints/{id}/deliveries', { id }, page, options))
  }

  rotateSecret(
    id: string,
    body: Body<'rotateWebhookSecret'> = {},
    options: RequestOptions = {},
  ): Promise<Schema<'WebhookEndpointWithSecret'>> {
    return this.transport.post('/v1/biz/webhook-endpoints/{id}/rotate-secret', { id }, body, options)
  }

  /** Sends an event of type `ping` to the endpoint. */
  ping(id: string, options: RequestOptions = {}): Promise<Schema<'Event'>> {
    return this.transport.post('/v1/biz/webhook-endpoints/{id}/ping', { id }, undefined, options)
  }

  /** The secret that signs calls to a charge's own `webhook_url` while there is no endpoint. */
  async defaultSecret(options: RequestOptions = {}): Promise<string> {
    return (await this.transport.get('/v1/biz/webhook-secret', {}, {}, options)).secret
  }
}
