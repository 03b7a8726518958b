// The noun module of contacts.
import type { NounModule } from '../noun-module.ts'
import {
  ADD_CONTACT_REJECTIONS,
  DELETE_CONTACT_REJECTIONS,
  decideAddContact,
  decideDeleteContact,
  decideReplaceContact,
  REPLACE_CONTACT_REJECTIONS,
} from './contact-decide.ts'
import { CONTACT_EVENTS } from './contact-evolve.ts'
import { CONTACTS } from './contact-limits.ts'
import { Contacts } from './contact-state.ts'

export const CONTACT = {
  state: { name: 'contacts', create: (shared) => new Contacts(shared) },
  quotas: [CONTACTS],
  commands: {
    AddContact: { decide: decideAddContact, rejections: ADD_CONTACT_REJECTIONS, overBudget: 'rejected' },
    ReplaceContact: { decide: decideReplaceContact, rejections: REPLACE_CONTACT_REJECTIONS, overBudget: 'rejected' },
    DeleteContact: { decide: decideDeleteContact, rejections: DELETE_CONTACT_REJECTIONS, overBudget: 'rejected_unchanged' },
  },
  events: CONTACT_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
