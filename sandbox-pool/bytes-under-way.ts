// Counts the bytes of pending fetch requests, by merchant and in total, because many runs could fill the server's memory at once.
// Small requests are not counted: their number is limited.
import { SEND_BYTES_UNCOUNTED, UNDER_WAY_BYTES_MAX, UNDER_WAY_PER_MERCHANT_BYTES_MAX } from './limits.ts'

export class BytesUnderWay {
  readonly #byMerchant = new Map<string, number>()
  #all = 0

  /** Counts the bytes. Returns false if they exceed a limit now. */
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
