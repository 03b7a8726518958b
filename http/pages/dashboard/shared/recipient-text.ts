// Recipients of payouts as people type and read them.
import { isPhone } from '../../../../engine/kernel/recipient.ts'

/** Returns the phone, or the tag with its `@`. */
export function recipientText(recipient: string): string {
  return isPhone(recipient) ? recipient : `@${recipient}`
}
