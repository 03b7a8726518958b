// Bounded queue, served by least recent use of each provider, then of its sites (http/outbound/networks.ts). A caller that fills it waits
// behind itself, however many addresses it uses, and one that comes seldom goes before those that come all the time.
import { providerOf, siteOf } from '../outbound/networks.ts'

type Sites<Item> = Map<string, Item[]>

export class FairQueue<Item> {
  readonly #max: number
  readonly #now: () => number
  readonly #uses = new RecentUses()
  #size = 0
  /** Providers in the order of service among those that used it as much. */
  readonly #providers = new Map<string, Sites<Item>>()

  /** `now` is a monotonic clock in milliseconds. */
  constructor(max: number, now: () => number = () => performance.now()) {
    this.#max = max
    this.#now = now
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

  /** Takes the oldest item of the site that used it least of late. */
  shift(): Item | undefined {
    if (this.#size === 0) return undefined
    const nowMs = this.#now()
    const provider = this.#uses.leastOf(this.#providers.keys(), nowMs)
    const sites = this.#providers.get(provider) as Sites<Item>
    const site = this.#uses.leastOf(sites.keys(), nowMs)
    const items = sites.get(site) as Item[]
    const item = items.shift()
    this.#size--
    this.#uses.add(provider, nowMs)
    this.#uses.add(site, nowMs)
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

const HALF_LIFE_MS = 60_000
/** Providers and sites that are remembered; beyond, the one that used it longest ago is forgotten. */
const REMEMBERED_MAX = 8192

/** Uses of late by provider and site: each counts half after a minute. */
class RecentUses {
  readonly #uses = new Map<string, { readonly count: number; readonly atMs: number }>()

  /** Returns the name with the least use, the first of several. There is at least one. */
  leastOf(names: Iterable<string>, nowMs: number): string {
    let [least, found] = [Number.POSITIVE_INFINITY, '']
    for (const name of names) {
      const count = this.#countOf(name, nowMs)
      if (count < least) [least, found] = [count, name]
    }
    return found
  }

  add(name: string, nowMs: number): void {
    const count = this.#countOf(name, nowMs) + 1
    this.#uses.delete(name)
    this.#uses.set(name, { count, atMs: nowMs })
    const [oldest] = this.#uses.keys()
    if (oldest !== undefined && this.#uses.size > REMEMBERED_MAX) this.#uses.delete(oldest)
  }

  #countOf(name: string, nowMs: number): number {
    const use = this.#uses.get(name)
    return use === undefined ? 0 : use.count * 2 ** ((use.atMs - nowMs) / HALF_LIFE_MS)
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
