// Terms of mandates, in the language of the reader.
import type { Mandate } from '../../../engine/api.ts'
import { Text } from '../../text/text.ts'
import { termsText } from '../../workers/gateways/mandate-text.ts'

/** Returns `5 000 F CFA par mois`, in English `5,000 F CFA a month`. */
export function mandateTerms(mandate: Pick<Mandate, 'amount' | 'max_amount' | 'currency' | 'interval'>): Text {
  return new Text((language) => termsText(mandate, language))
}
