// What each API key has paid today. A record whose payouts a key pays names the key and the sum (`KeySpend`), so a limit that is set later
// counts the whole day. Rows change in place, and a changed one is written whole: a new row for each payout would be garbage.
import type { Amount } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import { type CapturedRow, ChangedRows } from '../../kernel/changed-rows.ts'
import type { SnapshotSource } from '../../kernel/table.ts'
import { dayOf, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { KeySpend, LogRecord } from '../record.ts'
import { KEY_DAYS_MAX } from './merchant-limits.ts'

interface KeyDay {
  /** The merchant's account. */
  readonly account: AccountNumber
  /** UTC, in days since 1970-01-01. */
  day: number
  spent: Amount
}

export class KeyDays implements SnapshotSource {
  readonly name = 'api_key_day'
  readonly #rows = new Map<string, KeyDay>()
  /** Keys with a row, by account. */
  readonly #keys = new Map<AccountNumber, Set<string>>()
  readonly #changed = new ChangedRows<string, KeyDay>()

  /** Returns what the key has paid on the day of the time. */
  spentOn(keyId: string, timeMs: TimeMs): Amount {
    const row = this.#rows.get(keyId)
    return row?.day === dayOf(timeMs) ? row.spent : 0
  }

  /** Counts what a key of the account has paid. */
  count({ keyId, amount }: KeySpend, account: AccountNumber, timeMs: TimeMs): void {
    const day = dayOf(timeMs)
    const row = this.#rows.get(keyId)
    if (row === undefined) return this.#add(keyId, { account, day, spent: amount })
    this.#changed.willMutate(keyId, row)
    row.spent = row.day === day ? row.spent + amount : amount
    row.day = day
  }

  /** The payer of the record's first posting is the merchant whose key pays. */
  countRecord(spend: KeySpend, { transactions, timeMs }: Pick<LogRecord, 'transactions' | 'timeMs'>): void {
    const debit = transactions[0]?.postings[0]?.debit
    assert(debit !== undefined, 'a key that pays has a posting')
    this.count(spend, debit, timeMs)
  }

  capture(): IterableIterator<CapturedRow> {
    return this.#changed.capture((keyId) => this.#rows.get(keyId))
  }

  rows(): Iterable<[key: string, row: object]> {
    return this.#rows.entries()
  }

  restore(key: string, row: object): void {
    this.#place(key, { ...(row as KeyDay) })
  }

  /** Beyond the maximum of an account the row of the earliest day goes: those of today are needed. */
  #add(keyId: string, row: KeyDay): void {
    const keys = this.#keys.get(row.account)
    if (keys !== undefined && keys.size >= KEY_DAYS_MAX) this.#remove(row.account, earliest(keys, this.#rows))
    this.#changed.willChange(keyId, undefined)
    this.#place(keyId, row)
  }

  #place(keyId: string, row: KeyDay): void {
    this.#rows.set(keyId, row)
    const keys = this.#keys.get(row.account)
    if (keys === undefined) this.#keys.set(row.account, new Set([keyId]))
    else keys.add(keyId)
  }

  #remove(account: AccountNumber, keyId: string): void {
    this.#changed.willChange(keyId, this.#rows.get(keyId))
    this.#rows.delete(keyId)
    this.#keys.get(account)?.delete(keyId)
  }
}

/** The same key after a restart, whose rows come in any order. */
function earliest(keys: ReadonlySet<string>, rows: ReadonlyMap<string, KeyDay>): string {
  const [first, ...others] = keys
  assert(first !== undefined, 'an account at its maximum has rows')
  const dayOfKey = (keyId: string): number => rows.get(keyId)?.day ?? 0
  return others.reduce((best, keyId) => {
    const [one, other] = [dayOfKey(keyId), dayOfKey(best)]
    return one < other || (one === other && keyId < best) ? keyId : best
  }, first)
}
