// Bytes of fetch requests that wait for their answer, counted by merchant and in all: what one run may send has a limit, and
// many runs that send it at once must not fill the server. Small requests are not counted: how many there are has a limit.
import { SEND_BYTES_UNCOUNTED, UNDER_WAY_BYTES_MAX, UNDER_WAY_PER_MERCHANT_BYTES_MAX } from './limits.ts'

export class BytesUnderWay {
  readonly #byMerchant = new Map<string, number>()
  #all = 0

  /** False when it is too much now. */
  take(merchantId: string, bytes: number): boolean {
    if (bytes <= SEND_BYTES_UNCOUNTED) return true
    const own = (this.#byMerchant.get(merchantId) ?? 0) + bytes
    if (own > UNDER_WAY_PER_MERCHANT_BYTES_MAX || this.#all + bytes > UNDER_WAY_BYTES_MAX) return false
    this.#byMerchant.set(merchantId, own)
    this.#all += bytes
    return true
  }

  giveBack(merchantId: string, bytes: number): void {
    if (bytes <= SEND_BYTES_UNCOUNTED) return
    const own = (this.#byMerchant.get(merchantId) ?? 0) - bytes
    if (own > 0) this.#byMerchant.set(merchantId, own)
    else this.#byMerchant.delete(merchantId)
    this.#all -= bytes
  }
}
