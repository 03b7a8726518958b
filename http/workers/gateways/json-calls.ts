// JSON documents read from addresses of the settings, such as the keys of a provider. The operator chose them, so they
// may be private. All other rules of outgoing calls apply.
import type { OutboundCalls } from '../../outbound/outbound-calls.ts'
import { OUTBOUND_RULES } from '../../outbound/rules.ts'

/** Reads a JSON document from an address of the settings. Rejects when there is none. */
export type FetchJson = (url: string) => Promise<unknown>

/** Returns the parsed body of a 200. Rejects otherwise. */
export function jsonFetcher(outbound: Pick<OutboundCalls, 'call'>): FetchJson {
  return async (url) => {
    const headers = { accept: 'application/json' }
    const outcome = await outbound.call({ rule: OUTBOUND_RULES.keys, method: 'GET', url, headers, body: null })
    if (outcome.kind === 'failed') throw new Error(outcome.failure)
    if (outcome.status !== 200) throw new Error(`HTTP ${outcome.status}`)
    return JSON.parse(outcome.body) as unknown
  }
}
