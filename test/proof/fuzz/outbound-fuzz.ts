// Sends the outbound client to addresses that are forbidden, and to names that change what they lead to. A canary on the loopback
// counts what arrives.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { OutboundCalls } from '../../../http/outbound/outbound-calls.ts'
import type { OutboundOutcome } from '../../../http/outbound/outcome.ts'
import { OUTBOUND_RULES, type OutboundRule } from '../../../http/outbound/rules.ts'
import { NameServer } from '../../support/name-server.ts'
import { hostileUrls, type Rebinding, rebindingNames } from './hostile-urls.ts'

/** A listener on 127.0.0.1 and ::1 of one port that answers nothing. */
export class Canary {
  hits = 0
  readonly port: number
  readonly #servers: readonly Server[]

  private constructor(port: number, servers: readonly Server[], counts: { onHit: () => void }) {
    this.port = port
    this.#servers = servers
    counts.onHit = () => this.hits++
  }

  static async open(): Promise<Canary> {
    const counts = { onHit: (): void => {} }
    const listener = (): Server =>
      createServer((socket) => {
        counts.onHit()
        socket.on('error', () => {}).destroy()
      })
    const [four, six] = [listener(), listener()]
    four.listen(0, '127.0.0.1')
    await once(four, 'listening')
    const { port } = four.address() as AddressInfo
    // A machine without IPv6 has no ::1 to reach.
    six.on('error', () => {}).listen(port, '::1')
    return new Canary(port, [four, six], counts)
  }

  async close(): Promise<void> {
    for (const server of this.#servers) if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
}

export interface OutboundFuzzReport {
  readonly urls: number
  readonly names: number
  readonly hits: number
  /** Outcomes by kind. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly string[]
}

const RULES: readonly OutboundRule[] = [OUTBOUND_RULES.webhook, OUTBOUND_RULES.lookup, OUTBOUND_RULES.hostedFetch]
const REFUSED: ReadonlySet<string> = new Set(['forbidden_address', 'invalid_url', 'https_required', 'name_not_found'])
/** Nothing answers at an unassigned address; no test waits for it. */
const PUBLIC_WITHIN_MS = 50
const AT_ONCE = 20

export async function fuzzOutbound(urls: number, names: number): Promise<OutboundFuzzReport> {
  const canary = await Canary.open()
  const rows = new Map(rebindingNames(names).map((row) => [row.name, row]))
  const server = await NameServer.open((name, family, asked) => {
    const row = rows.get(name)
    if (row === undefined) return null
    const { four, six } = asked === 1 ? row.first : row.later
    return family === 4 ? four : six
  })
  const unexpected: unknown[] = []
  const outbound = new OutboundCalls({
    allowPrivate: false,
    nameServers: [server.address],
    onUnexpected: (error) => unexpected.push(error),
  })
  const outcomes = new Map<string, number>()
  const failures: string[] = []
  const call = async (url: string, rule: OutboundRule, withinMs?: number): Promise<string> => {
    const kind = kindOf(
      await outbound.call({ rule, method: 'POST', url, headers: {}, body: '{}', ...(withinMs === undefined ? {} : { withinMs }) }),
    )
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1)
    return kind
  }
  try {
    await inTurn(hostileUrls(urls, canary.port), async (url, index) => {
      const kind = await call(url, RULES[index % RULES.length] as OutboundRule)
      if (!REFUSED.has(kind)) failures.push(`${url}: ${kind}`)
    })
    await inTurn([...rows.values()], async (row) => {
      const faults = await callRebinding(row, (withinMs) => call(`https://${row.name}:${canary.port}/`, OUTBOUND_RULES.webhook, withinMs))
      failures.push(...faults)
    })
    assert.deepEqual(unexpected, [])
    return { urls, names, hits: canary.hits, outcomes, failures }
  } finally {
    await outbound.close()
    server.close()
    await canary.close()
  }
}

/** Twice: the name has moved at the second call. */
async function callRebinding({ name, first, later }: Rebinding, call: (withinMs: number) => Promise<string>): Promise<string[]> {
  const isOpenFirst = first !== later
  const one = await call(isOpenFirst ? PUBLIC_WITHIN_MS : OUTBOUND_RULES.webhook.headMs)
  const other = await call(OUTBOUND_RULES.webhook.headMs)
  const isFirstRight = isOpenFirst ? one === 'connection_failed' || one === 'timeout' : one === 'forbidden_address'
  return [
    ...(isFirstRight ? [] : [`${name}: ${one} at first`]),
    ...(other === 'forbidden_address' ? [] : [`${name}: ${other} after it moved`]),
  ]
}

function kindOf(outcome: OutboundOutcome): string {
  return outcome.kind === 'failed' ? outcome.failure : `answered ${outcome.status}`
}

async function inTurn<Item>(items: readonly Item[], use: (item: Item, index: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) await use(items[at] as Item, at)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
