// Checks by the headers of the browser whether a request comes from this origin. Forms without a session have no CSRF token
// and depend on this check.
import type { BrowserWords } from './route.ts'

export type SiteWords = Pick<BrowserWords, 'host' | 'origin' | 'fetchSite'>

interface WithBrowser {
  readonly browser: SiteWords
}

/** Returns false when the headers name another site. A browser without such headers passes. */
export function isSameSite(call: WithBrowser): boolean {
  const { fetchSite } = call.browser
  return (fetchSite === '' || fetchSite === 'same-origin') && isOwnOrigin(call)
}

/** Checks `Origin`, for browsers that send no `Sec-Fetch-Site`. */
export function isOwnOrigin({ browser: { host, origin } }: WithBrowser): boolean {
  // The pages set `no-referrer`, so browsers that send the header set it to `null`.
  return origin === '' || origin === 'null' || origin === `http://${host}` || origin === `https://${host}`
}
