// Contacts: recipients that are paid again. `disbursements.create({ group })` pays a group of them.
import { type List, listOf } from '../list.ts'
import type { RequestOptions } from '../transport.ts'
import type { Body, Query, Row, Schema } from '../types.ts'
import { Resource } from './resource.ts'

export class Contacts extends Resource {
  /** Saves a contact. `CauriError` with `contact_exists` where one has the recipient already. */
  create(body: Body<'createContact'>, options: RequestOptions = {}): Promise<Schema<'Contact'>> {
    return this.transport.post('/v1/biz/contacts', {}, body, options)
  }

  list(query: Query<'listContacts'> = {}, options: RequestOptions = {}): List<Row<'listContacts'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/contacts', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Schema<'Contact'>> {
    return this.transport.get('/v1/biz/contacts/{id}', { id }, {}, options)
  }

  /** Replaces all fields: one that is not sent becomes empty. */
  replace(id: string, body: Body<'replaceContact'>, options: RequestOptions = {}): Promise<Schema<'Contact'>> {
    return this.transport.put('/v1/biz/contacts/{id}', { id }, body, options)
  }

  delete(id: string, options: RequestOptions = {}): Promise<Schema<'Deleted'>> {
    return this.transport.delete('/v1/biz/contacts/{id}', { id }, options)
  }
}
