// Draws and hashes one-time codes. The code goes to the phone and nowhere else.

import { createHmac, randomInt } from 'node:crypto'
import { OTP_LENGTH, TEST_WALLET_OTP } from '../../../engine/api.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'

export class OtpCodes {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  /** Test phones always have the same one: nothing is sent to them. */
  draw(phone: string): string {
    if (environmentOfPhone(phone) === 'test') return TEST_WALLET_OTP
    return String(randomInt(10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0')
  }

  /** Bound to its challenge, so that it can be compared with no other; keyed, or a million tries would undo it. */
  hash(challengeId: string, code: string): string {
    return createHmac('sha256', this.#key).update(`${challengeId}\n${code}`).digest('base64url')
  }
}
