// What the simulated worlds went through: what became of each command and of each move of a state machine, and where in the life of a
// request each fault met each command.
import { ERRORS } from '../../../engine/contract/errors.ts'
import { REGISTRY } from '../../../engine/domain/registry.ts'
import { CoverageTable, type TableCounts } from './coverage-table.ts'

/** What becomes of the record of a command. */
const RECORD_COLUMNS = [
  'answer lost',
  'on disk at a crash, not answered',
  'replayed from the log',
  'restored from a snapshot',
  'taken over by another owner',
] as const
export type RecordColumn = (typeof RECORD_COLUMNS)[number]

const COMMAND_COLUMNS = [
  'accepted',
  'rejected',
  'repeated',
  'repeated after a lost answer',
  'key reused',
  'request lost',
  'request late',
  'overtaken by a later request',
  'answer late',
  'under way at a crash',
  'under way at a failed write',
  'decided after the clock went back',
  'decided after the clock went ahead',
  ...RECORD_COLUMNS,
] as const
export type CommandColumn = (typeof COMMAND_COLUMNS)[number]

/** By the fate of a flush that a crash interrupts: none of it, all of it or a part of it is on disk. */
export const FAULTS = [
  'crash between flushes',
  'crash, flush lost',
  'crash, flush kept',
  'crash, flush torn',
  'crash, archive lost',
  'crash, archive behind',
  'failed write',
  'slow flush',
  'owner change',
  'clock back',
  'clock ahead',
] as const
export type Fault = (typeof FAULTS)[number]

/** States of a request. `answered`: one of the last few. */
export const LIVES = ['on its way', 'in the mailbox', 'decided', 'answer on its way', 'answered'] as const
export type Life = (typeof LIVES)[number]

/** Columns that a few dozen seeds fill for each command. */
const COMMON: readonly CommandColumn[] = ['accepted', 'replayed from the log', 'restored from a snapshot']

const NOT_KEPT = { CountWrongPassword: 'its answer is a rejection that no key keeps' }

/** Cells that need not be filled, and why: by column, then by command. */
const UNNEEDED: Readonly<Partial<Record<CommandColumn, Readonly<Record<string, string>>>>> = {
  repeated: NOT_KEPT,
  'repeated after a lost answer': NOT_KEPT,
  'answer lost': NOT_KEPT,
  rejected: {
    NoteKeyUses: 'is never rejected',
    CheckRecipient: 'meets a spent budget in few of a thousand seeds; payouts and batches meet it through the same door',
    DryRunBatch: 'is never rejected: its report says what each line would come to',
    RecordDeliveries: 'is never rejected',
    OpenDeliveries: 'is never rejected',
    RecordMessages: 'is never rejected',
    RecordCodeRun: 'is never rejected',
    EndTrial: 'is never rejected',
    KeepAnswer: 'is never rejected',
    SetPayoutPolicy: 'is rejected over the daily log budget alone, which other commands of its account meet through the same door',
    RequestPasswordReset: 'is never rejected: it tells nothing about an address',
  },
}

/** Moves that no run can make, and why. */
const IMPOSSIBLE_MOVES: Readonly<Record<string, string>> = {
  'payout: live_not_activated': 'a merchant that was never activated has no schedule, and its batches are rejected as a whole',
}

const BY_TIMER = 'a client can advance a mandate only while it is active: this move is made by the timer alone'

/** Columns that no record of the move can have, and why. */
const UNNEEDED_OF_MOVES: Readonly<Record<string, readonly [column: RecordColumn, why: string]>> = {
  'one-time code: open → failed': ['answer lost', 'the answer to a wrong code is a rejection that no key keeps'],
  'mandate: pending → expired': ['answer lost', BY_TIMER],
  'mandate: paused → expired': ['answer lost', BY_TIMER],
}

export interface CoverageCounts {
  readonly commands: TableCounts
  readonly hits: TableCounts
  readonly moves: readonly (readonly [move: string, counts: TableCounts])[]
  readonly codes: readonly (readonly [code: string, count: number])[]
}

export class Coverage {
  readonly #commands: CoverageTable
  /** Each fault in each state of a request, by command. */
  readonly #hits: CoverageTable
  /** By move: how often it was made, and what became of its record. */
  readonly #moves = new Map<string, number[]>()
  readonly #codes = new Map<string, number>()

