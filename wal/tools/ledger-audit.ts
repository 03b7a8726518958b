// Audits every posting of a log independently of the engine: balances must be continuous, money must stay in its environment, and
// debits must equal credits. Does not know the purpose of transactions.
import type { LogRecord } from '../../engine/domain/record.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import type { AppliedPosting } from '../../engine/ledger/transaction.ts'

export interface LedgerFigures {
  readonly transactions: number
  readonly postings: number
  readonly accounts: number
  /** Sum of all balances: zero in a sound ledger. */
  readonly sum: number
  /** Sum of all amounts ever posted. */
  readonly moved: number
}

interface Totals {
  transactions: number
  postings: number
  moved: number
}

export class LedgerAudit {
  readonly #balances = new Map<number, { environment: Environment; balance: number }>()
  readonly #totals: Readonly<Record<Environment, Totals>> = {
    live: { transactions: 0, postings: 0, moved: 0 },
    test: { transactions: 0, postings: 0, moved: 0 },
  }

  /** Returns null if the record's postings continue the balances before, else an error text. */
  add(record: LogRecord): string | null {
    const totals = this.#totals[record.environment]
    for (const transaction of record.transactions) {
      totals.transactions++
      for (const posting of transaction.postings) {
        const fault = this.#post(posting, record.environment)
        if (fault !== null) return `sequence ${record.sequence}, transaction ${transaction.id}: ${fault}`
        totals.postings++
        totals.moved += posting.amount
      }
    }
    return null
  }

  figures(environment: Environment): LedgerFigures {
    let accounts = 0
    let sum = 0
    for (const account of this.#balances.values()) {
      if (account.environment !== environment) continue
      accounts++
      sum += account.balance
    }
    return { ...this.#totals[environment], accounts, sum }
  }

  #post(posting: AppliedPosting, environment: Environment): string | null {
    const { debit, credit, amount, debitBalance, creditBalance } = posting
    if (!Number.isSafeInteger(amount) || amount <= 0) return `the amount ${amount} is not a positive integer`
    if (debit === credit) return `account ${debit} is debited and credited`
    return this.#move(debit, -amount, debitBalance, environment) ?? this.#move(credit, amount, creditBalance, environment)
  }

  #move(number: number, change: number, recorded: number, environment: Environment): string | null {
    const account = this.#balances.get(number) ?? { environment, balance: 0 }
    if (account.environment !== environment) return `account ${number} is of ${account.environment}, the posting of ${environment}`
    account.balance += change
    this.#balances.set(number, account)
    return account.balance === recorded ? null : `account ${number} has ${account.balance} after it, the record says ${recorded}`
  }
}
