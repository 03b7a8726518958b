// A bounded queue that serves networks in turn: providers first, then the sites of each provider (http/outbound/networks.ts).
// A caller who fills it waits behind itself, however many addresses it has.
import { providerOf, siteOf } from '../outbound/networks.ts'

type Sites<Item> = Map<string, Item[]>

export class FairQueue<Item> {
  readonly #max: number
  #size = 0
  /** The one that is served next first. */
  readonly #providers = new Map<string, Sites<Item>>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#size
  }

  /**
   * Adds the item. Over the maximum, the newest item of the site with the most items of the provider with the most items
   * is dropped and returned, which may be this one; otherwise null.
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

  /** Takes the oldest item of the site whose turn it is. */
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

  /** Among equals the newcomer goes, so that two callers do not drop each other's items in turn. */
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

/** Served, it is the last one in turn; without items it takes no room. */
function toEnd<Value>(map: Map<string, Value>, key: string, value: Value, size: number): void {
  map.delete(key)
  if (size > 0) map.set(key, value)
}
