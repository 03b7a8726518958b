// Row ids grouped by owner, with the owner that has the most rows found in constant time. An index over a bounded table: it
// finds which row to drop when the table is full.

export class RowsByOwner {
  readonly #rows = new Map<string, Set<string>>()
  /** Element `n` holds the owners with exactly `n` rows. */
  readonly #owners: Set<string>[] = []
  #most = 0

  add(owner: string, id: string): void {
    const rows = this.#rows.get(owner) ?? new Set<string>()
    if (rows.has(id)) return
    rows.add(id)
    this.#rows.set(owner, rows)
    this.#move(owner, rows.size - 1, rows.size)
    if (rows.size > this.#most) this.#most = rows.size
  }

  remove(owner: string, id: string): void {
    const rows = this.#rows.get(owner)
    if (rows?.delete(id) !== true) return
    if (rows.size === 0) this.#rows.delete(owner)
    this.#move(owner, rows.size + 1, rows.size)
    // Counts change by one, so the moved owner has the next lower count.
    if (this.#owners[this.#most]?.size === 0) this.#most--
  }

  /** Returns the oldest row of the owner; null when it has none. */
  firstOf(owner: string): string | null {
    const [first] = this.#rows.get(owner) ?? []
    return first ?? null
  }

  /** Returns the oldest row of an owner with the most rows; null when there are none. */
  firstOfBusiest(): string | null {
    const [owner] = this.#owners[this.#most] ?? []
    return owner === undefined ? null : this.firstOf(owner)
  }

  #move(owner: string, from: number, to: number): void {
    this.#owners[from]?.delete(owner)
    if (to === 0) return
    const owners = this.#owners[to] ?? new Set<string>()
    owners.add(owner)
    this.#owners[to] = owners
  }
}
