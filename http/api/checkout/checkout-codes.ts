// Payload of the QR code on a checkout page: the page's address with a code that changes every 15 seconds. A photograph of
// the QR code is therefore useless soon. A phone without the app opens the page.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TimeMs } from '../../../engine/kernel/time.ts'

const STEP_MS = 15_000
/** Length of the code: the HMAC truncated to 128 bits. */
const CODE_BYTES = 16
/** Matches `…/pay/{token}?c={code}` on any host. The HMAC authenticates the payload, not the host. */
const PAYLOAD = /^https?:\/\/[^?#]+\/pay\/([A-Za-z0-9_-]{32})\?c=([A-Za-z0-9_-]{22})$/

export interface CheckoutCode {
  readonly payload: string
  /** Seconds until the next code, at least 1. */
  readonly expiresInS: number
}

/** `malformed`: not a checkout payload. `expired`: the code is older than the previous time step, or forged. */
export type ReadCode = { readonly token: string } | 'malformed' | 'expired'

export class CheckoutCodes {
  readonly #key: Buffer

  /** `key` is derived from the master key for this purpose alone. */
  constructor(key: Buffer) {
    this.#key = key
  }

  code(checkoutUrl: string, token: string, nowMs: TimeMs): CheckoutCode {
    const step = Math.floor(nowMs / STEP_MS)
    const leftMs = (step + 1) * STEP_MS - nowMs
    return {
      payload: `${checkoutUrl}?c=${this.#mac(token, step).toString('base64url')}`,
      expiresInS: Math.max(1, Math.ceil(leftMs / 1000)),
    }
  }

  /** Accepts the code of the current and of the previous time step, so that a scan in the last second stays valid. */
  read(payload: string, nowMs: TimeMs): ReadCode {
    const [, token, code] = PAYLOAD.exec(payload) ?? []
    if (token === undefined || code === undefined) return 'malformed'
    const shown = Buffer.from(code, 'base64url')
    const step = Math.floor(nowMs / STEP_MS)
    const isNow = timingSafeEqual(shown, this.#mac(token, step))
    const isBefore = timingSafeEqual(shown, this.#mac(token, step - 1))
    return isNow || isBefore ? { token } : 'expired'
  }

  /** Returns the HMAC-SHA-256 of token and time step (Unix seconds / 15), truncated to 128 bits. */
  #mac(token: string, step: number): Buffer {
    return createHmac('sha256', this.#key).update(`${token}\n${step}`).digest().subarray(0, CODE_BYTES)
  }
}
