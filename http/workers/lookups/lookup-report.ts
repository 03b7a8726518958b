// The row of the run log for a lookup by webhook: one call, without its contents.
import { type CodeRunReport, FETCH_HOST_LENGTH_MAX } from '../../../engine/api.ts'
import type { OutboundOutcome } from '../../outbound/outcome.ts'
import { cutLine } from '../../text/shown-text.ts'
import { REPORT_ERROR_MAX } from './lookup-limits.ts'
import type { RawLookup } from './raw-lookup.ts'

interface LookupCall {
  /** Slug. */
  readonly product: string
  readonly url: string
  readonly outcome: OutboundOutcome
  readonly raw: RawLookup
}

export function callReport({ product, url, outcome, raw }: LookupCall): CodeRunReport {
  const host = URL.canParse(url) ? new URL(url).host.slice(0, FETCH_HOST_LENGTH_MAX) : ''
  const status = outcome.kind === 'failed' ? null : outcome.status
  const duration_ms = Math.round(outcome.durationMs)
  return {
    ...{ product, kind: 'lookup', test: false, ok: raw.kind === 'json' },
    error: raw.kind === 'json' ? null : cutLine(raw.transportError, REPORT_ERROR_MAX),
    duration_ms,
    fetches: [{ method: 'POST', host, status, duration_ms }],
    logs: raw.kind === 'json' && raw.read.kind === 'malformed' ? [raw.read.problem] : [],
  }
}
