// What must hold after a round, at every node: balances, the ledger's sum, webhook events, hosted code.
import { Patience } from '../../support/patience.ts'
import { Wire } from '../crash/wire.ts'
import { type Accounts, OPERATOR } from './accounts.ts'
import { MERCHANT, type WriteKind } from './money-writes.ts'
import { pause } from './pause.ts'
import type { AcknowledgedWrite } from './round-history.ts'
import { NODES, type TestedCluster } from './tested-cluster.ts'

interface TrialBalance {
  readonly balanced: boolean
  readonly transactions: number
  readonly accounts: readonly { readonly debit: number; readonly credit: number }[]
}

interface BillPayment {
  readonly charge_id: string
  readonly fulfillment: { readonly state: string; readonly attempts: number }
}

const ANSWER_MAX_MS = 120_000
const LOOK_MS = 50
const FULFILLED_MAX_MS = 120_000

/** Asks until the node answers 200: PostgreSQL may have been lost a moment ago. */
async function ask<Body>(url: string, path: string, headers: Readonly<Record<string, string>>): Promise<{ body: Body; text: string }> {
  const wire = new Wire(url, ANSWER_MAX_MS)
  try {
    for (const patience = new Patience(ANSWER_MAX_MS); ; await pause(LOOK_MS)) {
      const told = await wire.send('GET', path, headers).catch(() => null)
      if (told?.status === 200) return { body: JSON.parse(told.text) as Body, text: told.text }
      if (patience.isOver) throw new Error(`${path} at ${url} answered ${told?.status} ${told?.text}`)
    }
  } finally {
    wire.close()
  }
}

/** Reads all balances at one node. */
export async function balancesAt(url: string, accounts: Accounts): Promise<Map<string, number>> {
  const balances = new Map<string, number>()
  const { body } = await ask<{ available: number }>(url, '/v1/biz/balance', accounts.merchantHeaders)
  balances.set(MERCHANT, body.available)
  for (const wallet of accounts.wallets) {
    balances.set(wallet.tag, (await ask<{ available: number }>(url, '/v1/me/balance', accounts.headersOf(wallet))).body.available)
  }
  return balances
}

export function trialBalanceAt(url: string): Promise<{ body: TrialBalance; text: string }> {
  return ask<TrialBalance>(url, '/v1/operator/ledger/trial-balance?environment=test', OPERATOR)
}

/** Compares every node with the expected balances and count of transactions, and all nodes with each other. */
export async function nodeFaults(
  cluster: TestedCluster,
  accounts: Accounts,
  expected: { readonly balances: ReadonlyMap<string, number>; readonly transactions: number },
): Promise<string[]> {
  const faults: string[] = []
  const texts = new Set<string>()
  for (const name of NODES) {
    const url = cluster.baseUrl(name)
    for (const [account, balance] of await balancesAt(url, accounts)) {
      const wanted = expected.balances.get(account)
      if (balance !== wanted) faults.push(`${name} ends with the balance ${balance} of ${account}, not ${wanted}`)
    }
    const { body, text } = await trialBalanceAt(url)
    // The last sequence counts records without money too, such as a webhook's delivery, which go on.
    texts.add(text.replace(/"last_sequence":\d+/, ''))
    const sum = body.accounts.reduce((total, { debit, credit }) => total + debit - credit, 0)
    if (!body.balanced || sum !== 0) faults.push(`the ledger of ${name} has the sum ${sum}`)
    if (body.transactions !== expected.transactions) {
      faults.push(`${name} has ${body.transactions} transactions, not ${expected.transactions}`)
    }
  }
  if (texts.size !== 1) faults.push(`the nodes have different ledgers: ${[...texts].join(' and ')}`)
  return faults
}

/** Hosted code runs at most once for each bill, and once where it succeeded; no bill stays without a result. */
export async function fulfillmentFaults(
  cluster: TestedCluster,
  accounts: Accounts,
  bills: readonly AcknowledgedWrite[],
): Promise<{ readonly faults: string[]; readonly failed: number }> {
  const faults: string[] = []
  let failed = 0
  for (const { body } of bills) {
    const { transaction_id } = JSON.parse(body) as { transaction_id: string }
    const { charge_id, fulfillment } = await fulfilled(cluster, accounts, transaction_id)
    const count = accounts.billerSystem.received.filter(({ path }) => path === `/${charge_id}`).length
    if (fulfillment.state === 'failed') failed++
    if (fulfillment.state === 'pending') faults.push(`the bill ${charge_id} has no result after ${FULFILLED_MAX_MS} ms`)
    if (count > 1 || (fulfillment.state === 'succeeded' && count !== 1)) {
      faults.push(`the bill ${charge_id} is ${fulfillment.state}, and its code called ${count} times`)
    }
  }
  return { faults, failed }
}

async function fulfilled(cluster: TestedCluster, accounts: Accounts, transactionId: string): Promise<BillPayment> {
  const path = `/v1/biz/bill-payments/${transactionId}`
  for (const patience = new Patience(FULFILLED_MAX_MS); ; await pause(LOOK_MS)) {
    const { body } = await ask<BillPayment>(cluster.baseUrl(NODES[0]), path, accounts.merchantHeaders)
    if (body.fulfillment.state !== 'pending' || patience.isOver) return body
  }
}

/** Field of the event's data by which it is recognized, and the field of the write's answer. `bill.paid` has one attempt only. */
const EVENTS: Readonly<Partial<Record<WriteKind, readonly [type: string, field: string, answered: string]>>> = {
  payout: ['payout.paid', 'id', 'id'],
  batch: ['batch.completed', 'id', 'id'],
  'charge payment': ['charge.succeeded', 'transaction_id', 'transaction_id'],
  refund: ['charge.refunded', 'refund_transaction_id', 'refund_transaction_id'],
}

/** Webhook events that acknowledged writes are owed: each must arrive at least once. */
export class OwedEvents {
  readonly #owed = new Set<string>()
  #read = 0

  add(writes: readonly AcknowledgedWrite[]): void {
    for (const { write, body } of writes) {
      const event = EVENTS[write.kind]
      if (event !== undefined) this.#owed.add(`${event[0]} ${(JSON.parse(body) as Record<string, string>)[event[2]]}`)
    }
  }

  /** Returns how many have not arrived within the time. They stay owed. */
  async outstanding(accounts: Accounts, timeMs: number): Promise<readonly string[]> {
    for (const patience = new Patience(timeMs); ; await pause(LOOK_MS)) {
      this.#take(accounts)
      if (this.#owed.size === 0 || patience.isOver) return [...this.#owed]
    }
  }

  #take({ webhooks }: Accounts): void {
    for (; this.#read < webhooks.received.length; this.#read++) {
      const { type, data } = JSON.parse(webhooks.received[this.#read]?.body ?? '{}') as { type: string; data: Record<string, string> }
      const event = Object.values(EVENTS).find(([eventType]) => eventType === type)
      if (event !== undefined) this.#owed.delete(`${type} ${data[event[1]]}`)
    }
  }
}
