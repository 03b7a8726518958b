// Opens the sandbox with its fetch broker and logs its state: active isolation layers, and losses. It must never stop
// the server: without a sandbox, runs are rejected and payments continue.

import { unreachable } from '../../../engine/kernel/assert.ts'
import { type OpenSandbox, openSandbox } from '../../../sandbox-pool/sandbox.ts'
import type { SandboxEvent } from '../../../sandbox-pool/supervisor.ts'
import type { OutboundCalls } from '../../outbound/outbound-calls.ts'
import type { Logger } from '../../server/logger.ts'
import { hostedFetch } from './hosted-fetch.ts'

export interface HostedCodeParts {
  /** SANDBOX_THREADS. */
  readonly threads: number
  readonly outbound: OutboundCalls
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

export function openHostedCode({ threads, outbound, logger }: HostedCodeParts): OpenSandbox {
  return openSandbox({ threads, fetchBroker: hostedFetch(outbound), onEvent: (event) => logEvent(event, logger) })
}

function logEvent(event: SandboxEvent, logger: HostedCodeParts['logger']): void {
  switch (event.type) {
    case 'ready': {
      const missing = Object.entries(event.layers).flatMap(([name, holds]) => (holds ? [] : [name]))
      const details = { pid: event.pid, start_ms: event.startMs, layers: event.layers }
      if (missing.length === 0) logger.info(details, 'sandbox ready: every layer holds')
      else logger.warn(details, `sandbox ready, without ${missing.join(', ')}: this machine does not allow it`)
      return
    }
    case 'lost':
      return logger.warn({ reason: event.reason, restart_in_ms: event.restartInMs }, 'sandbox lost, another one starts')
    case 'failed':
      return logger.error({ err: event.error }, 'no sandbox: hosted code is refused until the server starts again')
    case 'broker_failed':
      return logger.error({ err: event.error }, 'a fetch of hosted code failed because of a bug')
    default:
      return unreachable(event)
  }
}
