// Cookies of the pages: read out of the one header they come in, written with everything that keeps them at home.
import type { BrowserWords, Header } from '../server/route.ts'

export interface Cookie {
  readonly name: string
  /** Letters, digits, `_ - : .` alone. */
  readonly value: string
  /** Which addresses get it. `/` for names that begin with `__Host-`. */
  readonly path: string
  /** `lax`: also when a link from elsewhere leads here. */
  readonly sameSite: 'strict' | 'lax'
  /** Over HTTPS alone. */
  readonly isSecure: boolean
  /** 0 takes it away; null keeps it until the browser is closed. */
  readonly maxAgeS: number | null
}

/** Empty when it is not there, or there twice: then somebody else has put one of them (RFC 6265, section 8.6). */
export function cookieValue({ cookie }: Pick<BrowserWords, 'cookie'>, name: string): string {
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? (values[0] as string).slice(name.length + 1) : ''
}

/** No script ever reads it. */
export function setCookie({ name, value, path, sameSite, isSecure, maxAgeS }: Cookie): Header {
  const parts = [`${name}=${value}`, `Path=${path}`, 'HttpOnly', sameSite === 'strict' ? 'SameSite=Strict' : 'SameSite=Lax']
  if (isSecure) parts.push('Secure')
  if (maxAgeS !== null) parts.push(`Max-Age=${maxAgeS}`)
  return ['Set-Cookie', parts.join('; ')]
}
