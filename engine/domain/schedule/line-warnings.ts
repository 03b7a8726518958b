// Warnings about the lines of a schedule: what may be a mistake, as wallets are now. They refuse nothing.
import { duplicateLines } from '../../contract/duplicate-lines.ts'
import type { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { PlannedSchedule, ScheduleLine } from './schedule-state.ts'

type Warnings = PlannedSchedule['warnings']

/** Returns them in the order of the lines; a line may have two. Null when the budget of unknown recipients does not cover a line. */
export function lineWarnings(checks: RecipientChecks, lines: readonly ScheduleLine[]): Warnings | null {
  const duplicates = new Set(duplicateLines(lines))
  const warnings: Warnings[number][] = []
  for (let index = 0; index < lines.length; index++) {
    const wallet = checks.walletOf((lines[index] as ScheduleLine).recipient)
    if (wallet === 'recipient_check_limited') return null
    if (wallet === 'recipient_not_found') warnings.push({ index, code: wallet })
    else if (wallet.blocked) warnings.push({ index, code: 'recipient_blocked' })
    if (duplicates.has(index)) warnings.push({ index, code: 'duplicate_line' })
  }
  return warnings
}
