// E-mails: subject and text are sealed for the log, because links in them hold tokens, and opened to be sent.
import type { OutgoingEmail, QueuedMessage } from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { Seal } from '../../crypto/seal.ts'
import type { EmailMessage } from './message.ts'

/** An e-mail in French, as plain text. */
export interface EmailText {
  /** E-mail address. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Field name that contents are sealed for. */
const FIELD = 'email'

/** Returns an e-mail as a command takes it. Its decider adds `emailEvents` to its events. */
export function sealEmail(seal: Pick<Seal, 'seal'>, { to, subject, text }: EmailText): OutgoingEmail {
  return { to, sealed: seal.seal(FIELD, JSON.stringify({ subject, text })) }
}

export function emailMessage(seal: Pick<Seal, 'open'>, { id, environment, to, sealed, created_at }: QueuedMessage): EmailMessage {
  assert(sealed !== null, 'an e-mail without a notice has its text')
  const { subject, text } = JSON.parse(seal.open(FIELD, sealed)) as Pick<EmailText, 'subject' | 'text'>
  return { id, channel: 'email', environment, to, subject, text, created_at }
}
