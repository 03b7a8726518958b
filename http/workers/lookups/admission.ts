// Admission by dynamic thresholds (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches",
// 1998): an owner may hold a fixed fraction of what is free. Greedy owners shrink each other and leave room for the next one.
import { FREE_FRACTION, LOOKUPS_PER_MERCHANT_MAX } from './lookup-limits.ts'

/** Admission to the slots of one pool. */
export class Admission<Owner> {
  readonly #placesMax: number
  readonly #perOwnerMax: number
  readonly #byOwner = new Map<Owner, number>()
  #taken = 0

  constructor(placesMax: number, perOwnerMax: number = LOOKUPS_PER_MERCHANT_MAX) {
    this.#placesMax = placesMax
    this.#perOwnerMax = perOwnerMax
  }

  get taken(): number {
    return this.#taken
  }

  /** Takes a slot. Returns false when the owner has its share. */
  take(owner: Owner): boolean {
    const own = this.#byOwner.get(owner) ?? 0
    const share = Math.ceil((this.#placesMax - this.#taken) * FREE_FRACTION)
    if (own >= Math.min(this.#perOwnerMax, share)) return false
    this.#byOwner.set(owner, own + 1)
    this.#taken++
    return true
  }

  giveBack(owner: Owner): void {
    const own = (this.#byOwner.get(owner) ?? 0) - 1
    this.#taken--
    if (own === 0) this.#byOwner.delete(owner)
    else this.#byOwner.set(owner, own)
  }
}
