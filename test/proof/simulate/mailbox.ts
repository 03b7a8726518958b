// The mailbox of a command.
import type { Command } from '../../../engine/domain/command.ts'

/** The account that asks; 0 for operators and persons without an account. */
export function mailboxOf(command: Command): number {
  for (const name of ['merchant', 'sender', 'payer', 'customer', 'by', 'account'] as const) {
    const value = (command as unknown as Readonly<Record<string, unknown>>)[name]
    if (typeof value === 'number') return value
  }
  return 0
}
