// Workers beside the API. Webhooks, stream frames and fulfillments follow durable records; lookups run for waiting
// customers.
import type { Clock, EngineApi, LogRecord, Sandbox, Scheduler } from '../../engine/api.ts'
import { StreamHub } from '../api/stream/hub.ts'
import { SignedTickets } from '../api/stream/signed-tickets.ts'
import { type StreamTickets, Tickets } from '../api/stream/tickets.ts'
import { derivedKey } from '../crypto/derived-key.ts'
import type { Seal } from '../crypto/seal.ts'
import type { OutboundCalls } from '../outbound/outbound-calls.ts'
import type { ClusterRole } from '../server/cluster-role.ts'
import { Fulfiller } from '../workers/fulfillment/fulfiller.ts'
import { FULFILLMENT_STOP_WAIT_MS } from '../workers/fulfillment/fulfillment-limits.ts'
import { RecordedCode } from '../workers/hosted-code/recorded-code.ts'
import { Lookups } from '../workers/lookups/lookups.ts'
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
  readonly seal: Seal
  readonly masterKey: Uint8Array
  /** False when the disk is nearly full. */
  readonly canWrite: () => boolean
  readonly clock: Clock
  readonly scheduler: Scheduler
  readonly logger: Pick<Logger, 'error'>
}

export class Workers {
  /** Submits at the owner of the log. */
  readonly ownerCommands: OwnerCommands
  readonly webhookSecrets: WebhookSecrets
  readonly deliverer: WebhookDeliverer
  readonly streams: StreamHub
  readonly tickets: StreamTickets
  readonly code: RecordedCode
  readonly lookups: Lookups
  readonly fulfiller: Fulfiller
  /** True on the owner of the log, which alone runs webhooks and fulfillment. */
  #isWorking = false
  #stopping: Promise<unknown> | null = null

  constructor(parts: WorkersParts) {
    const { engine, cluster, outbound, sandbox, seal, masterKey, canWrite, clock, scheduler, logger } = parts
    this.webhookSecrets = new WebhookSecrets(engine, seal, derivedKey(masterKey, 'webhook-secret'))
    this.deliverer = new WebhookDeliverer({
      engine,
      outbound,
      secrets: this.webhookSecrets,
      canWrite,
      clock,
      scheduler,
      random: Math.random,
      onBug: (error) => logger.error({ err: error }, 'a webhook could not be delivered because of a bug'),
    })
    this.streams = new StreamHub({
      engine,
      clock,
      scheduler,
      onFailure: (error) => logger.error({ err: error }, 'a stream could not be read from the log'),
    })
    const nowMs = (): number => engine.query('engine.time', null)
    this.ownerCommands = new OwnerCommands(engine, cluster)
    const { submit } = this.ownerCommands
    this.tickets =
      cluster === null ? new Tickets(nowMs) : new SignedTickets({ engine, submit, key: derivedKey(masterKey, 'stream-ticket') })
    this.code = new RecordedCode({ engine, sandbox, canWrite })
    const { code } = this
    this.lookups = new Lookups({ outbound, code, seal, nowMs })
    this.fulfiller = new Fulfiller({
      ...{ engine, code, canWrite, clock, scheduler },
      onBug: (error) => logger.error({ err: error }, 'a fulfillment failed because of a bug'),
    })
  }

  /** Takes work that was open when the process ended, or when another node owned the log. */
  start(): void {
    this.#isWorking = true
    this.deliverer.start()
    this.fulfiller.start()
  }

  record(record: LogRecord): void {
    this.streams.record(record)
    if (!this.#isWorking) return
    this.deliverer.record(record)
    this.fulfiller.record(record)
  }

  /** Ends streams and starts no delivery. Resolves when active work is recorded or its time is over. */
  async stop(): Promise<void> {
    this.streams.close()
    this.#stopping ??= Promise.all([this.deliverer.stop(STOP_WAIT_MS), this.fulfiller.stop(FULFILLMENT_STOP_WAIT_MS)])
    await this.#stopping
  }
}
