// What requests about contacts must come to.
import type { Verdicts } from '../entry.ts'
import type { Models } from '../models.ts'

export const contactVerdicts = ({ contacts }: Models) => {
  const owns = ({ merchant, id }: { readonly merchant: number; readonly id: string }) => contacts.contacts.get(id)?.account === merchant
  return {
    AddContact: ({ merchant, recipient }) => (contacts.withRecipient(merchant, recipient) === undefined ? null : 'contact_exists'),
    ReplaceContact: (command) => {
      if (!owns(command)) return 'not_found'
      const other = contacts.withRecipient(command.merchant, command.recipient)
      return other === undefined || other.id === command.id ? null : 'contact_exists'
    },
    DeleteContact: (command) => (owns(command) ? null : 'not_found'),
  } satisfies Verdicts
}
