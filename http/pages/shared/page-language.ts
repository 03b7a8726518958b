// The language of a page: the reader's choice, kept in a cookie, else that of the browser. `?lang=` in the address of a page is
// the choice. The cookie changes texts alone, so no token protects it.

import type { Call, Header } from '../../server/route.ts'
import { acceptedLanguage, isLanguage, type Language } from '../../text/language.ts'
import { cookieValue, setCookie } from './cookies.ts'

export type LanguageCall = Pick<Call, 'browser' | 'queryText' | 'body'>

const COOKIE = 'lang'
const COOKIE_S = 365 * 86_400

export interface PageLanguage {
  readonly language: Language
  /** The header that keeps the choice, where the address has one. */
  readonly cookies: readonly Header[]
  /** Relative address of the page in the other language. Null for the answer to a form, which no address leads to. */
  readonly otherAddress: string | null
}

export function languageOf({ browser, queryText, body }: LanguageCall): PageLanguage {
  const query = new URLSearchParams(queryText)
  const chosen = query.get('lang')
  const isChosen = isLanguage(chosen)
  const language = isChosen ? chosen : keptOrAccepted(browser)
  query.set('lang', language === 'fr' ? 'en' : 'fr')
  return { language, cookies: isChosen ? [cookieOf(language)] : [], otherAddress: body === undefined ? `?${query}` : null }
}

function keptOrAccepted(browser: Call['browser']): Language {
  const kept = cookieValue(browser, COOKIE)
  return isLanguage(kept) ? kept : acceptedLanguage(browser.acceptLanguage)
}

/** Not Secure, so that it holds for http too: it is no secret. */
function cookieOf(value: Language): Header {
  return setCookie({ name: COOKIE, value, path: '/', sameSite: 'lax', isSecure: false, maxAgeS: COOKIE_S })
}
