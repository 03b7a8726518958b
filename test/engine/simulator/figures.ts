// What happened in simulated worlds, counted: a run that crashed or replayed nothing proves nothing.

import type { LogRecord } from '../../../engine/domain/record.ts'

export interface WorldFigures {
  commands: number
  acknowledged: number
  replayed: number
  records: number
  crashes: number
  closes: number
  failures: number
  archiveLosses: number
  snapshots: number
  /** Charges that their timers ended. */
  timersFired: number
  /** Bills that were paid, by a quote or by what was typed. */
  billsPaid: number
}

export function noFigures(): WorldFigures {
  return {
    commands: 0,
    acknowledged: 0,
    replayed: 0,
    records: 0,
    crashes: 0,
    closes: 0,
    failures: 0,
    archiveLosses: 0,
    snapshots: 0,
    timersFired: 0,
    billsPaid: 0,
  }
}

export function countRecords(figures: WorldFigures, records: readonly LogRecord[]): void {
  figures.records = records.length
  figures.timersFired = records.filter(({ command }) => command === 'ExpireCharge').length
  figures.billsPaid = records.filter(({ command, transactions }) => command === 'PayBill' && transactions.length > 0).length
}

export interface WorldResult {
  /** Of everything on disk and all answers to clients: the same seed gives the same. */
  readonly hash: string
  readonly figures: WorldFigures
}
