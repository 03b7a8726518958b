// Reads and writes the cookies of the pages, with the attributes that restrict their scope.
import type { BrowserWords, Header } from '../../server/route.ts'

export interface Cookie {
  readonly name: string
  /** Letters, digits, `_ - : .` alone. */
  readonly value: string
  /** Path attribute: `/` for names that begin with `__Host-`. */
  readonly path: string
  /** SameSite attribute. `lax` also sends the cookie when the user follows a link from another site. */
  readonly sameSite: 'strict' | 'lax'
  /** Secure attribute: sent over HTTPS alone. */
  readonly isSecure: boolean
  /** Max-Age attribute. 0 deletes the cookie; null makes it a session cookie of the browser. */
  readonly maxAgeS: number | null
}

/** Returns the value. An absent cookie returns '', and so does a duplicate, which another site may have set (RFC 6265, 8.6). */
export function cookieValue({ cookie }: Pick<BrowserWords, 'cookie'>, name: string): string {
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? (values[0] as string).slice(name.length + 1) : ''
}

/** Returns the Set-Cookie header, always HttpOnly: no script reads it. */
export function setCookie({ name, value, path, sameSite, isSecure, maxAgeS }: Cookie): Header {
  const parts = [`${name}=${value}`, `Path=${path}`, 'HttpOnly', sameSite === 'strict' ? 'SameSite=Strict' : 'SameSite=Lax']
  if (isSecure) parts.push('Secure')
  if (maxAgeS !== null) parts.push(`Max-Age=${maxAgeS}`)
  return ['Set-Cookie', parts.join('; ')]
}
