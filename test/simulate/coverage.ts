// What the simulated worlds went through: each command under each fault, and each move of each state machine.
import { ERRORS } from '../../engine/contract/errors.ts'
import { REGISTRY } from '../../engine/domain/registry.ts'

export const COLUMNS = [
  'accepted',
  'rejected',
  'repeated',
  'repeated after a lost answer',
  'key reused',
  'under way at a crash',
  'under way at a failed write',
  'replayed from the log',
  'restored from a snapshot',
  'taken over by another owner',
] as const

type Counts = readonly (readonly [string, number])[]

export interface CoverageCounts {
  readonly cells: Counts
  readonly moves: Counts
  readonly codes: Counts
}

export type Column = (typeof COLUMNS)[number]

const NOT_KEPT = { CountWrongPassword: 'its answer is a rejection that no key keeps' }

/** Cells that no run can fill, and why: by column, then by command. */
const IMPOSSIBLE: Readonly<Partial<Record<Column, Readonly<Record<string, string>>>>> = {
  repeated: NOT_KEPT,
  'repeated after a lost answer': NOT_KEPT,
  rejected: {
    NoteKeyUses: 'is never rejected',
    RecordDeliveries: 'is never rejected',
    RecordMessages: 'is never rejected',
    RecordCodeRun: 'is never rejected',
    EndTrial: 'is never rejected',
    KeepAnswer: 'is never rejected',
    RequestPasswordReset: 'is never rejected: it tells nothing about an address',
    CreatePaymentLink: 'its maximum is 2 000 links of an account; only the daily budget of the log rejects it, by chance',
  },
}

/** Moves that no run can make, and why. */
const IMPOSSIBLE_MOVES: Readonly<Record<string, string>> = {
  'payout: live_not_activated': 'a merchant that was never activated has no schedule, and its batches are rejected as a whole',
}

export class Coverage {
  readonly #cells = new Map<string, number>()
  readonly #moves = new Map<string, number>()
  readonly #codes = new Map<string, number>()

  constructor() {
    for (const [command, { rejections }] of REGISTRY.commands) {
      for (const column of COLUMNS) this.#cells.set(cellOf(command, column), 0)
      for (const code of rejections) this.#codes.set(`${command} ${code}`, 0)
    }
  }

  count(command: string, column: Column, times = 1): void {
    const cell = cellOf(command, column)
    this.#cells.set(cell, (this.#cells.get(cell) ?? 0) + times)
  }

  reject(command: string, code: string): void {
    this.count(command, 'rejected')
    const key = `${command} ${code}`
    if (this.#codes.has(key)) this.#codes.set(key, (this.#codes.get(key) ?? 0) + 1)
  }

  addMoves(seen: ReadonlyMap<string, number>): void {
    for (const [move, count] of seen) this.#moves.set(move, (this.#moves.get(move) ?? 0) + count)
  }

  add(other: Coverage): void {
    for (const [cells, others] of [
      [this.#cells, other.#cells],
      [this.#moves, other.#moves],
      [this.#codes, other.#codes],
    ] as const) {
      for (const [key, count] of others) cells.set(key, (cells.get(key) ?? 0) + count)
    }
  }

  /** As plain data, from one process to another. */
  get counts(): CoverageCounts {
    return { cells: [...this.#cells], moves: [...this.#moves], codes: [...this.#codes] }
  }

  static of({ cells, moves, codes }: CoverageCounts): Coverage {
    const coverage = new Coverage()
    for (const [cell, count] of cells) coverage.#cells.set(cell, count)
    for (const [move, count] of moves) coverage.#moves.set(move, count)
    for (const [code, count] of codes) coverage.#codes.set(code, count)
    return coverage
  }

  /** Cells that nothing has filled and something could. */
  get empty(): string[] {
    const cells = [...this.#cells].filter(([key, count]) => count === 0 && !isImpossible(key)).map(([key]) => key)
    const moves = [...this.#moves].filter(([move, count]) => count === 0 && !(move in IMPOSSIBLE_MOVES)).map(([move]) => move)
    return [...cells, ...moves]
  }

  /** Rejections of each command that nothing has made. Most need a maximum that no short run reaches. */
  get unseenCodes(): string[] {
    return [...this.#codes].filter(([, count]) => count === 0).map(([key]) => key)
  }

  get text(): string {
    const rows = [...REGISTRY.commands.keys()].map((command) => {
      const counts = COLUMNS.map((column) => {
        const cell = cellOf(command, column)
        return isImpossible(cell) ? '–' : String(this.#cells.get(cell) ?? 0)
      })
      return `| ${command} | ${counts.join(' | ')} |`
    })
    const moves = [...this.#moves].map(([move, count]) => `| ${move} | ${move in IMPOSSIBLE_MOVES ? '–' : count} |`)
    const whyMoves = Object.entries(IMPOSSIBLE_MOVES).map(([move, text]) => `| ${move} | ${text} |`)
    const why = Object.entries(IMPOSSIBLE).flatMap(([column, cells]) =>
      Object.entries(cells ?? {}).map(([command, text]) => `| ${command} | ${column} | ${text} |`),
    )
    const head = `| command | ${COLUMNS.join(' | ')} |\n|---|${COLUMNS.map(() => '--:').join('|')}|`
    const codes = [...this.#codes.values()]
    return [
      [head, ...rows].join('\n'),
      ['| move | times |\n|---|--:|', ...moves].join('\n'),
      ['| command | cell that cannot exist | why |\n|---|---|---|', ...why].join('\n'),
      ['| move that cannot exist | why |\n|---|---|', ...whyMoves].join('\n'),
      `rejections: ${codes.filter((count) => count > 0).length} of ${codes.length} of the ${Object.keys(ERRORS).length} codes by command`,
    ].join('\n\n')
  }
}

function cellOf(command: string, column: string): string {
  return `${command}: ${column}`
}

function isImpossible(cell: string): boolean {
  const [command = '', column = ''] = cell.split(': ')
  return IMPOSSIBLE[column as Column]?.[command] !== undefined
}
