// Billers over HTTP: forms with files, and merchants who are as far in the directory as a test needs them.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { Biller } from '../../engine/contract/biller.ts'
import { GOOD_PRODUCTS, type Json } from './biller-engine.ts'
import type { Client, Outgoing } from './client.ts'
import { png } from './pictures.ts'
import type { Merchant, TestServer } from './server-fixture.ts'

export interface FormPart {
  readonly name: string
  readonly content: Buffer | string
  readonly fileName?: string
}

const BOUNDARY = '----un-formulaire'

export function form(parts: readonly FormPart[], boundary = BOUNDARY): Pick<Outgoing, 'body' | 'contentType'> {
  const pieces = parts.flatMap(({ name, content, fileName }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    return [Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`), Buffer.from(content), '\r\n']
  })
  const body = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
  return { body, contentType: `multipart/form-data; boundary=${boundary}` }
}

/** A good logo, or one with something behind it. */
export function logoForm(more = '', picture = png(128)): Pick<Outgoing, 'body' | 'contentType'> {
  return form([{ name: 'file', content: Buffer.concat([picture, Buffer.from(more)]), fileName: 'logo.png' }])
}

export const PROFILE = { display_name: 'Énergie du Sahel', category: 'electricity', short_desc: 'L’électricité de tous.' }
export const PRODUCTS = '/v1/biz/biller/products'

export function put<Body = Biller>(client: Client, json: unknown, path = '/v1/biz/biller') {
  return client.request<Body>('PUT', path, { json })
}

export function upload(client: Client, picture: Buffer, headers: Readonly<Record<string, string>> = {}) {
  return client.request('POST', '/v1/biz/biller/logo', { ...logoForm('', picture), headers })
}

/** Status, and the code and parameter of a refusal. */
export function said({ status, body }: { status: number; body: Json }): readonly unknown[] {
  return body.code === undefined ? [status] : [status, body.code, ...(body.param === undefined ? [] : [body.param])]
}

interface Fetched {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}

/** As a browser would: logos stand in no document. */
export function fetched(
  server: TestServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, server.process.baseUrl), { headers, method, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) }))
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}

export type Reached = 'draft' | 'in_review' | 'published' | 'suspended'

/** A merchant with a profile, a logo and the product `facture`. */
export async function openBiller(server: TestServer, state: Reached, known?: Merchant): Promise<{ merchant: Merchant; slug: string }> {
  const merchant = known ?? (await server.merchant('Énergie du Sahel SA'))
  const saved = await merchant.test.request<{ slug: string }>('PUT', '/v1/biz/biller', { json: PROFILE })
  assert.equal(saved.status, 200, saved.text)
  const { slug } = saved.body
  const steps = [
    () => merchant.test.request('POST', '/v1/biz/biller/logo', logoForm()),
    () => merchant.test.post('/v1/biz/biller/products', { slug: 'facture', ...GOOD_PRODUCTS.lookup }),
    () => merchant.test.request('POST', '/v1/biz/biller/submit'),
    () => server.operator.request('POST', `/v1/operator/billers/${slug}/approve`),
    () => server.operator.post(`/v1/operator/billers/${slug}/suspend`, { reason: 'Plaintes.' }),
  ]
  const count = { draft: 2, in_review: 3, published: 4, suspended: 5 }[state]
  for (const step of steps.slice(0, count)) {
    const answer = await step()
    assert.ok(answer.status === 200 || answer.status === 201, answer.text)
  }
  return { merchant, slug }
}
