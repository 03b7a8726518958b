// Audits every posting of a log independently of the engine: balances must be continuous, money must stay in its environment and
// its currency, and debits must equal credits. Does not know the purpose of transactions.
import type { LogRecord } from '../../engine/domain/record.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import type { AppliedPosting } from '../../engine/ledger/transaction.ts'

export interface LedgerFigures {
  readonly transactions: number
  readonly postings: number
  readonly accounts: number
  /** Sum of all balances of one currency, of one that is not zero if there is any: zero in a sound ledger. */
  readonly sum: number
  /** Sum of all amounts ever posted. */
  readonly moved: number
}

/** Where an account stands: money never leaves it. */
interface Place {
  readonly environment: Environment
  readonly currency: string
}

interface AccountBook extends Place {
  balance: number
}

interface Totals {
  transactions: number
  postings: number
  moved: number
}

export class LedgerAudit {
  readonly #balances = new Map<number, AccountBook>()
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
        const fault = this.#post(posting, { environment: record.environment, currency: transaction.currency })
        if (fault !== null) return `sequence ${record.sequence}, transaction ${transaction.id}: ${fault}`
        totals.postings++
        totals.moved += posting.amount
      }
    }
    return null
  }

  figures(environment: Environment): LedgerFigures {
    let accounts = 0
    const sums = new Map<string, number>()
    for (const account of this.#balances.values()) {
      if (account.environment !== environment) continue
      accounts++
      sums.set(account.currency, (sums.get(account.currency) ?? 0) + account.balance)
    }
    return { ...this.#totals[environment], accounts, sum: [...sums.values()].find((sum) => sum !== 0) ?? 0 }
  }

  #post(posting: AppliedPosting, place: Place): string | null {
    const { debit, credit, amount, debitBalance, creditBalance } = posting
    if (!Number.isSafeInteger(amount) || amount <= 0) return `the amount ${amount} is not a positive integer`
    if (debit === credit) return `account ${debit} is debited and credited`
    return this.#move(debit, -amount, debitBalance, place) ?? this.#move(credit, amount, creditBalance, place)
  }

  #move(number: number, change: number, recorded: number, { environment, currency }: Place): string | null {
    const account = this.#balances.get(number) ?? { environment, currency, balance: 0 }
    if (account.environment !== environment) return `account ${number} is of ${account.environment}, the posting of ${environment}`
    if (account.currency !== currency) return `account ${number} is in ${account.currency}, the transaction in ${currency}`
    account.balance += change
    this.#balances.set(number, account)
    return account.balance === recorded ? null : `account ${number} has ${account.balance} after it, the record says ${recorded}`
  }
}
