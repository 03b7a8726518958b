// Text messages: their text is sealed for the log, because it holds a code, and opened to be sent.
import type { OutgoingText, QueuedMessage } from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { Seal } from '../../crypto/seal.ts'
import type { Message } from './message.ts'

/** Field name that texts are sealed for. */
const FIELD = 'sms'

/** Returns a text message as a command takes it. The phone must be live: test phones get none. */
export function sealText(seal: Pick<Seal, 'seal'>, phone: string, text: string): OutgoingText {
  return { to: phone, sealed: seal.seal(FIELD, text) }
}

export function smsMessage(seal: Pick<Seal, 'open'>, { id, environment, to, sealed, created_at }: QueuedMessage): Message {
  assert(sealed !== null, 'a text message has its text')
  const text = seal.open(FIELD, sealed)
  return { id, channel: 'sms', environment, phone: to, title: '', text, data: {}, devices: [], created_at }
}
