// Cookies of the pages: read out of the one header they come in, written with everything that keeps them at home.
import type { BrowserWords, Header } from '../route.ts'

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

/** Empty when it is not there. Of two with one name the first counts: browsers send the one of the longer path first (RFC 6265, section 5.4). */
export function cookieValue({ cookie }: Pick<BrowserWords, 'cookie'>, name: string): string {
  for (const pair of cookie.split(';')) {
    const trimmed = pair.trim()
    if (trimmed.startsWith(`${name}=`)) return trimmed.slice(name.length + 1)
  }
  return ''
}

/** No script ever reads it. */
export function setCookie({ name, value, path, sameSite, isSecure, maxAgeS }: Cookie): Header {
  const parts = [`${name}=${value}`, `Path=${path}`, 'HttpOnly', sameSite === 'strict' ? 'SameSite=Strict' : 'SameSite=Lax']
  if (isSecure) parts.push('Secure')
  if (maxAgeS !== null) parts.push(`Max-Age=${maxAgeS}`)
  return ['Set-Cookie', parts.join('; ')]
}
