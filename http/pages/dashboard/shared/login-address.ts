// The address of the login, and the page of the dashboard that it leads to.
import type { Call } from '../../../server/route.ts'

/** Values of `ok` on the first page after a login and a sign-up. */
export const SIGNED_IN = 'in'
export const SIGNED_UP = 'welcome'
/** Parameter and value on the login form. */
export const LOST_SESSION = ['session', 'lost'] as const

/** Returns the login address. A first page without a session means that the browser rejected the cookie. */
export function loginAddress(queryText: string, asked = ''): string {
  const ok = new URLSearchParams(queryText).get('ok')
  if (ok === SIGNED_IN || ok === SIGNED_UP) return `login?${LOST_SESSION.join('=')}`
  return asked === '' ? 'login' : `login?${new URLSearchParams({ next: asked })}`
}

/** Pages of the dashboard, below `/dashboard/`: no other address can follow a login. */
const NEXT_PAGE = /^(?:test|live)(?:\/[\w~%-][\w.~%-]*)*(?:\?[\w.~%&=+@:,;*-]*)?$/
const NEXT_LENGTH_MAX = 1000

/** Returns the page below `/dashboard/` that a login leads to; empty for a text that is none. */
export function nextPage(text: string | undefined): string {
  return text !== undefined && text.length <= NEXT_LENGTH_MAX && NEXT_PAGE.test(text) ? text : ''
}

/** Returns the page that was asked for, below `/dashboard/`; empty for a form, which no address repeats. */
export function askedPage(path: string, { params, queryText, body }: Pick<Call, 'params' | 'queryText' | 'body'>): string {
  if (body !== undefined) return ''
  let index = 0
  const filled = path.replace('/dashboard/', '').replaceAll(/\{\w+\}/g, () => encodeURIComponent(params[index++] ?? ''))
  return nextPage(queryText === '' ? filled : `${filled}?${queryText}`)
}
