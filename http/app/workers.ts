// Workers beside the API. Webhooks, stream frames and fulfillments follow durable records; lookups run for waiting
// customers.
import type { Clock, EngineApi, LogRecord, Sandbox, Scheduler } from '../../engine/api.ts'
import type { Quotas } from '../../engine/kernel/quota.ts'
import { MerchantHub } from '../api/stream/merchant-hub.ts'
import { SignedTickets } from '../api/stream/signed-tickets.ts'
import { STREAM_TICKETS } from '../api/stream/stream-limits.ts'
import { type StreamTickets, Tickets } from '../api/stream/tickets.ts'
import { StreamHub } from '../api/stream/wallet-hub.ts'
import { derivedKey } from '../crypto/derived-key.ts'
import type { RootKeys, Seal } from '../crypto/seal.ts'
import type { OutboundCalls } from '../outbound/outbound-calls.ts'
import { AccountQuota } from '../server/account-quota.ts'
import type { ClusterRole } from '../server/cluster-role.ts'
import { webhookWork } from '../server/fair-work.ts'
import { Fulfiller } from '../workers/fulfillment/fulfiller.ts'
import { FULFILLMENT_STOP_WAIT_MS } from '../workers/fulfillment/fulfillment-limits.ts'
import { Gateway } from '../workers/gateways/gateway.ts'
import { GATEWAY_STOP_WAIT_MS } from '../workers/gateways/gateway-limits.ts'
import type { Inbox } from '../workers/gateways/inbox.ts'
import { Outbox } from '../workers/gateways/outbox.ts'
import { RecordedCode } from '../workers/hosted-code/recorded-code.ts'
import { Lookups } from '../workers/lookups/lookups.ts'
import { AttemptTurns } from '../workers/webhooks/attempt-turns.ts'
import { WebhookDeliverer } from '../workers/webhooks/deliverer.ts'
import { WebhookSecrets } from '../workers/webhooks/secrets.ts'
import { STOP_WAIT_MS } from '../workers/webhooks/webhook-limits.ts'
import type { Logger } from './logging.ts'
import { OwnerCommands } from './owner-commands.ts'

export interface WorkersParts {
  readonly engine: EngineApi
  /** Null where the log belongs to this process. */
  readonly cluster: ClusterRole | null
  readonly outbound: OutboundCalls
  readonly sandbox: Sandbox
  readonly rootKeys: RootKeys
  /** False when the disk is nearly full. */
  readonly canWrite: () => boolean
  readonly clock: Clock
  readonly scheduler: Scheduler
  readonly logger: Pick<Logger, 'error' | 'warn'>
  readonly settings: GatewaySettings
  readonly context: WorkersContext
}

interface WorkersContext {
  readonly quotas: Quotas
  readonly seal: Seal
  /** Development inbox; null in production. */
  readonly inbox: Inbox | null
  /** Base URL of the dashboard. */
  readonly baseUrl: string
}

/** The settings of the same names. */
export interface GatewaySettings {
  readonly smsUrl: string | null
  readonly pushUrl: string | null
  readonly emailUrl: string | null
  readonly gatewaySecret: string | null
}

export class Workers {
  /** Submits at the owner of the log. */
  readonly ownerCommands: OwnerCommands
  readonly webhookSecrets: WebhookSecrets
  readonly deliverer: WebhookDeliverer
  readonly streams: StreamHub
  readonly merchantStreams: MerchantHub
  readonly tickets: StreamTickets
  readonly code: RecordedCode
  readonly lookups: Lookups
  readonly fulfiller: Fulfiller
  readonly outbox: Outbox
  /** True on the owner of the log, which alone runs webhooks, messages and fulfillment. */
  #isWorking = false
  #stopping: Promise<unknown> | null = null
  #runsEnding: Promise<void> | null = null

