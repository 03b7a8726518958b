// Admission by dynamic thresholds (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches",
// 1998): an owner may hold a fixed fraction of what is free. Greedy owners shrink each other and leave room for the next one.
import { FREE_FRACTION, LOOKUPS_PER_MERCHANT_MAX } from './lookup-limits.ts'

/** Admission to the slots of one pool. */
export class Admission<Owner> {
  readonly #placesMax: number
  readonly #perOwnerMax: number
  readonly #freeFraction: number
  readonly #byOwner = new Map<Owner, number>()
  #taken = 0

  constructor(placesMax: number, perOwnerMax: number = LOOKUPS_PER_MERCHANT_MAX, freeFraction: number = FREE_FRACTION) {
    this.#placesMax = placesMax
    this.#perOwnerMax = perOwnerMax
    this.#freeFraction = freeFraction
  }

  get taken(): number {
    return this.#taken
  }

  /** Takes slots. Returns false when the owner has its share. An owner without any gets them as long as one is free. */
  take(owner: Owner, count = 1): boolean {
    const own = this.#byOwner.get(owner) ?? 0
    const share = Math.ceil((this.#placesMax - this.#taken) * this.#freeFraction)
    const most = Math.min(this.#perOwnerMax, share)
    if (most < 1 || (own > 0 && own + count > most)) return false
    this.#byOwner.set(owner, own + count)
    this.#taken += count
    return true
  }

  giveBack(owner: Owner, count = 1): void {
    const own = (this.#byOwner.get(owner) ?? 0) - count
    this.#taken -= count
    if (own === 0) this.#byOwner.delete(owner)
    else this.#byOwner.set(owner, own)
  }
}
