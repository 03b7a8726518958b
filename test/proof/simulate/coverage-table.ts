// Counts by row and column. A row or a column of a table is known before anything is counted, so that an empty cell can be found.

/** From one process to another: counts in the order of rows, then columns. */
export type TableCounts = readonly number[]

export interface TableShape {
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** Cells that need not be filled, and why: by column, then by row. */
  readonly unneeded: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export class CoverageTable {
  readonly #shape: TableShape
  readonly #rowAt: ReadonlyMap<string, number>
  readonly #columnAt: ReadonlyMap<string, number>
  readonly #counts: number[]

  constructor(shape: TableShape) {
    this.#shape = shape
    this.#rowAt = new Map(shape.rows.map((row, at) => [row, at]))
    this.#columnAt = new Map(shape.columns.map((column, at) => [column, at]))
    this.#counts = new Array<number>(shape.rows.length * shape.columns.length).fill(0)
  }

  /** Throws for a row or a column that the table lacks. */
  count(row: string, column: string, times = 1): void {
    const [rowAt, columnAt] = [this.#rowAt.get(row), this.#columnAt.get(column)]
    if (rowAt === undefined || columnAt === undefined) throw new Error(`the coverage has no cell for ${row}: ${column}`)
    const at = rowAt * this.#shape.columns.length + columnAt
    this.#counts[at] = (this.#counts[at] ?? 0) + times
  }

  get counts(): TableCounts {
    return this.#counts
  }

  add(counts: TableCounts): void {
    for (const [at, count] of counts.entries()) this.#counts[at] = (this.#counts[at] ?? 0) + count
  }

  /** Returns the cells that nothing has filled and that are needed, as `row: column`, without those of some columns. */
  emptyBeside(columns: readonly string[]): string[] {
    const cells = this.#shape.rows.flatMap((row) => this.#shape.columns.map((column) => [row, column] as const))
    return cells
      .filter(([row, column], at) => this.#counts[at] === 0 && !columns.includes(column) && this.#reason(row, column) === null)
      .map(([row, column]) => `${row}: ${column}`)
  }

  /** In Markdown, with the reasons of unneeded cells below. */
  textOf(head: string): string {
    const { rows, columns, unneeded } = this.#shape
    const lines = rows.map((row, rowAt) => {
      const counts = columns.map((column, at) =>
        this.#reason(row, column) === null ? String(this.#counts[rowAt * columns.length + at]) : '–',
      )
      return `| ${row} | ${counts.join(' | ')} |`
    })
    const table = [`| ${head} | ${columns.join(' | ')} |`, `|---|${columns.map(() => '--:').join('|')}|`, ...lines].join('\n')
    const reasons = Object.entries(unneeded).flatMap(([column, cells]) =>
      Object.entries(cells).map(([row, why]) => `| ${row} | ${column} | ${why} |`),
    )
    if (reasons.length === 0) return table
    return `${table}\n\n| ${head} | cell that need not be filled | why |\n|---|---|---|\n${reasons.join('\n')}`
  }

  #reason(row: string, column: string): string | null {
    return this.#shape.unneeded[column]?.[row] ?? null
  }
}
