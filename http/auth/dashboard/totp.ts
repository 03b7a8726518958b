// TOTP (RFC 6238): SHA-1, 6 digits, 30 s, as every authenticator app does it; the step before and after is accepted too. Recovery
// codes replace a lost phone, each once.
import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { RECOVERY_CODES } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'

const SECRET_BYTES = 20
const STEP_MS = 30_000
const DIGITS = 6
/** Steps before and after the present one that are accepted: clocks of phones differ. */
const WINDOW_STEPS = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CODE = /^[0-9]{6}$/
const RECOVERY = /^[a-z2-7]{5}-?[a-z2-7]{5}$/
const RECOVERY_HALF = 5

/** Returns a new secret in base32 (RFC 4648, without padding). */
export function newTotpSecret(): string {
  let bits = ''
  for (const byte of randomBytes(SECRET_BYTES)) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('')
}

/** Returns the address that authenticator apps read from the QR code. */
export function otpauthUrl(secret: string, account: string, issuer: string): string {
  const query = new URLSearchParams({ secret, issuer, algorithm: 'SHA1', digits: String(DIGITS), period: String(STEP_MS / 1000) })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query.toString().replaceAll('+', '%20')}`
}

/** Returns the time step that the code is right for; null for a wrong one. Compares every accepted step, in constant time. */
export function totpStep(secret: string, code: string, nowMs: TimeMs): number | null {
  if (!CODE.test(code)) return null
  const now = Math.floor(nowMs / STEP_MS)
  let found: number | null = null
  for (let step = now - WINDOW_STEPS; step <= now + WINDOW_STEPS; step++) {
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) found ??= step
  }
  return found
}

/** Returns the code of a time step (RFC 4226, section 5.3). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac[mac.length - 1] as number) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Returns new recovery codes of 50 random bits each: `abcde-fgh23`. */
export function newRecoveryCodes(): string[] {
  const letters = (): string => Array.from({ length: RECOVERY_HALF }, () => BASE32[randomInt(BASE32.length)]).join('')
  return Array.from({ length: RECOVERY_CODES }, () => `${letters()}-${letters()}`.toLowerCase())
}

/** Returns the typed text without separators, as a recovery code is hashed; null for any other text. */
export function recoveryText(typed: string): string | null {
  const plain = typed.trim().toLowerCase()
  return RECOVERY.test(plain) ? plain.replace('-', '') : null
}
