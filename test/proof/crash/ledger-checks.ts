// Balances and ledger of a server, compared with what was acknowledged.
import { OPERATOR } from '../cluster/accounts.ts'
import type { KillAccounts } from './kill-accounts.ts'
import type { Wire } from './wire.ts'

export interface TrialBalance {
  readonly balanced: boolean
  readonly transactions: number
}

export interface Expected {
  readonly balances: ReadonlyMap<string, number>
  readonly transactions: number
}

/** Returns what differs, in words. */
export async function ledgerFaults(wire: Wire, accounts: KillAccounts, expected: Expected, when: string): Promise<string[]> {
  const faults: string[] = []
  const balances = await balancesOf(wire, accounts)
  for (const [account, balance] of expected.balances) {
    if (balances.get(account) !== balance) faults.push(`${account} has ${balances.get(account)}, not ${balance}, ${when}`)
  }
  const { balanced, transactions } = await trialBalance(wire)
  if (!balanced) faults.push(`the ledger is not balanced ${when}`)
  if (transactions !== expected.transactions) {
    faults.push(`the ledger has ${transactions} transactions, not ${expected.transactions}, ${when}`)
  }
  return faults
}

export async function balancesOf(wire: Wire, accounts: KillAccounts): Promise<Map<string, number>> {
  const balances = new Map<string, number>()
  for (const { account, path, headers } of accounts.balances) {
    balances.set(account, (await readJson<{ available: number }>(wire, path, headers)).available)
  }
  return balances
}

/** Of both environments. */
export async function trialBalance(wire: Wire): Promise<TrialBalance> {
  const of = (name: string): Promise<TrialBalance> => readJson(wire, `/v1/operator/ledger/trial-balance?environment=${name}`, OPERATOR)
  const [test, live] = [await of('test'), await of('live')]
  return { balanced: test.balanced && live.balanced, transactions: test.transactions + live.transactions }
}

/** Rejects unless the answer is 200. */
export async function readJson<Body>(wire: Wire, path: string, headers: Readonly<Record<string, string>>): Promise<Body> {
  const { status, text } = await wire.send('GET', path, headers)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return JSON.parse(text) as Body
}
