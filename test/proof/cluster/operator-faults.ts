// Faults that an operator causes or has to see: wrong clocks, other secrets, twins, cut addresses, silent hosts, a standby that is away
// for long. Each checks what the nodes show while it lasts.
import { Patience, withPatience } from '../../support/patience.ts'
import type { Prng } from '../../support/prng.ts'
import { launch } from '../../support/server-process.ts'
import { healthText, newestTransactionMs, readStatus } from './node-asks.ts'
import { pause } from './pause.ts'
import { NODES, type NodeName, type TestedCluster } from './tested-cluster.ts'

/** What an operator could read while the fault lasted. */
export type Shown = readonly string[]

const HOUR_MS = 3_600_000
const SHIFT_MS = 4 * HOUR_MS
const SHOWN_MAX_MS = 60_000
const LOOK_MS = 200
const ENDS_MAX_MS = 30_000
/** The contract has 50 ms; a machine under the load of a round is slower. */
const HEALTH_MAX_MS = 500
const LEDGER_MAX_MS = 15_000
/** Shorter than the wait for a write: a loaded machine has time to ask a follower. */
const READ_MAX_MS = 12_000

/** The owner's clock is set: it gives the log away, and follows with a bad health until the clock is right. */
export async function clockOfOwner(cluster: TestedCluster, prng: Prng): Promise<Shown> {
  const owner = await cluster.owner()
  cluster.setClock(owner, prng.chance(0.5) ? SHIFT_MS : -SHIFT_MS)
  await untilNotOwner(cluster, owner)
  const text = await untilTrouble(cluster, owner, /horloge/)
  await checkLedgerTime(cluster, await cluster.owner())
  cluster.setClock(owner, 0)
  return [text]
}

/** A follower's clock is set before the owner is killed: the third node takes the log over. */
export async function clockOfFollower(cluster: TestedCluster, prng: Prng): Promise<Shown> {
  const owner = await cluster.owner()
  const [wrong] = NODES.filter((name) => name !== owner)
  if (wrong === undefined) return []
  cluster.setClock(wrong, prng.chance(0.5) ? SHIFT_MS : -SHIFT_MS)
  const text = await untilTrouble(cluster, wrong, /horloge/)
  await cluster.kill(owner, true)
  const next = await cluster.owner()
  if (next === wrong) cluster.unexpected.push(`${wrong} owns the log although its clock is wrong`)
  await checkLedgerTime(cluster, next)
  cluster.setClock(wrong, 0)
  await cluster.restart(owner)
  return [text]
}

/** Nodes do not reach the owner at its NODE_URL, although it lives. */
export async function ownerCutOff(cluster: TestedCluster): Promise<Shown> {
  const owner = await cluster.owner()
  const entry = cluster.entry(owner)
  entry.swallow = 'to-server'
  const followers = NODES.filter((name) => name !== owner)
  const texts = await Promise.all(followers.map((name) => untilTrouble(cluster, name, /ne joint pas le propriétaire/)))
  entry.swallow = null
  entry.cut()
  return texts.slice(0, 1)
}

/** A process with the name of a living node, or with another CLUSTER_SECRET. */
export async function strayNode(cluster: TestedCluster, kind: 'twin' | 'secret'): Promise<Shown> {
  const secret = kind === 'secret' ? { CLUSTER_SECRET: Buffer.alloc(32, 1).toString('base64') } : {}
  const options = await cluster.strayOptions('a', { NODE_NAME: kind === 'twin' ? 'a' : 'stray', ...secret })
  const stray = launch(options)
  const code = await withPatience(ENDS_MAX_MS, stray.exited)
  const last = stray.lines.at(-1) ?? ''
  await stray.remove()
  const expected = kind === 'twin' ? /name_in_use/ : /wrong_key/
  if (code !== 1 || !expected.test(last)) cluster.unexpected.push(`a stray node (${kind}) ended with ${code}: ${last}`)
  return [messageOf(last)]
}

/** One host of WAL_POSTGRES_URL takes connections and never answers, and every connection is made again. */
export async function silentHost(cluster: TestedCluster): Promise<Shown> {
  const place = cluster.standbyPlace
  for (const name of NODES) {
    for (const [at, proxy] of cluster.proxies(name).entries()) {
      if (at === place) proxy.swallow = 'to-server'
      proxy.cut()
    }
  }
  await pause(2000)
  for (const name of NODES) {
    const patience = new Patience(HEALTH_MAX_MS)
    await healthText(cluster, name)
    if (patience.isOver) cluster.unexpected.push(`/healthz of ${name} took more than ${HEALTH_MAX_MS} ms beside a silent host`)
  }
  await pause(2000)
  for (const name of NODES) {
    const proxy = cluster.proxies(name)[place]
    if (proxy === undefined) continue
    proxy.swallow = null
    proxy.cut()
  }
  return []
}

/** Reads go on at every node, `ping` at the owner too, while no commit is confirmed. */
export async function readsGoOn(cluster: TestedCluster, timeMs: number): Promise<void> {
  for (const endMs = performance.now() + timeMs; performance.now() < endMs; await pause(LOOK_MS)) {
    for (const name of cluster.listed) {
      for (const path of ['/v1/biz/ping', '/v1/biz/balance']) {
        const startMs = performance.now()
        const patience = new Patience(READ_MAX_MS)
        const status = await readStatus(cluster, name, path)
        if (status === 200 && !patience.isOver) continue
        const tookMs = Math.round(performance.now() - startMs)
        cluster.unexpected.push(`${path} at ${name} answered ${status} after ${tookMs} ms while no commit was confirmed`)
        return
      }
    }
  }
}

async function untilNotOwner(cluster: TestedCluster, name: NodeName): Promise<void> {
  for (const patience = new Patience(SHOWN_MAX_MS); (await cluster.owner()) === name; await pause(LOOK_MS)) {
    if (!patience.isOver) continue
    cluster.unexpected.push(`${name} keeps the log although its clock is wrong`)
    return
  }
}

async function untilTrouble(cluster: TestedCluster, name: NodeName, expected: RegExp): Promise<string> {
  let text = ''
  for (const patience = new Patience(SHOWN_MAX_MS); !patience.isOver; await pause(LOOK_MS)) {
    text = messageOf(await healthText(cluster, name))
    if (expected.test(text)) return text
  }
  cluster.unexpected.push(`/healthz of ${name} does not show ${expected.source}: ${text}`)
  return text
}

/** The newest transaction has a time that is near that of this machine. */
async function checkLedgerTime(cluster: TestedCluster, name: NodeName): Promise<void> {
  const newest = await newestTransactionMs(cluster, name)
  if (newest === null || Math.abs(Date.now() - newest) < LEDGER_MAX_MS) return
  cluster.unexpected.push(`the ledger's time is ${Math.round((newest - Date.now()) / 1000)} s from that of the machine`)
}

function messageOf(text: string): string {
  try {
    const { message, msg } = JSON.parse(text) as { message?: string; msg?: string }
    return message ?? msg ?? text
  } catch {
    return text
  }
}
