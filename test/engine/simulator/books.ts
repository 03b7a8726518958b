// The independent model: what each command must come to, worked out with plain maps and none of the engine's code. Knows
// nothing of batches, turns, snapshots or the archive.

/** From, to, amount, and both balances after it. */
export type Move = readonly [debit: number, credit: number, amount: number, debitBalance: number, creditBalance: number]

export interface Verdict {
  readonly status: number
  /** The code of a refusal; of payouts, the `failure_code` of each in turn, null where it is paid. */
  readonly code: string | null
  readonly payouts: readonly (string | null)[]
  readonly moves: readonly Move[]
  /** Wallets whose streams get a frame, one entry for each frame. */
  readonly frames: readonly number[]
}

export type Environment = 'live' | 'test'

export interface Holder {
  readonly kind: 'settlement' | 'clearing' | 'merchant' | 'wallet'
  readonly environment: Environment
  readonly tag: string
  readonly isBlocked: boolean
  balance: number
  frames: number
}

/** What the engine's limits are meant to be, written down a second time. */
export const WALLET_MAX = 1e15
export const ACCOUNT_MAX = 4e15
const SETTLEMENT = { live: 0, test: 2 } as const

export class Books {
  readonly holders: Holder[] = []
  readonly merchants = new Map<string, { readonly live: number; readonly test: number }>()
  readonly transactions = { live: 0, test: 0 }
  readonly #walletByTag = new Map<string, number>()
  readonly #phones = new Set<string>()

  constructor() {
    for (const environment of ['live', 'test'] as const) {
      this.#open('settlement', environment)
      this.#open('clearing', environment)
    }
  }

  walletOf(environment: Environment, tag: string): number | undefined {
    return this.#walletByTag.get(`${environment}:${tag}`)
  }

  /** Accounts of the wallets of an environment. */
  walletsOf(environment: Environment): readonly number[] {
    return [...this.holders.keys()].filter((account) => {
      const { kind, environment: own } = this.holder(account)
      return kind === 'wallet' && own === environment
    })
  }

  /** Whose account it is. */
  merchantOf(account: number): string {
    for (const [id, { live, test }] of this.merchants) if (account === live || account === test) return id
    throw new Error(`account ${account} is no merchant's`)
  }

  holder(account: number): Holder {
    const holder = this.holders[account]
    if (holder === undefined) throw new Error(`the books have no account ${account}`)
    return holder
  }

  /** Two accounts, live first. */
  openMerchant(id: string): Verdict {
    const live = this.#open('merchant', 'live')
    this.merchants.set(id, { live, test: this.#open('merchant', 'test') })
    return accepted(201)
  }

  openWallet(environment: Environment, tag: string, phone: string | null): Verdict {
    if (phone !== null && this.#phones.has(phone)) return refused(409, 'phone_taken')
    if (this.walletOf(environment, tag) !== undefined) return refused(409, 'tag_taken')
    if (phone !== null) this.#phones.add(phone)
    const isBlocked = environment === 'test' && tag.startsWith('test_blocked')
    this.#walletByTag.set(`${environment}:${tag}`, this.#open('wallet', environment, tag, isBlocked))
    return accepted(201)
  }

  deposit(account: number, amount: number): Verdict {
    const { kind, environment, balance, isBlocked } = this.holder(account)
    if (isBlocked) return refused(409, 'wallet_blocked')
    const settlement = this.holder(SETTLEMENT[environment])
    if (balance + amount > (kind === 'wallet' ? WALLET_MAX : ACCOUNT_MAX)) return refused(409, null)
    if (settlement.balance - amount < -ACCOUNT_MAX) return refused(409, null)
    return accepted(201, [this.move(SETTLEMENT[environment], account, amount)], kind === 'wallet' ? [account, account] : [])
  }

  withdraw(account: number, amount: number): Verdict {
    const { kind, environment, balance } = this.holder(account)
    if (balance < amount) return refused(402, 'insufficient_balance')
    return accepted(201, [this.move(account, SETTLEMENT[environment], amount)], kind === 'wallet' ? [account, account] : [])
  }

  /** Lines in their order; a malformed one has its fault and makes no payout. */
  payouts(
    merchant: number,
    lines: readonly { readonly recipient: string; readonly amount: number | null; readonly fault: string | null }[],
  ): Verdict {
    const codes: (string | null)[] = []
    const moves: Move[] = []
    const frames: number[] = []
    for (const { recipient, amount, fault } of lines) {
      if (fault !== null || amount === null) continue
      const wallet = this.walletOf(this.holder(merchant).environment, recipient)
      const isShort = this.holder(merchant).balance < amount
      const code = isShort ? 'insufficient_balance' : this.#obstacle(merchant, wallet, amount)
      codes.push(code)
      if (code !== null || wallet === undefined) continue
      moves.push(this.move(merchant, wallet, amount))
      frames.push(wallet, wallet)
    }
    return { status: 201, code: null, payouts: codes, moves, frames }
  }

  transfer(sender: number, tag: string, amount: number): Verdict {
    const recipient = this.walletOf(this.holder(sender).environment, tag)
    if (recipient === undefined) return refused(404, 'recipient_not_found')
    if (recipient === sender) return refused(400, 'self_transfer')
    const code = this.#obstacle(sender, recipient, amount)
    if (code !== null) return refused(code === 'insufficient_balance' ? 402 : 409, code)
    return accepted(201, [this.move(sender, recipient, amount)], [sender, sender, recipient, recipient])
  }

  move(debit: number, credit: number, amount: number): Move {
    const from = this.holder(debit)
    const to = this.holder(credit)
    if (from.environment !== to.environment) throw new Error(`money went from ${from.environment} to ${to.environment}`)
    if (!Number.isInteger(amount) || amount <= 0) throw new Error(`${amount} is no amount`)
    from.balance -= amount
    to.balance += amount
    if (from.balance < 0 && from.kind !== 'settlement') throw new Error(`account ${debit} is overdrawn`)
    return [debit, credit, amount, from.balance, to.balance]
  }

  #obstacle(payer: number, wallet: number | undefined, amount: number): string | null {
    if (wallet === undefined) return 'recipient_not_found'
    const { isBlocked, balance } = this.holder(wallet)
    if (isBlocked) return 'recipient_blocked'
    if (balance + amount > WALLET_MAX) return 'recipient_limit_exceeded'
    return this.holder(payer).balance < amount ? 'insufficient_balance' : null
  }

  #open(kind: Holder['kind'], environment: Environment, tag = '', isBlocked = false): number {
    return this.holders.push({ kind, environment, tag, isBlocked, balance: 0, frames: 0 }) - 1
  }
}

export function accepted(status: number, moves: readonly Move[] = [], frames: readonly number[] = []): Verdict {
  return { status, code: null, payouts: [], moves, frames }
}

export function refused(status: number, code: string | null): Verdict {
  return { status, code, payouts: [], moves: [], frames: [] }
}
