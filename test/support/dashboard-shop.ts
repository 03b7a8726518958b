// A merchant with funds and one customer, on the dashboard as a browser without a script sends its forms.
import type { Client } from './client.ts'
import { signUp } from './dashboard-callers.ts'
import { newTag, type TestServer } from './server-fixture.ts'

export interface Shop {
  readonly keyed: Client
  readonly merchantId: string
  /** `name=value`, as a browser sends it. */
  readonly cookie: string
  readonly tag: string
  readonly phone: string
  /** As the dashboard answers it. */
  readonly get: (path: string) => Promise<Response>
  /** Text of the page, without tags, blanks as one. */
  readonly read: (path: string) => Promise<string>
  readonly post: (path: string, fields: Readonly<Record<string, string>>, type?: 'form' | 'file') => Promise<Sent>
}

export interface Sent {
  readonly status: number
  readonly location: string
  readonly html: string
  readonly text: string
}

export function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/[\s\u00a0\u202f]+/g, ' ')
}

export async function openShop(server: TestServer, funds: number, currency?: string): Promise<Shop> {
  const owner = await signUp(server, 'Boutique', currency)
  const keyed = await server.keyed(owner.merchantId, 'test', ['disbursements.write'])
  const tag = newTag()
  if (funds > 0) await keyed.post('/v1/biz/test/deposits', { amount: funds })
  const { body } = await keyed.post<{ phone: string }>('/v1/biz/test/wallets', { tag })
  const base = `${server.process.baseUrl}/dashboard/test`
  const headers = { cookie: owner.cookie }
  const get = (path: string): Promise<Response> => fetch(path === '' ? base : `${base}/${path}`, { redirect: 'manual', headers })
  return {
    ...{ keyed, merchantId: owner.merchantId, cookie: owner.cookie, tag, phone: body.phone },
    get,
    read: async (path) => plainText(await (await get(path)).text()),
    post: async (path, fields, type = 'form') => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ csrf: owner.csrfToken, ...fields })) form.set(name, value)
      const sent = type === 'file' ? form : new URLSearchParams([...form].map(([name, value]): [string, string] => [name, String(value)]))
      const answer = await fetch(`${base}/${path}`, { method: 'POST', redirect: 'manual', headers, body: sent })
      const html = await answer.text()
      return { status: answer.status, location: answer.headers.get('location') ?? '', html, text: plainText(html) }
    },
  }
}

/** Returns the hidden fields of the form with this action, which includes its closing quote. */
export function hiddenOf(html: string, action: string): Record<string, string> {
  const form = html.split('<form').find((one) => one.slice(0, one.indexOf('>')).includes(action)) ?? ''
  const fields = form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  return Object.fromEntries(
    [...fields].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    ]),
  )
}
