// The independent books: what each command must come to, worked out with plain maps and none of the engine's code. Knows
// nothing of batches, turns, images or the archive.
import { AMOUNT_MAX } from '../../../engine/kernel/amount.ts'

/** From, to, amount, and both balances after it. */
export type Move = readonly [debit: number, credit: number, amount: number, debitBalance: number, creditBalance: number]

export interface Verdict {
  readonly status: number
  /** `failure_code` of a payout, or the code of a refusal. */
  readonly code: string | null
  readonly moves: readonly Move[]
}

interface Holder {
  readonly kind: 'settlement' | 'clearing' | 'merchant' | 'wallet'
  readonly environment: 'live' | 'test'
  readonly isBlocked: boolean
  balance: number
  frames: number
}

/** What the engine's limits are meant to be, written down a second time. */
const WALLET_MAX = 1e15
const ACCOUNT_MAX = 4e15
const SETTLEMENT = { live: 0, test: 2 } as const

export class Books {
  readonly holders: Holder[] = []
  readonly merchants = new Map<string, { readonly live: number; readonly test: number }>()
  readonly #walletByTag = new Map<string, number>()
  readonly #phones = new Set<string>()
  readonly transactions = { live: 0, test: 0 }

  constructor() {
    for (const environment of ['live', 'test'] as const) {
      this.#open('settlement', environment)
      this.#open('clearing', environment)
    }
  }

  walletOf(environment: 'live' | 'test', tag: string): number | undefined {
    return this.#walletByTag.get(`${environment}:${tag}`)
  }

  environmentOf(account: number): 'live' | 'test' {
    return this.#holder(account).environment
  }

  /** Two accounts, live first. */
  openMerchant(id: string): Verdict {
    const live = this.#open('merchant', 'live')
    this.merchants.set(id, { live, test: this.#open('merchant', 'test') })
    return accepted([])
  }

  openWallet(environment: 'live' | 'test', tag: string, phone: string | null): Verdict {
    if (phone !== null && this.#phones.has(phone)) return refused(409, 'phone_taken')
    if (this.walletOf(environment, tag) !== undefined) return refused(409, 'tag_taken')
    if (phone !== null) this.#phones.add(phone)
    this.#walletByTag.set(
      `${environment}:${tag}`,
      this.#open('wallet', environment, environment === 'test' && tag.startsWith('test_blocked')),
    )
    return accepted([])
  }

  deposit(account: number, amount: number): Verdict {
    const { kind, environment, balance } = this.#holder(account)
    const settlement = this.#holder(SETTLEMENT[environment])
    if (balance + amount > (kind === 'wallet' ? WALLET_MAX : ACCOUNT_MAX)) return refused(409, null)
    if (settlement.balance - amount < -ACCOUNT_MAX) return refused(409, null)
    return accepted([this.#move(SETTLEMENT[environment], account, amount)])
  }

  withdraw(account: number, amount: number): Verdict {
    const { environment, balance } = this.#holder(account)
    if (balance < amount) return refused(402, 'insufficient_balance')
    return accepted([this.#move(account, SETTLEMENT[environment], amount)])
  }

  payout(merchant: number, tag: string, amount: number): Verdict {
    const code = this.#obstacle(merchant, this.walletOf(this.environmentOf(merchant), tag), amount)
    if (code !== null) return { status: 201, code, moves: [] }
    return accepted([this.#move(merchant, this.walletOf(this.environmentOf(merchant), tag) as number, amount)])
  }

  transfer(sender: number, tag: string, amount: number): Verdict {
    const recipient = this.walletOf(this.environmentOf(sender), tag)
    if (recipient === undefined) return refused(404, 'recipient_not_found')
    if (recipient === sender) return refused(400, 'self_transfer')
    const code = this.#obstacle(sender, recipient, amount)
    if (code !== null) return refused(code === 'insufficient_balance' ? 402 : 409, code)
    return accepted([this.#move(sender, recipient, amount)])
  }

  /** Money that a record says has moved, where the books know no rule for why. */
  post(debit: number, credit: number, amount: number): Move {
    return this.#move(debit, credit, amount)
  }

  countTransaction(environment: 'live' | 'test'): void {
    this.transactions[environment]++
  }

  /** Next id of a frame on the wallet's stream. */
  nextFrame(account: number): number {
    return ++this.#holder(account).frames
  }

  #obstacle(payer: number, wallet: number | undefined, amount: number): string | null {
    if (wallet === undefined) return 'recipient_not_found'
    const { isBlocked, balance } = this.#holder(wallet)
    if (isBlocked) return 'recipient_blocked'
    if (balance + amount > WALLET_MAX) return 'recipient_limit_exceeded'
    return this.#holder(payer).balance < amount ? 'insufficient_balance' : null
  }

  #move(debit: number, credit: number, amount: number): Move {
    const from = this.#holder(debit)
    const to = this.#holder(credit)
    if (from.environment !== to.environment) throw new Error(`money went from ${from.environment} to ${to.environment}`)
    if (!Number.isInteger(amount) || amount <= 0 || amount > 1000 * AMOUNT_MAX) throw new Error(`${amount} is no amount`)
    from.balance -= amount
    to.balance += amount
    if (from.balance < 0 && from.kind !== 'settlement') throw new Error(`account ${debit} is overdrawn`)
    return [debit, credit, amount, from.balance, to.balance]
  }

  #holder(account: number): Holder {
    const holder = this.holders[account]
    if (holder === undefined) throw new Error(`the books have no account ${account}`)
    return holder
  }

  #open(kind: Holder['kind'], environment: 'live' | 'test', isBlocked = false): number {
    return this.holders.push({ kind, environment, isBlocked, balance: 0, frames: 0 }) - 1
  }
}

function accepted(moves: readonly Move[]): Verdict {
  return { status: 201, code: null, moves }
}

function refused(status: number, code: string | null): Verdict {
  return { status, code, moves: [] }
}
