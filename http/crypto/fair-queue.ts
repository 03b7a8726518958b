// Bounded queue, served round-robin by provider, then by site of each provider (http/outbound/networks.ts). A caller
// that fills it waits behind itself, however many addresses it uses.
import { providerOf, siteOf } from '../outbound/networks.ts'

type Sites<Item> = Map<string, Item[]>

export class FairQueue<Item> {
  readonly #max: number
  #size = 0
  /** Providers in the order of service. */
  readonly #providers = new Map<string, Sites<Item>>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#size
  }

  /**
   * Adds the item and returns null. Over the maximum it drops and returns the newest item of the busiest site of the
   * busiest provider, which may be this one.
   */
  push(address: string, item: Item): Item | null {
    const [provider, site] = [providerOf(address), siteOf(address)]
    const sites = this.#providers.get(provider) ?? new Map<string, Item[]>()
    const items = sites.get(site) ?? []
    items.push(item)
    sites.set(site, items)
    this.#providers.set(provider, sites)
    this.#size++
    return this.#size > this.#max ? this.#drop(provider, site) : null
  }

  /** Takes the oldest item of the next site. */
  shift(): Item | undefined {
    const [first] = this.#providers
    if (first === undefined) return undefined
    const [provider, sites] = first
    const [site, items] = sites.entries().next().value as [string, Item[]]
    const item = items.shift()
    this.#size--
    toEnd(sites, site, items, items.length)
    toEnd(this.#providers, provider, sites, sites.size)
    return item
  }

  takeAll(): Item[] {
    const all = [...this.#providers.values()].flatMap((sites) => [...sites.values()].flat())
    this.#providers.clear()
    this.#size = 0
    return all
  }

  /** Drops an item. Among equals it drops the newcomer, so that two callers do not displace each other. */
  #drop(newProvider: string, newSite: string): Item {
    const provider = mostOf(this.#providers, newProvider, itemsOf)
    const sites = this.#providers.get(provider) as Sites<Item>
    const site = mostOf(sites, newSite, (items) => items.length)
    const items = sites.get(site) as Item[]
    const dropped = items.pop() as Item
    this.#size--
    if (items.length === 0) sites.delete(site)
    if (sites.size === 0) this.#providers.delete(provider)
    return dropped
  }
}

function itemsOf(sites: Sites<unknown>): number {
  let count = 0
  for (const items of sites.values()) count += items.length
  return count
}

function mostOf<Value>(map: Map<string, Value>, preferred: string, sizeOf: (value: Value) => number): string {
  let [most, name] = [0, preferred]
  for (const [key, value] of map) {
    const size = sizeOf(value)
    if (size > most || (size === most && key === preferred)) [most, name] = [size, key]
  }
  return name
}

/** Moves a served key to the end, or deletes it when it is empty. */
function toEnd<Value>(map: Map<string, Value>, key: string, value: Value, size: number): void {
  map.delete(key)
  if (size > 0) map.set(key, value)
}
