// Content of an open message, read from the log: the text that was queued, the events of a notice, or the push of a record's frame.
import type { EngineApi, OpenMessage } from '../../../engine/api.ts'
import { eventIndexOf } from '../../../engine/kernel/position.ts'
import type { Seal } from '../../crypto/seal.ts'
import { emailMessage } from './email.ts'
import type { OutgoingMessage } from './message.ts'
import { noticeEmail } from './notice-email.ts'
import { pushMessage } from './push.ts'
import { smsMessage } from './sms.ts'

export interface ContentParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Pick<Seal, 'open'>
  /** Returns the base URL of the dashboard, without a trailing slash. */
  readonly baseUrl: () => string
}

/** A promise for a notice alone. */
export function messageContent(
  { engine, seal, baseUrl }: ContentParts,
  { channel, position }: Pick<OpenMessage, 'channel' | 'position'>,
): OutgoingMessage | Promise<OutgoingMessage> {
  if (channel === 'push') return pushMessage(engine, engine.query('pushes.record', { position }), eventIndexOf(position))
  const queued = engine.query('messages.queued', { position })
  if (queued.notice !== undefined) return noticeEmail({ engine, baseUrl: baseUrl() }, queued)
  return channel === 'sms' ? smsMessage(seal, queued) : emailMessage(seal, queued)
}
