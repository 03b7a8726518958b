// Content of an open message, read from the log: the text that was queued, or the push of a record's frame.
import type { EngineApi, OpenMessage } from '../../../engine/api.ts'
import { eventIndexOf } from '../../../engine/kernel/position.ts'
import type { Seal } from '../../crypto/seal.ts'
import { emailMessage } from './email.ts'
import type { OutgoingMessage } from './message.ts'
import { pushMessage } from './push.ts'
import { smsMessage } from './sms.ts'

export function messageContent(
  engine: Pick<EngineApi, 'query'>,
  seal: Pick<Seal, 'open'>,
  { channel, position }: Pick<OpenMessage, 'channel' | 'position'>,
): OutgoingMessage {
  if (channel === 'push') return pushMessage(engine, engine.query('pushes.record', { position }), eventIndexOf(position))
  const queued = engine.query('messages.queued', { position })
  return channel === 'sms' ? smsMessage(seal, queued) : emailMessage(seal, queued)
}
