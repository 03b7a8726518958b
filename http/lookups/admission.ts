// How many lookups may be under way, and of whom: a merchant whose system hangs fills its own part and nobody else's.
import { FIRST_PLACES_SHARE, LOOKUPS_PER_MERCHANT_MAX } from './limits.ts'

/** Takes and gives back places of one pool. */
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

  /** False when the owner has its part. The last places go to those who have none, one each. */
  take(owner: Owner): boolean {
    const own = this.#byOwner.get(owner) ?? 0
    const reserved = own === 0 ? 0 : this.#placesMax / FIRST_PLACES_SHARE
    if (own >= this.#perOwnerMax || this.#taken >= this.#placesMax - reserved) return false
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
