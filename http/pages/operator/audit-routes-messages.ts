// Texts of audit-routes.ts, in both languages.
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    logOperations: 'Journal des opérations',
    noOperationMatches: 'Aucune opération ne correspond.',
    who: 'Qui',
    when: 'Quand',
    on: 'Sur',
    both: 'les deux',
    details: 'Détails',
    operations: 'Opérations',
  },
  en: {
    logOperations: 'Log of operations',
    noOperationMatches: 'No operation matches.',
    who: 'Who',
    when: 'When',
    on: 'On',
    both: 'both',
    details: 'Details',
    operations: 'Operations',
  },
})