  constructor(parts: WorkersParts) {
    const { engine, cluster, outbound, sandbox, context, rootKeys, canWrite, clock, scheduler, logger } = parts
    const { seal } = context
    this.webhookSecrets = new WebhookSecrets(engine, seal, derivedKey(rootKeys, 'webhook-secret'))
    this.deliverer = new WebhookDeliverer({
      engine,
      outbound,
      secrets: this.webhookSecrets,
      canWrite,
      clock,
      scheduler,
      random: Math.random,
      turns: new AttemptTurns(webhookWork),
      onBug: (error) => logger.error({ err: error }, 'a webhook could not be delivered because of a bug'),
    })
    this.streams = new StreamHub({
      engine,
      clock,
      scheduler,
      onFailure: (error) => logger.error({ err: error }, 'a stream could not be read from the log'),
    })
    this.merchantStreams = new MerchantHub({
      ...{ engine, clock, scheduler, quotas: context.quotas },
      onFailure: (error) => logger.error({ err: error }, 'a merchant’s stream could not be read from the log'),
    })
    const nowMs = (): number => engine.query('engine.time', null)
    this.ownerCommands = new OwnerCommands(engine, cluster)
    const { submit } = this.ownerCommands
    const use = new AccountQuota(context.quotas, STREAM_TICKETS, { engine })
    this.tickets =
      cluster === null ? new Tickets(nowMs, use) : new SignedTickets({ engine, submit, use, key: derivedKey(rootKeys, 'stream-ticket') })
    this.code = new RecordedCode({ engine, sandbox, canWrite })
    const { code } = this
    this.lookups = new Lookups({ outbound, code, seal, nowMs })
    this.fulfiller = new Fulfiller({
      ...{ engine, code, canWrite, clock, scheduler },
      onBug: (error) => logger.error({ err: error }, 'a fulfillment failed because of a bug'),
    })
    this.outbox = openOutbox(parts)
  }

  /** Takes work that was open when the process ended, or when another node owned the log. */
  start(): void {
    this.#isWorking = true
    this.deliverer.start()
    this.fulfiller.start()
    this.outbox.start()
  }

  record(record: LogRecord): void {
    this.streams.record(record)
    this.merchantStreams.record(record)
    if (!this.#isWorking) return
    this.deliverer.record(record)
    this.fulfiller.record(record)
    this.outbox.record(record)
  }

  /** Runs no code any more. Resolves when the active runs are recorded, or their time is over. */
  endRuns(maxMs: number): Promise<void> {
    this.#runsEnding ??= this.fulfiller.stop(maxMs)
    return this.#runsEnding
  }

  /** Ends streams and starts no delivery. Resolves when active work is recorded or its time is over. */
  async stop(): Promise<void> {
    this.streams.close()
    this.merchantStreams.close()
    this.#stopping ??= Promise.all([
      this.deliverer.stop(STOP_WAIT_MS),
      this.endRuns(FULFILLMENT_STOP_WAIT_MS),
      this.outbox.stop(GATEWAY_STOP_WAIT_MS),
    ])
    await this.#stopping
  }
}

function openOutbox({ engine, outbound, context, canWrite, clock, scheduler, logger, settings }: WorkersParts): Outbox {
  const { smsUrl, pushUrl, emailUrl, gatewaySecret: secret } = settings
  const gatewayOf = (url: string | null): Gateway | null =>
    url === null ? null : new Gateway({ url, outbound, secret, now: () => clock.now() })
  return new Outbox({
    ...{ engine, canWrite, clock, scheduler, seal: context.seal, inbox: context.inbox, baseUrl: () => context.baseUrl },
    gateways: { sms: gatewayOf(smsUrl), push: gatewayOf(pushUrl), email: gatewayOf(emailUrl) },
    random: Math.random,
    onGiveUp: ({ id, channel, reason }) => logger.warn({ message_id: id, channel, reason }, 'a message did not leave'),
    onBug: (error) => logger.error({ err: error }, 'a message could not be sent because of a bug'),
  })
}
