// Warnings about the lines of a schedule: what may be a mistake, as wallets are now. They refuse nothing.
import { duplicateLines } from '../../contract/duplicate-lines.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { State } from '../state.ts'
import type { PlannedSchedule, ScheduleLine } from './schedule-state.ts'

type Warnings = PlannedSchedule['warnings']

/** Returns them in the order of the lines; a line may have two. */
export function lineWarnings({ wallets }: State, environment: Environment, lines: readonly ScheduleLine[]): Warnings {
  const duplicates = new Set(duplicateLines(lines))
  return lines.flatMap(({ recipient }, index): Warnings => {
    const wallet = wallets.byRecipient(environment, recipient)
    return [
      ...(wallet === undefined ? [{ index, code: 'recipient_not_found' as const }] : []),
      ...(wallet?.blocked === true ? [{ index, code: 'recipient_blocked' as const }] : []),
      ...(duplicates.has(index) ? [{ index, code: 'duplicate_line' as const }] : []),
    ]
  })
}
