// Quotas: bounds of the tables that callers fill. A quota is declared once, in the module of its noun; its use counts the
// rows of the table by holder. Counts are derived from the rows, so replay and a restored snapshot have the same ones.
import { assert } from './assert.ts'
import { ENVIRONMENTS, type Environment } from './environment.ts'

/** Part of a table: an environment, or `both` where the rows belong to no environment. */
export type QuotaPart = Environment | 'both'

const PARTS = [...ENVIRONMENTS, 'both'] as const satisfies readonly QuotaPart[]

/** Whose rows a share limits. */
export type QuotaHolderKind = 'account' | 'merchant' | 'user' | 'biller' | 'network'

export type QuotaHolder = string | number

/** Maximum of a table that callers fill. */
export interface Quota {
  /** `param` of the rejection, and label of the metrics. Snake case; never changes. */
  readonly name: string
  /** What is counted, in a few English words, for the API description and the metrics. */
  readonly counts: string
  /** The same in French, for the operator's page. */
  readonly countsFr: string
  readonly holder: QuotaHolderKind
  /** Maximum of each part. Test never takes rows of live. */
  readonly max: Readonly<Partial<Record<QuotaPart, number>>>
  /** Maximum of one holder in one part. */
  readonly share: number
  /**
   * Dynamic threshold (Choudhury and Hahne, 1998): a holder has at most this fraction of what its class of holders has free, so that
   * large holders leave room for the next one. Absent: its share.
   */
  readonly ofFree?: number
  /**
   * What happens at the share. `refused`: 429 `quota_exceeded`. `oldest_gives_way`: the holder's oldest row is removed.
   * `not_made`: the row is not made, and the request succeeds without it.
   */
  readonly atShare: 'refused' | 'oldest_gives_way' | 'not_made'
  /** `Retry-After` of the rejection, in seconds. */
  readonly retryAfterS: number
}

/** A table that no quota limits, and what limits it instead. */
export interface OtherBound {
  readonly boundedBy: string
}

/** How a table counts its rows. */
export interface RowCount<Row> {
  readonly useOf: (row: Row) => QuotaUse
  readonly partOf: (row: Row) => QuotaPart
  readonly holderOf: (row: Row) => QuotaHolder
  /** Absent: every row counts. */
  readonly counts?: (row: Row) => boolean
}

export type TableBound<Row> = RowCount<Row> | OtherBound

/**
 * Up to which fraction of a part each class of holders may fill it. The rest is a reserve for the classes below: holders with
 * few rows, then proven ones (merchants that are active in live, wallets with live money), then proven ones with few rows.
 * A class that fills its own fraction takes nothing from the reserves of later classes.
 */
export const FILLED_BY = { many: 3 / 8, few: 3 / 4, provenMany: 7 / 8, provenFew: 1 } as const
/** Number of holders for whom the reserve of those with few rows is enough. `few` follows from it. */
export const RESERVED_HOLDERS = 1000

interface PartUse {
  readonly max: number
  /** A holder with fewer rows has few. */
  readonly few: number
  rows: number
  readonly held: Map<QuotaHolder, number>
  /** Number of holders by their number of rows, which finds the largest number in constant time. */
  readonly holders: Map<number, number>
  /** Null where it has to be looked for: a holder lost more than one row. */
  largest: number | null
}

export interface PartFigures {
  readonly part: QuotaPart
  readonly rows: number
  readonly max: number
  /** Rows of the holder with the most; 0 without rows. */
  readonly largest: number
}

/** What metrics and operators read of the use of a quota. */
export interface QuotaCounts {
  readonly quota: Quota
  readonly figures: readonly PartFigures[]
  largestHolder(part: QuotaPart): QuotaHolder | null
}

/** A part of a quota, and what the holder has of it. */
export interface PartRoom {
  readonly own: number
  readonly share: number
  readonly rows: number
  readonly max: number
  /** A holder with fewer rows has few. */
  readonly few: number
  readonly ofFree?: number | undefined
}

/** Returns whether the holder may have one row more: within its share, and within FILLED_BY. */
export function hasRoomIn({ own, share, rows, max, few, ofFree }: PartRoom, isProven: boolean): boolean {
  const isFew = own < few
  const filledBy = isProven ? (isFew ? FILLED_BY.provenFew : FILLED_BY.provenMany) : isFew ? FILLED_BY.few : FILLED_BY.many
  const free = Math.floor(max * filledBy) - rows
  return own < share && free > 0 && (ofFree === undefined || isFew || own < free * ofFree)
}

/** Rows of one quota by part and holder. */
export class QuotaUse implements QuotaCounts {
  readonly quota: Quota
  readonly #parts: Readonly<Partial<Record<QuotaPart, PartUse>>>

