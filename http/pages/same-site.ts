// Whether a request comes from a page of ours, as far as browsers say. Forms that anybody may send, before there is a
// session with a token, have nothing else to go by.
import type { Call } from '../server/route.ts'

/** A browser that says where a request comes from must not say that it comes from elsewhere. */
export function isSameSite(call: Pick<Call, 'browser'>): boolean {
  const { fetchSite } = call.browser
  return (fetchSite === '' || fetchSite === 'same-origin') && isOwnOrigin(call)
}

/** Older browsers say it by `Origin` alone. */
export function isOwnOrigin({ browser: { host, origin } }: Pick<Call, 'browser'>): boolean {
  // Our pages say no-referrer, so browsers that send the header write `null` into it.
  return origin === '' || origin === 'null' || origin === `http://${host}` || origin === `https://${host}`
}
