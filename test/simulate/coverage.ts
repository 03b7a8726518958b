// What the simulated worlds went through: each command under each fault, and each move of each state machine.
import { ERRORS } from '../../engine/contract/errors.ts'
import { REGISTRY } from '../../engine/domain/registry.ts'

export const COLUMNS = [
  'accepted',
  'rejected',
  'repeated',
  'key reused',
  'under way at a crash',
  'under way at a failed write',
  'replayed from the log',
  'restored from a snapshot',
  'taken over by another owner',
] as const

export type Column = (typeof COLUMNS)[number]

/** Cells that no run can fill, and why: by column, then by command. */
const IMPOSSIBLE: Readonly<Partial<Record<Column, Readonly<Record<string, string>>>>> = {
  rejected: {
    NoteKeyUses: 'is never rejected',
    RecordDeliveries: 'is never rejected',
    RecordMessages: 'is never rejected',
    RecordCodeRun: 'is never rejected',
    EndTrial: 'is never rejected',
    KeepAnswer: 'is never rejected',
    RequestPasswordReset: 'is never rejected: it tells nothing about an address',
    CreateApiKey: 'rejections need a merchant that is unknown, which no key can stand for, or 1 000 keys',
  },
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

  count(command: string, column: Column): void {
    const cell = cellOf(command, column)
    this.#cells.set(cell, (this.#cells.get(cell) ?? 0) + 1)
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

  /** Cells that nothing has filled and something could. */
  get empty(): string[] {
    const cells = [...this.#cells].filter(([key, count]) => count === 0 && !isImpossible(key)).map(([key]) => key)
    return [...cells, ...[...this.#moves].filter(([, count]) => count === 0).map(([move]) => move)]
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
    const moves = [...this.#moves].map(([move, count]) => `| ${move} | ${count} |`)
    const why = Object.entries(IMPOSSIBLE).flatMap(([column, cells]) =>
      Object.entries(cells ?? {}).map(([command, text]) => `| ${command} | ${column} | ${text} |`),
    )
    const head = `| command | ${COLUMNS.join(' | ')} |\n|---|${COLUMNS.map(() => '--:').join('|')}|`
    const codes = [...this.#codes.values()]
    return [
      [head, ...rows].join('\n'),
      ['| move | times |\n|---|--:|', ...moves].join('\n'),
      ['| command | cell that cannot exist | why |\n|---|---|---|', ...why].join('\n'),
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
