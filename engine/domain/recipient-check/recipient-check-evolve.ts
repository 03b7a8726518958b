// How budgets of unknown recipients change.
import type { EventTable } from '../noun-module.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { RecipientsCounted } from './recipient-check-state.ts'

export const RECIPIENT_CHECK_EVENTS = {
  'recipients.counted@1': setBudget,
} satisfies EventTable

function setBudget(state: State, { spent, at_ms }: RecipientsCounted, { account }: StoredEvent): void {
  state.recipientBudgets.rows.set(String(account), { account, spent, at_ms })
}
