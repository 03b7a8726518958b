// What the roles of operators are called on the desk.
import type { OperatorRole } from '../../../engine/contract/operator.ts'
import type { Text } from '../../text/text.ts'
import { texts } from '../shared/texts.ts'

const TEXTS = texts({
  fr: { administration: 'administration', finance: 'finance', curation: 'facturiers', support: 'assistance' },
  en: { administration: 'administration', finance: 'finance', curation: 'billers', support: 'support' },
})

export const ROLE_NAMES: Readonly<Record<OperatorRole, Text>> = {
  admin: TEXTS.administration,
  finance: TEXTS.finance,
  curator: TEXTS.curation,
  support: TEXTS.support,
}
