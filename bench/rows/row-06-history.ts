// Row 6: cost of a payout, memory, and duration of a list page, with a hundred times as many payouts in the history.
import { Agent, request } from 'node:http'
import { FILTERS_MAX_BYTES } from '../../wal/archive/filter-memory.ts'
import type { CauriServer } from '../cauri/cauri-server.ts'
import { addHistory, addTail } from '../cauri/data-folder.ts'
import { type HeldMemory, measureHeldMemory } from '../cauri/held-memory.ts'
import { interleave } from '../interleave.ts'
import { BATCH_LINES, WALLETS } from '../load/population.ts'
import { mainThreadCpuSeconds } from '../process/cpu-time.ts'
import { waitUntilQuiet } from '../quiet.ts'
import { pointOf } from '../report/plot.ts'
import { atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { Stand } from '../stand.ts'
import { formatBytes, formatNumber, formatSpread, ratios, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'
import { costsOf } from './payout-cost.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const SHORT_PAST = 100_000
const LONG_PAST = { full: 10_000_000, short: 1_000_000 } as const
/** With --quick, before and after. */
const QUICK_PASTS = { short: 10_000, long: 100_000 } as const
/** Part of the long past that a past of single payouts has: each has a key, which every later payout must not be found under. */
const KEYED_SHARE = 0.5
const PAGES = 200
const QUICK_PAGES = 40

export const ROW_06: Row = {
  number: 6,
  title: `history: ${formatNumber(SHORT_PAST)} payouts, and ${formatNumber(LONG_PAST.short)} or with --full ${formatNumber(LONG_PAST.full)}`,
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const { full, quick } = stand.options
  const shortPast = quick ? QUICK_PASTS.short : SHORT_PAST
  const payouts = quick ? QUICK_PASTS.long : full ? LONG_PAST.full : LONG_PAST.short
  const keyed = payouts * KEYED_SHARE
  const folders = { short: await pastOf(stand, shortPast), long: await pastOf(stand, payouts), keyed: await pastOf(stand, keyed, addTail) }
  const held = { short: await measureHeldMemory(folders.short), long: await measureHeldMemory(folders.long) }
  const servers = {
    short: await stand.cauri.start(folders.short),
    long: await stand.cauri.start(folders.long),
    keyed: await stand.cauri.start(folders.keyed),
  }
  const taken = await interleave(stand.options.repeat, {
    short: () => stand.measurePayouts(servers.short, ALL_MERCHANTS),
    long: () => stand.measurePayouts(servers.long, ALL_MERCHANTS),
    keyed: () => stand.measurePayouts(servers.keyed, ALL_MERCHANTS),
  })
  const pages = await measurePages(stand, servers.long)
  for (const server of Object.values(servers)) await server.stop()
  for (const folder of Object.values(folders)) stand.cauri.remove(folder)
  const [above, below] = [costsOf(taken.long), costsOf(taken.short)]
  const costClaim = (past: string, costs: readonly number[]): Claim => ({
    what: `cost of a payout after ${past} against after ${formatNumber(shortPast)}`,
    figure: `${formatSpread(spreadOf(costs))} µs : ${formatSpread(spreadOf(below))} µs`,
    value: ratios(costs, below),
    must: atMost(1.1),
    aim: null,
  })
  return {
    claims: [
      costClaim(formatNumber(payouts), above),
      costClaim(`${formatNumber(keyed)} single ones with keys`, costsOf(taken.keyed)),
      memoryClaim(held.short, held.long),
      pageClaim(pages),
    ],
    notes: [
      ...summarize(`After ${formatNumber(payouts)} payouts`, taken.long),
      ...summarize(`After ${formatNumber(keyed)} single payouts with keys`, taken.keyed),
      ...summarize(`After ${formatNumber(shortPast)} payouts`, taken.short),
      `Arrays: ${formatBytes(held.short.bufferBytes)}, then ${formatBytes(held.long.bufferBytes)}; filters of the index among them, of ${formatBytes(FILTERS_MAX_BYTES)} at most`,
      'Pages of 20 and single records over HTTP, one after the other, client included:',
      ...pages.map(describePages),
    ],
    measurements: [...taken.long, ...taken.keyed, ...taken.short],
    plots: [
      {
        title: 'Cost of a payout against history',
        kind: 'lines',
        xLabel: 'payouts in the history',
        yLabel: 'µs of the main thread',
        yScale: 'linear',
        series: [{ name: 'main thread', points: [pointOf(shortPast, spreadOf(below)), pointOf(payouts, spreadOf(above))] }],
      },
    ],
  }
}

async function pastOf(stand: Stand, payouts: number, add: typeof addHistory | typeof addTail = addHistory): Promise<string> {
  const dataDir = await stand.cauri.freshFolder()
  const startedMs = performance.now()
  await add({ dataDir, merchants: stand.merchants, wallets: WALLETS, payouts }, 'fresh')
  console.error(`  ${formatNumber(payouts)} payouts in ${formatNumber((performance.now() - startedMs) / 1000)} s`)
  return dataDir
}

/** Claim about JavaScript objects. The index's filters have their own limit and are in the notes. */
function memoryClaim(short: HeldMemory, long: HeldMemory): Claim {
  return {
    what: 'objects held in memory, against the shorter past',
    figure: `${formatBytes(long.heapBytes)} : ${formatBytes(short.heapBytes)}`,
    value: spreadOf([long.heapBytes / short.heapBytes]),
    must: atMost(1.1),
    aim: null,
  }
}

interface PageTimes {
  readonly name: string
  readonly medianMs: number
  readonly p99Ms: number
  /** CPU time of the server's main thread per page: more reliable than elapsed time on a shared machine. Null without /proc. */
  readonly cpuMs: number | null
}

function describePages({ name, medianMs, p99Ms, cpuMs }: PageTimes): string {
  const cpu = cpuMs === null ? '' : `, ${formatNumber(cpuMs)} ms of CPU`
  return `  ${name}: median ${formatNumber(medianMs)} ms, p99 ${formatNumber(p99Ms)} ms${cpu}`
}

interface SeenPayout {
  readonly id: string
  readonly batch_id: string | null
  readonly recipient: string
  readonly reference: string
  readonly state: string
  readonly transaction_id?: string
}

/** Measures every filter of the list alone, in combinations, and at the oldest pages. */
async function measurePages(stand: Stand, server: CauriServer): Promise<PageTimes[]> {
  const [keys] = stand.merchants
  if (keys === undefined) throw new Error('a bench has merchants')
  const agent = new Agent({ keepAlive: true })
  const headers = { 'X-Api-Key': keys.publicKey, 'X-Api-Secret': keys.secretKey }
  const ask = (path: string): Promise<string> => getText(agent, server.port, path, headers)
  const get = (query: string): Promise<string> => ask(`/v1/biz/payouts?${query}`)
  const [first] = (
    JSON.parse(await get('created_to=2100-01-01T00:00:00Z&reference=R1')) as { data: { batch_id: string; created_at: string }[] }
  ).data
  if (first === undefined) throw new Error('the history has payouts')
  const { batched, cursor } = await readBack(get)
  // Of payouts that the merchant has: a page of a reference or a recipient that it has not is empty and fast.
  const paid = batched.filter(({ state }) => state === 'paid')
  const failed = batched.filter(({ state }) => state === 'failed')
  const oneOf = (some: readonly SeenPayout[]): SeenPayout => {
    const payout = some[random(some.length)]
    if (payout === undefined) throw new Error('the history has payouts of each state')
    return payout
  }
  const referenceIn = (some: readonly SeenPayout[]): string => `reference=${oneOf(some).reference}`
  const random = (below: number): number => Math.floor(Math.random() * below)
  const recipientAndReference = (): string => {
    const { recipient, reference } = oneOf(paid)
    return `recipient=${encodeURIComponent(recipient)}&reference=${reference}`
  }
  const queries: Readonly<Record<string, () => string>> = {
    'no filter': () => '',
    'far back': () => cursor.slice(1),
    'state=failed': () => 'state=failed',
    'state=paid': () => 'state=paid',
    recipient: () => `recipient=${encodeURIComponent(oneOf(paid).recipient)}`,
    'recipient, that exists nowhere': () => `recipient=x${random(1e9)}`,
    reference: () => referenceIn(batched),
    batch_id: () => `batch_id=${first.batch_id}`,
    idempotency_key: () => `idempotency_key=k${random(1e9)}`,
    'created_from and created_to': () => `created_from=2020-01-01T00:00:00Z&created_to=${encodeURIComponent(first.created_at)}`,
    'state=paid and reference': () => `state=paid&${referenceIn(batched)}`,
    'state=failed and reference': () => `state=failed&${referenceIn(failed)}`,
    'recipient, reference and state': () => `${recipientAndReference()}&state=paid`,
  }
  const paths: Readonly<Record<string, () => string>> = {
    ...Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, () => `/v1/biz/payouts?${query()}`])),
    'one payout': () => `/v1/biz/payouts/${oneOf(batched).id}`,
    'one transaction': () => `/v1/biz/transactions/${oneOf(paid).transaction_id}`,
    'transactions, no filter': () => '/v1/biz/transactions',
    'transactions, type=deposit': () => '/v1/biz/transactions?type=deposit',
    'transactions, reference': () => `/v1/biz/transactions?${referenceIn(batched)}`,
    'transactions, type and reference': () => `/v1/biz/transactions?type=payout&${referenceIn(batched)}`,
  }
  const count = stand.options.quick ? QUICK_PAGES : PAGES
  const taken: PageTimes[] = []
  for (const [name, path] of Object.entries(paths)) {
    await waitUntilQuiet(stand.options.quietSeconds * 1000)
    const timesMs: number[] = []
    const cpuBefore = mainThreadCpuSeconds(server.pids[0])
    for (let done = 0; done < count; done++) {
      const startedMs = performance.now()
      await ask(path())
      timesMs.push(performance.now() - startedMs)
    }
    const cpuAfter = mainThreadCpuSeconds(server.pids[0])
    timesMs.sort((one, other) => one - other)
    const cpuMs = cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1000) / count
    taken.push({ name, medianMs: timesMs[count / 2] ?? 0, p99Ms: timesMs[Math.floor(count * 0.99)] ?? 0, cpuMs })
  }
  agent.destroy()
  return taken
}

