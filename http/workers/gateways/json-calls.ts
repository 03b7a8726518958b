// JSON calls to addresses of the settings: gateways and the key provider. The operator chose them, so they may be
// private. All other rules of outgoing calls apply.
import type { OutboundCalls } from '../../outbound/outbound-calls.ts'
import { OUTBOUND_RULES } from '../../outbound/rules.ts'
import type { PostJson } from './gateway.ts'

/** Reads a JSON document from an address of the settings. Rejects when there is none. */
export type FetchJson = (url: string) => Promise<unknown>

export interface JsonCalls {
  /** Posts to a gateway. The response body is not read; a redirect is a status like any other. */
  readonly postJson: PostJson
  /** Returns the parsed body of a 200. Rejects otherwise. */
  readonly fetchJson: FetchJson
}

export function jsonCalls(outbound: Pick<OutboundCalls, 'call'>): JsonCalls {
  return {
    postJson: async (url, body) => {
      const headers = { 'content-type': 'application/json' }
      const outcome = await outbound.call({ rule: OUTBOUND_RULES.gateway, method: 'POST', url, headers, body: JSON.stringify(body) })
      if (outcome.kind === 'failed') throw new Error(outcome.failure)
      return outcome.status
    },
    fetchJson: async (url) => {
      const headers = { accept: 'application/json' }
      const outcome = await outbound.call({ rule: OUTBOUND_RULES.keys, method: 'GET', url, headers, body: null })
      if (outcome.kind === 'failed') throw new Error(outcome.failure)
      if (outcome.status !== 200) throw new Error(`HTTP ${outcome.status}`)
      return JSON.parse(outcome.body) as unknown
    },
  }
}
