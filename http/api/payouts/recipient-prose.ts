// The rule about unknown recipients, as each route that names recipients describes it.
import { UNKNOWN_RECIPIENTS, UNKNOWN_RECIPIENTS_PER_MINUTE } from '../../../engine/contract/merchant-limits.ts'

export const UNKNOWN_RECIPIENTS_RULE = `In live, each answer that a recipient is unknown counts against one budget of the merchant, on every route that names recipients:
${UNKNOWN_RECIPIENTS} in a burst, ${UNKNOWN_RECIPIENTS_PER_MINUTE} more each minute, tags and phones together. Beyond it, recipients that the merchant has paid before go on, under the name that
was paid; all others are refused without a look, known or not.`
