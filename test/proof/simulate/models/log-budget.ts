// The daily log budget in the model: which rejections for it can be right.
import assert from 'node:assert/strict'
import type { Command } from '../../../../engine/domain/command.ts'
import { type Entry, eventsOf } from '../entry.ts'
import type { AccountsModel } from './accounts.ts'

const DAY_MS = 86_400_000
/** What a seed that is tight gives a merchant for a day, and what a wallet keeps at least, written down a second time. */
const BUDGET_BYTES = { merchant: 20_000, wallet: 256 * 1024 } as const
/** More than the record of any command takes beside what the command itself holds. */
const OWN_BYTES = 4000

export class LogBudgetModel {
  /** True where accounts may write little in a day. No other seed reaches a budget. */
  isTight = false
  readonly #accounts: AccountsModel
  /** Bytes by account and day (UTC). */
  readonly #written = new Map<string, number>()

  constructor(accounts: AccountsModel) {
    this.#accounts = accounts
  }

  audit(entry: Entry): void {
    for (const { event, payload } of eventsOf<{ readonly bytes: number }>(entry, 'log.counted')) {
      const key = keyOf(event.account, entry.record.timeMs)
      this.#written.set(key, Math.max(0, (this.#written.get(key) ?? 0) + payload.bytes))
    }
  }

  /** What the account wrote on the day of this time. */
  writtenOn(account: number, timeMs: number): number {
    return this.#written.get(keyOf(account, timeMs)) ?? 0
  }

  /** `written`: by the account on the day of the decision, before it. A record holds what its command does, once or twice. */
  assertOverBudget(account: number, written: number, command: Command): void {
    const { kind } = this.#accounts.account(account)
    assert.ok(this.isTight, 'no account reaches its budget')
    assert.ok(kind === 'merchant' || kind === 'wallet', `a ${kind} account has no budget`)
    const most = written + 2 * JSON.stringify(command).length + OWN_BYTES
    assert.ok(most > BUDGET_BYTES[kind], `a ${kind} that wrote ${written} bytes today is within its budget`)
  }
}

function keyOf(account: number, timeMs: number): string {
  return `${account} ${Math.floor(timeMs / DAY_MS)}`
}