  constructor(quota: Quota) {
    this.quota = quota
    const parts = PARTS.filter((part) => quota.max[part] !== undefined)
    assert(parts.length > 0 && quota.share > 0, `the quota ${quota.name} has a maximum and a share`)
    this.#parts = Object.fromEntries(
      parts.map((part): [QuotaPart, PartUse] => {
        const max = quota.max[part] as number
        return [part, { max, few: fewOf(max), rows: 0, held: new Map(), holders: new Map(), largest: 0 }]
      }),
    )
  }

  /** Changes the number of rows of a holder. In the engine only `Table` calls it. */
  change(part: QuotaPart, holder: QuotaHolder, change: number): void {
    const use = this.#part(part)
    const before = use.held.get(holder) ?? 0
    const rows = before + change
    assert(rows >= 0, `${this.quota.name}: a holder has no fewer rows than none`)
    use.rows += change
    if (rows === 0) use.held.delete(holder)
    else use.held.set(holder, rows)
    move(use.holders, before, rows)
    if (use.largest === null) return
    // A largest holder that loses one row has the next lower count.
    if (rows > use.largest) use.largest = rows
    else if (before === use.largest && !use.holders.has(before)) use.largest = change === -1 ? rows : null
  }

  rowsOf(part: QuotaPart, holder: QuotaHolder): number {
    return this.#part(part).held.get(holder) ?? 0
  }

  rows(part: QuotaPart): number {
    return this.#part(part).rows
  }

  /** Rows of all parts. */
  get total(): number {
    return Object.values(this.#parts).reduce((sum, { rows }) => sum + rows, 0)
  }

  /** Returns whether the holder may have one row more, beside `more` new ones: within its share, and within FILLED_BY. */
  hasRoom(part: QuotaPart, holder: QuotaHolder, isProven: boolean, more = 0): boolean {
    const { max, few, rows, held } = this.#part(part)
    const own = (held.get(holder) ?? 0) + more
    const { share, ofFree } = this.quota
    return hasRoomIn({ own, share, rows: rows + more, max, few, ofFree }, isProven)
  }

  /** Returns the rows of each part; constant time where rows change by one. */
  get figures(): PartFigures[] {
    return PARTS.flatMap((part) => {
      const use = this.#parts[part]
      return use === undefined ? [] : [{ part, rows: use.rows, max: use.max, largest: largestOf(use) }]
    })
  }

  /** Returns a holder with the most rows; null without rows. Reads all holders: for pages, not for metrics. */
  largestHolder(part: QuotaPart): QuotaHolder | null {
    const use = this.#part(part)
    const largest = largestOf(use)
    for (const [holder, rows] of use.held) if (rows === largest) return holder
    return null
  }

  #part(part: QuotaPart): PartUse {
    const use = this.#parts[part]
    assert(use !== undefined, `the quota ${this.quota.name} has a maximum for ${part}`)
    return use
  }
}

/** Returns below how many rows a holder of a part of this size has few. */
export function fewOf(max: number): number {
  return Math.max(1, Math.floor((max * (FILLED_BY.few - FILLED_BY.many)) / RESERVED_HOLDERS))
}

function largestOf(use: PartUse): number {
  if (use.largest !== null) return use.largest
  use.largest = 0
  for (const rows of use.holders.keys()) if (rows > use.largest) use.largest = rows
  return use.largest
}

function move(holders: Map<number, number>, from: number, to: number): void {
  if (from > 0) {
    const count = (holders.get(from) ?? 0) - 1
    if (count === 0) holders.delete(from)
    else holders.set(from, count)
  }
  if (to > 0) holders.set(to, (holders.get(to) ?? 0) + 1)
}

/** The uses of all quotas of a state: one structure for all tables. */
export class Quotas {
  readonly #uses = new Map<string, QuotaUse>()
  readonly #counted = new Set<string>()

  /** Called with the quotas of each noun before its tables are made. */
  declare(quotas: readonly Quota[]): void {
    for (const quota of quotas) {
      assert(!this.#uses.has(quota.name), `only one quota has the name "${quota.name}"`)
      this.#uses.set(quota.name, new QuotaUse(quota))
    }
  }

  /** Returns the use of a declared quota, for the one table that it limits. */
  counted(quota: Quota): QuotaUse {
    assert(!this.#counted.has(quota.name), `only one table counts for the quota "${quota.name}"`)
    this.#counted.add(quota.name)
    return this.use(quota)
  }

  use({ name }: Pick<Quota, 'name'>): QuotaUse {
    const use = this.#uses.get(name)
    assert(use !== undefined, `a noun declares the quota "${name}"`)
    return use
  }

  all(): readonly QuotaUse[] {
    return [...this.#uses.values()]
  }

  /** Throws when a declared quota has no table: it would limit nothing. */
  assertCounted(): void {
    for (const name of this.#uses.keys()) assert(this.#counted.has(name), `a table counts for the quota "${name}"`)
  }
}
