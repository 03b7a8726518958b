// One message gateway, called by HTTP POST with JSON. With a secret each call is signed as webhooks are.
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { OutboundCalls } from '../../outbound/outbound-calls.ts'
import { OUTBOUND_RULES } from '../../outbound/rules.ts'
import { retryAfterMs } from '../webhooks/retry-after.ts'
import { signatureHeader } from '../webhooks/verify-signature.ts'
import type { OutgoingMessage } from './message.ts'

export interface GatewayParts {
  readonly url: string
  readonly outbound: Pick<OutboundCalls, 'call'>
  /** The setting GATEWAY_SECRET; null without one. */
  readonly secret: string | null
  readonly now: () => TimeMs
}

export interface GatewayAnswer {
  /** Null when there was no response. */
  readonly httpStatus: number | null
  readonly error: string | null
  readonly durationMs: TimeMs
  /** The gateway's `Retry-After`; null without one. */
  readonly retryAfterMs: TimeMs | null
}

export class Gateway {
  readonly #parts: GatewayParts

  constructor(parts: GatewayParts) {
    this.#parts = parts
  }

  /** Calls once. `attempt` counts from 1. Never rejects: each failure is a value. */
  async send(message: OutgoingMessage, attempt: number): Promise<GatewayAnswer> {
    const { url, outbound, secret, now } = this.#parts
    const body = JSON.stringify(message)
    const signature = secret === null ? {} : { 'x-service-signature': signatureHeader([secret], Math.floor(now() / 1000), body) }
    const outcome = await outbound.call({
      rule: OUTBOUND_RULES.gateway,
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'x-service-message-id': message.id,
        'x-service-attempt': String(attempt),
        ...signature,
      },
      body,
    })
    const { durationMs } = outcome
    if (outcome.kind === 'failed') return { httpStatus: null, error: outcome.failure, durationMs, retryAfterMs: null }
    const wait = retryAfterMs(outcome.headers.get('retry-after'), now())
    return { httpStatus: outcome.status, error: null, durationMs, retryAfterMs: wait }
  }
}