  constructor() {
    const rows = [...REGISTRY.commands.keys()]
    this.#commands = new CoverageTable({ rows, columns: COMMAND_COLUMNS, unneeded: UNNEEDED })
    this.#hits = new CoverageTable({ rows, columns: FAULTS.flatMap((fault) => LIVES.map((life) => hitOf(fault, life))), unneeded: {} })
    for (const [command, { rejections }] of REGISTRY.commands) {
      for (const code of rejections) this.#codes.set(`${command} ${code}`, 0)
    }
  }

  count(command: string, column: CommandColumn, times = 1): void {
    this.#commands.count(command, column, times)
  }

  reject(command: string, code: string): void {
    this.count(command, 'rejected')
    const key = `${command} ${code}`
    if (this.#codes.has(key)) this.#codes.set(key, (this.#codes.get(key) ?? 0) + 1)
  }

  hit(command: string, fault: Fault, life: Life): void {
    this.#hits.count(command, hitOf(fault, life))
  }

  /** `column`: null for the move itself. */
  countMove(move: string, column: RecordColumn | null, times = 1): void {
    const counts = this.#moves.get(move) ?? MOVE_COLUMNS.map(() => 0)
    const at = column === null ? 0 : 1 + RECORD_COLUMNS.indexOf(column)
    counts[at] = (counts[at] ?? 0) + times
    this.#moves.set(move, counts)
  }

  add({ commands, hits, moves, codes }: CoverageCounts): void {
    this.#commands.add(commands)
    this.#hits.add(hits)
    for (const [move, counts] of moves) {
      const known = this.#moves.get(move) ?? MOVE_COLUMNS.map(() => 0)
      this.#moves.set(
        move,
        known.map((count, at) => count + (counts[at] ?? 0)),
      )
    }
    for (const [code, count] of codes) this.#codes.set(code, (this.#codes.get(code) ?? 0) + count)
  }

  /** As plain data, from one process to another. */
  get counts(): CoverageCounts {
    return { commands: this.#commands.counts, hits: this.#hits.counts, moves: [...this.#moves], codes: [...this.#codes] }
  }

  static of(counts: CoverageCounts): Coverage {
    const coverage = new Coverage()
    coverage.add(counts)
    return coverage
  }

  /** Cells that a few dozen seeds must fill. */
  get emptyOfFew(): string[] {
    return this.#commands.emptyBeside(COMMAND_COLUMNS.filter((column) => !COMMON.includes(column)))
  }

  /** Cells that thousands of seeds must fill: each command under each fault in each state, and each move with all that befalls a record. */
  get emptyOfMany(): string[] {
    const moves = [...this.#moves]
      .filter(([move]) => !(move in IMPOSSIBLE_MOVES))
      .flatMap(([move, counts]) => {
        const columns = MOVE_COLUMNS.filter((column, at) => counts[at] === 0 && UNNEEDED_OF_MOVES[move]?.[0] !== column)
        return columns.map((column) => `${move}: ${column}`)
      })
    return [...this.#commands.emptyBeside([]), ...this.#hits.emptyBeside([]), ...moves]
  }

  /** Rejections of each command that nothing has made. Most need a maximum that no short run reaches. */
  get unseenCodes(): string[] {
    return [...this.#codes].filter(([, count]) => count === 0).map(([key]) => key)
  }

  get text(): string {
    const moves = [...this.#moves].map(([move, counts]) => `| ${move} | ${move in IMPOSSIBLE_MOVES ? '–' : counts.join(' | ')} |`)
    const whyMoves = Object.entries(IMPOSSIBLE_MOVES).map(([move, text]) => `| ${move} | ${text} |`)
    const whyUnneeded = Object.entries(UNNEEDED_OF_MOVES).map(([move, [column, why]]) => `| ${move} | ${column} | ${why} |`)
    const codes = [...this.#codes.values()]
    return [
      this.#commands.textOf('command'),
      this.#hits.textOf('command, by fault and state of its request'),
      [`| move | ${MOVE_COLUMNS.join(' | ')} |`, `|---|${MOVE_COLUMNS.map(() => '--:').join('|')}|`, ...moves].join('\n'),
      ['| move that cannot exist | why |\n|---|---|', ...whyMoves].join('\n'),
      ['| move | cell that need not be filled | why |\n|---|---|---|', ...whyUnneeded].join('\n'),
      `rejections: ${codes.filter((count) => count > 0).length} of ${codes.length} of the ${Object.keys(ERRORS).length} codes by command`,
    ].join('\n\n')
  }
}

const MOVE_COLUMNS = ['made', ...RECORD_COLUMNS] as const

function hitOf(fault: Fault, life: Life): string {
  return `${fault}, ${life}`
}
