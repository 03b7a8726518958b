// Pages asked for as an attacker's program would: any header, any cookie, no browser's manners.
import { request as send } from 'node:http'
import { decodedText } from './decoded-text.ts'

export interface RawAnswer {
  readonly status: number
  readonly text: string
  readonly location: string
  /** `name=value; …`, as they were sent. */
  readonly cookies: readonly string[]
}

export interface RawRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as a form by POST. */
  readonly form?: Readonly<Record<string, string>>
  readonly method?: string
}

export function askPage(baseUrl: string, path: string, { headers = {}, form, method }: RawRequest = {}): Promise<RawAnswer> {
  const body = form === undefined ? '' : new URLSearchParams(form).toString()
  const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
  return new Promise((resolve, reject) => {
    const outgoing = send(
      baseUrl + path,
      { method: method ?? (form === undefined ? 'GET' : 'POST'), headers: { ...type, ...headers }, agent: false },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.once('error', reject)
        incoming.once('end', () => {
          const { location = '', 'set-cookie': cookies = [], 'content-encoding': coding } = incoming.headers
          resolve({ status: incoming.statusCode ?? 0, text: decodedText(Buffer.concat(chunks), coding), location, cookies })
        })
      },
    )
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

/** The hidden field of a page's first form. */
export function hidden(text: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
}

/** What a browser sends back. */
export function cookieHeader({ cookies }: Pick<RawAnswer, 'cookies'>): { readonly cookie: string } {
  return { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') }
}
