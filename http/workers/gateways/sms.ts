// Sends text messages to the gateway of the settings, or to the development inbox. Test phones get none.
import { randomUUID } from 'node:crypto'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { rfc3339, type TimeMs } from '../../../engine/kernel/time.ts'
import type { Gateway } from './gateway.ts'
import type { Inbox } from './inbox.ts'
import type { Message } from './message.ts'

export class TextMessages {
  /** Null: messages go to the inbox, if there is one. */
  readonly #gateway: Gateway | null
  readonly #inbox: Inbox | null
  readonly #now: () => TimeMs

  constructor(gateway: Gateway | null, inbox: Inbox | null, now: () => TimeMs) {
    this.#gateway = gateway
    this.#inbox = inbox
    this.#now = now
  }

  /** Queues the message; delivery is not reported. */
  send(phone: string, text: string): void {
    if (environmentOfPhone(phone) === 'test') return
    const message: Message = {
      id: randomUUID(),
      channel: 'sms',
      environment: 'live',
      phone,
      title: '',
      text,
      data: {},
      devices: [],
      created_at: rfc3339(this.#now()),
    }
    if (this.#gateway === null) this.#inbox?.add(() => message)
    else this.#gateway.send(message)
  }
}
