// Draws and hashes one-time codes. The code goes to the phone and nowhere else.

import { createHmac, randomInt } from 'node:crypto'
import { OTP_LENGTH, TEST_WALLET_OTP } from '../../../engine/api.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'

export class OtpCodes {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  /** Draws a code. Test phones always get the same one, because nothing is sent to them. */
  draw(phone: string): string {
    if (environmentOfPhone(phone) === 'test') return TEST_WALLET_OTP
    return String(randomInt(10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0')
  }

  /**
   * Returns the code's hash, bound to its challenge. It is keyed, because a million attempts would invert a plain
   * one.
   */
  hash(challengeId: string, code: string): string {
    return createHmac('sha256', this.#key).update(`${challengeId}\n${code}`).digest('base64url')
  }
}
