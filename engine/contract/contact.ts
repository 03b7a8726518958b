// Contacts of a merchant: recipients that it pays again, with groups that a disbursement is made of.
import {
  amount,
  currency,
  environment,
  listOf,
  PAGE_QUERY,
  partText,
  recipientInput,
  recipientOutput,
  reference,
  timestamp,
  uuid,
} from './common.ts'
import { nameText, nullable, type Static, Type } from './schema.ts'

export const CONTACT_NAME_LENGTH_MAX = 140
export const GROUP_NAME_LENGTH_MAX = 100
export const GROUPS_PER_CONTACT_MAX = 20

/** Schema of the name of a group. */
export function groupText(description: string) {
  return nameText({ maxLength: GROUP_NAME_LENGTH_MAX, description, examples: ['Employés'] })
}

export const ContactBody = Type.Object(
  {
    recipient: recipientInput({
      description: 'Tag of the wallet, with or without the `@`, or its phone in E.164. Not looked up before it is paid.',
      'x-error': 'invalid_recipient',
    }),
    name: Type.Optional(
      nameText({ minLength: 0, maxLength: CONTACT_NAME_LENGTH_MAX, description: 'Your name for it.', examples: ['Awa Diallo'] }),
    ),
    groups: Type.Optional(
      Type.Array(groupText('Name of a group: at most 100 characters.'), {
        maxItems: GROUPS_PER_CONTACT_MAX,
        description:
          'Names of its groups, 20 at most. A group exists while a contact is in it. Blanks at the ends and repeated names are dropped.',
        examples: [['Employés']],
      }),
    ),
    amount: Type.Optional(nullable(amount(), { description: 'What it is paid by a disbursement of one of its groups.' })),
    reference: Type.Optional(reference({ description: 'Reference of its line in a disbursement.' })),
  },
  { $id: 'ContactBody' },
)

export type ContactBody = Static<typeof ContactBody>

export const Contact = Type.Object(
  {
    id: uuid({ description: 'Id of the contact.' }),
    recipient: recipientOutput(),
    name: Type.String({ description: 'As sent; empty when none was sent.' }),
    groups: Type.Array(Type.String(), { description: 'Names of its groups.', examples: [['Employés']] }),
    amount: nullable(amount(), { description: 'As sent; null when none was sent.' }),
    currency: currency(),
    reference: Type.String({ description: 'As sent; empty when none was sent.' }),
    environment: environment(),
    created_at: timestamp(),
    updated_at: timestamp({ description: 'When it was last replaced; at first its creation.' }),
  },
  { $id: 'Contact', description: 'A recipient that the merchant pays again.' },
)

export type Contact = Static<typeof Contact>

export const ContactList = listOf(Contact, 'ContactList')

export const ListContactsQuery = Type.Object({
  ...PAGE_QUERY,
  group: Type.Optional(groupText('Only contacts of this group, as it is written.')),
  q: Type.Optional(partText('Recipient, name, reference or id of the contact.')),
})

export type ListContactsQuery = Static<typeof ListContactsQuery>

/** Returns the name of a group in the form in which names are compared. */
export function groupNamed(text: string): string {
  return text.normalize('NFC').trim()
}
