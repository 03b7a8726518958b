// What must hold after every crash: nothing acknowledged is lost or different, nothing is there twice, the ledger balances.
import assert from 'node:assert/strict'
import type { Prng } from '../support/prng.ts'
import { type CrashMerchant, OPERATOR, sendPayout } from './merchants.ts'
import type { Wire } from './wire.ts'

interface Payout {
  readonly id: string
  readonly reference: string
  readonly state: 'paid' | 'failed'
  readonly amount: number
  readonly transaction_id?: string
}

interface StatementLine {
  readonly id: string
  readonly amount: number
  readonly balance_after: number
}

interface TrialBalance {
  readonly balanced: boolean
  readonly transactions: number
  readonly accounts: readonly { readonly debit: number; readonly credit: number }[]
}

/** How many of the older keys are asked again after each crash; the last check asks all. */
const OLD_KEYS = 60

/** Asks for everything that the round had sent, and for some of what came before. Unknown ones are known after it. */
export async function checkKeys(wire: Wire, merchants: readonly CrashMerchant[], round: number | null, prng: Prng): Promise<void> {
  for (const merchant of merchants) {
    const all = [...merchant.sent.values()]
    const wanted = round === null ? all : all.filter(({ key }) => key.startsWith(`r${round}-`))
    if (round !== null && all.length > 0) for (let count = 0; count < OLD_KEYS; count++) wanted.push(prng.pick(all))
    for (let from = 0; from < wanted.length; from += 16) {
      const some = wanted.slice(from, from + 16)
      const told = await Promise.all(some.map((payout) => sendPayout(wire, merchant, payout)))
      assert.ok(told.every(({ status }) => status === 201))
    }
  }
}

/** Every payout that was ever sent is in the list once, as it was answered, and the balance is what is left of the deposit. */
export async function checkBooks(wire: Wire, merchants: readonly CrashMerchant[]): Promise<void> {
  let transactions = 0
  for (const merchant of merchants) {
    const payouts = await listAll<Payout>(wire, merchant, '/v1/biz/payouts')
    assert.equal(payouts.length, merchant.sent.size, 'as many payouts as were sent')
    assert.equal(new Set(payouts.map(({ id }) => id)).size, payouts.length, 'no payout is there twice')
    for (const payout of payouts) {
      const told = merchant.sent.get(payout.reference)?.told
      assert.ok(told !== undefined && told !== null, `${payout.reference} was sent`)
      assert.deepEqual(payout, JSON.parse(told.text), 'the list says what the merchant was answered')
    }
    const paid = payouts.filter(({ state }) => state === 'paid')
    await checkStatement(wire, merchant, paid)
    transactions += paid.length + 1
  }
  const balance = await get<TrialBalance>(wire, '/v1/operator/ledger/trial-balance?environment=test', OPERATOR)
  assert.equal(balance.balanced, true)
  const sum = (side: 'debit' | 'credit'): number => balance.accounts.reduce((total, account) => total + account[side], 0)
  assert.equal(sum('debit'), sum('credit'))
  assert.equal(balance.transactions, transactions, 'no transaction but those of the merchants')
}

/** The statement's lines follow each other and end at the balance. */
async function checkStatement(wire: Wire, merchant: CrashMerchant, paid: readonly Payout[]): Promise<void> {
  const { available } = await get<{ available: number }>(wire, '/v1/biz/balance', merchant.credentials)
  const spent = paid.reduce((total, { amount }) => total + amount, 0)
  assert.equal(available, merchant.deposited - spent, 'the balance is the deposit less what was paid')
  const lines = (await listAll<StatementLine>(wire, merchant, '/v1/biz/transactions')).reverse()
  assert.equal(lines.length, paid.length + 1)
  let balance = 0
  for (const { id, amount, balance_after } of lines) {
    balance += amount
    assert.equal(balance_after, balance, `line ${id} continues the one before it`)
  }
  assert.equal(balance, available)
  const ids = new Set(lines.map(({ id }) => id))
  assert.ok(
    paid.every(({ transaction_id }) => ids.has(transaction_id ?? '')),
    'every paid payout is on the statement',
  )
}

async function listAll<Item>(wire: Wire, { credentials }: CrashMerchant, path: string): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { data: Item[]; next_cursor: string | null } = await get(
      wire,
      `${path}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
      credentials,
    )
    items.push(...page.data)
    cursor = page.next_cursor
  }
  return items
}

async function get<Body>(wire: Wire, path: string, headers: Readonly<Record<string, string>>): Promise<Body> {
  const { status, text } = await wire.send('GET', path, headers)
  assert.equal(status, 200, text)
  return JSON.parse(text) as Body
}