/**
 * Reads the list from the newest payouts, single ones of the windows, back to two batches of the history. Returns the payouts of batches
 * and the cursor, as a part of a query, of the place that it came to.
 */
async function readBack(get: (query: string) => Promise<string>): Promise<{ batched: SeenPayout[]; cursor: string }> {
  let cursor = ''
  const batched: SeenPayout[] = []
  while (batched.length < 2 * BATCH_LINES) {
    const { data, next_cursor } = JSON.parse(await get(`limit=100${cursor}`)) as { data: SeenPayout[]; next_cursor: string | null }
    batched.push(...data.filter(({ batch_id }) => batch_id !== null))
    if (next_cursor === null) break
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`
  }
  return { batched, cursor }
}

function pageClaim(pages: readonly PageTimes[]): Claim {
  const slowest = pages.reduce((one, other) => (other.medianMs > one.medianMs ? other : one))
  return {
    what: 'milliseconds for a page of the list, median, slowest filter',
    figure: slowest.name,
    value: spreadOf(pages.map(({ medianMs }) => medianMs).filter((ms) => ms === slowest.medianMs)),
    must: atMost(2),
    aim: null,
  }
}

function getText(agent: Agent, port: number, path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, host: '127.0.0.1', port, path, headers }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      incoming.once('end', () =>
        incoming.statusCode === 200 ? resolve(text) : reject(new Error(`${path}: ${incoming.statusCode} ${text}`)),
      )
      incoming.once('error', reject)
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}
