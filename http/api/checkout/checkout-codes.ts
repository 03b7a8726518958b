// What the QR code of a checkout page holds: the page's address with a code that changes every 15 seconds, so that a
// photograph of it is soon worth nothing. A phone without the app that reads it opens the page.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TimeMs } from '../../../engine/kernel/time.ts'

const STEP_MS = 15_000
/** 128 bits of the HMAC. */
const CODE_BYTES = 16
/** `…/pay/{token}?c={code}`, on whatever host: the code says whether it is ours. */
const PAYLOAD = /^https?:\/\/[^?#]+\/pay\/([A-Za-z0-9_-]{32})\?c=([A-Za-z0-9_-]{22})$/

export interface CheckoutCode {
  readonly payload: string
  /** Seconds until the next one, at least 1. */
  readonly expiresInS: number
}

/** `malformed`: no payload of ours. `expired`: older than the step before this one, or made up. */
export type ReadCode = { readonly token: string } | 'malformed' | 'expired'

export class CheckoutCodes {
  readonly #key: Buffer

  /** A key of its own, derived from the master key. */
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

  /** The code of this step, or of the one before: whoever scans in the last second still has time. */
  read(payload: string, nowMs: TimeMs): ReadCode {
    const [, token, code] = PAYLOAD.exec(payload) ?? []
    if (token === undefined || code === undefined) return 'malformed'
    const shown = Buffer.from(code, 'base64url')
    const step = Math.floor(nowMs / STEP_MS)
    const isNow = timingSafeEqual(shown, this.#mac(token, step))
    const isBefore = timingSafeEqual(shown, this.#mac(token, step - 1))
    return isNow || isBefore ? { token } : 'expired'
  }

  /** HMAC-SHA-256 over token and time step (Unix seconds / 15), cut to 128 bits. */
  #mac(token: string, step: number): Buffer {
    return createHmac('sha256', this.#key).update(`${token}\n${step}`).digest().subarray(0, CODE_BYTES)
  }
}
