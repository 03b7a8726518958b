// What the simulated clients ask for: random commands on few merchants, wallets, charges and keys, so that they meet.
import type { Envelope, Outcome } from '../../../engine/actor/envelope.ts'
import { readBatchLines } from '../../../engine/contract/batch-line.ts'
import type { Command } from '../../../engine/domain/command.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import type { Prng } from '../../support/prng.ts'
import type { BillBooks } from './bill-books.ts'
import { BILL_MAX, BILLER, billCommand, billerSteps } from './bill-requests.ts'
import type { Books } from './books.ts'
import type { ChargeBooks } from './charge-books.ts'

/** One request of a client, which remembers the answer. */
export interface Request {
  readonly envelope: Envelope
  outcome: Outcome | null
}

const TAGS = ['awa', 'moussa', 'fatou', 'koffi', 'mariam', 'test_blocked_a', 'ghost'] as const
const TAGS_THAT_NEVER_ARE = new Set<string>(['ghost'])
const MERCHANTS_MAX = 3
const LINES_MAX = 500
const REFERENCES = ['', '', 'salaire', 'prime "août"', 'ligne\nnouvelle', '\ud800', 'Ünï💶'] as const

export class Clients {
  readonly #prng: Prng
  readonly #books: Books
  readonly #charges: ChargeBooks
  readonly #bills: BillBooks
  /** In some worlds the first merchant becomes a biller, and little else happens. */
  readonly #likesBills: boolean
  #billerSteps = 0
  #keys = 0
  #tokens = 0

  /** The model says which accounts exist by now. */
  constructor(prng: Prng, books: Books, charges: ChargeBooks, bills: BillBooks) {
    this.#prng = prng
    this.#books = books
    this.#charges = charges
    this.#bills = bills
    this.#likesBills = prng.chance(0.3)
  }

  fresh(): Request {
    const command = this.#command()
    const mailbox = this.#mailboxOf(command)
    const { type } = command
    const isFunding = type === 'Deposit' || type === 'Withdraw'
    const needsKey = type !== 'CreateMerchant' && type !== 'CreateTestWallet' && type !== 'CreateWallet'
    const hasKey = needsKey || this.#prng.chance(0.7)
    const scope = isFunding || type === 'CreateMerchant' ? 'operator' : String(mailbox)
    return { envelope: { command, mailbox, idempotency: hasKey ? this.#key(scope, command) : null }, outcome: null }
  }

  /** A test wallet of its own name. */
  crowdWallet(number: number): Request {
    const command: Command = { type: 'CreateTestWallet', tag: `foule_${number}` }
    return { envelope: { command, mailbox: 0, idempotency: this.#key('0', command) }, outcome: null }
  }

  /** The same key for something else. */
  reuseOf({ envelope }: Request): Request {
    const { idempotency, mailbox } = envelope
    if (idempotency === null) throw new Error('a request without a key')
    const command = this.#command()
    const fingerprint = fingerprintOf(command, this.#prng.word())
    return { envelope: { command, mailbox, idempotency: { ...idempotency, fingerprint } }, outcome: null }
  }

  #key(scope: string, command: Command): Envelope['idempotency'] {
    return { scope, key: `key "${this.#keys++}"`, fingerprint: fingerprintOf(command, 0) }
  }

  #command(): Command {
    const merchants = [...this.#books.merchants.entries()]
    const dice = this.#prng.next()
    if (merchants.length === 0 || (dice < 0.03 && merchants.length < MERCHANTS_MAX)) return this.#createMerchant()
    if (dice < 0.09) return { type: 'CreateTestWallet', tag: this.#tagToCreate() }
    if (dice < 0.13) return this.#createWallet()
    const [id, accounts] = this.#prng.pick(merchants)
    const environment: Environment = this.#prng.chance(0.75) ? 'test' : 'live'
    if (dice < 0.27) return this.#funding('Deposit', id, environment)
    if (dice < 0.33) return this.#funding('Withdraw', id, environment)
    const wallets = this.#books.walletsOf(environment)
    const sender = wallets.length === 0 ? undefined : this.#prng.pick(wallets)
    if (this.#likesBills && this.#prng.chance(0.75)) return this.#bill(merchants[0] as (typeof merchants)[number], sender)
    if (dice < 0.45 && sender !== undefined) return this.#transfer(sender)
    if (dice < 0.7) return this.#charge(accounts[environment], sender)
    if (dice < 0.76) return this.#batch(accounts[environment])
    return {
      type: 'CreatePayout',
      merchant: accounts[environment],
      recipient: this.#tag(environment),
      amount: this.#amount(),
      ...this.#texts(),
    }
  }

  #createMerchant(): Command {
    return { type: 'CreateMerchant', name: this.#text(), email: 'm@example.com', currency: 'XOF' }
  }

  #createWallet(): Command {
    const phone = `+2250700000${this.#prng.below(9)}`
    return { type: 'CreateWallet', phone, tag: this.#tagToCreate(), familyName: 'Diallo', givenName: this.#text() }
  }

  #funding(type: 'Deposit' | 'Withdraw', merchantId: string, environment: Environment): Command {
    const target = this.#prng.chance(0.5) ? { merchantId } : { tag: this.#tag(environment) }
    const by = this.#prng.chance(0.5) ? 'operator' : 'test_helper'
    return { type, target, environment, amount: this.#amount(), reference: this.#text(), by }
  }

  #transfer(sender: number): Command {
    return {
      type: 'CreateTransfer',
      sender,
      recipient: this.#tag(this.#books.holder(sender).environment),
      amount: this.#amount(),
      note: this.#text(),
    }
  }

  /** Half of them new, the others a move of one of the latest. */
  #charge(merchant: number, payer: number | undefined): Command {
    const token = this.#charges.tokens.at(-1 - this.#prng.below(4))
    const dice = this.#prng.next()
    if (token === undefined || dice < 0.3) return this.#createCharge(merchant)
    if (dice < 0.65 && payer !== undefined) return this.#payFitting(payer)
    if (dice < 0.75 && payer !== undefined) return payment(token, payer)
    if (dice < 0.85) return { type: 'CancelCharge', merchant, token }
    return { type: 'RefundCharge', merchant, token }
  }

  /** A payment that is accepted, mostly: of a charge for this wallet, after a deposit where it has too little. */
  #payFitting(payer: number): Command {
    const { environment, tag, balance } = this.#books.holder(payer)
    const charge = this.#charges.payable(environment)
    if (charge === undefined)
      return { type: 'Deposit', target: { tag }, environment, amount: this.#amount(), reference: '', by: 'operator' }
    const customer = this.#books.walletOf(environment, charge.customer) ?? payer
    if (customer === payer && balance < charge.amount)
      return { type: 'Deposit', target: { tag }, environment, amount: charge.amount, reference: '', by: 'operator' }
    return payment(charge.token, customer)
  }

  /** A merchant becomes a biller first; then wallets pay it. */
  #bill([, { live }]: readonly [string, { readonly live: number }], payer: number | undefined): Command {
    const steps = billerSteps(live)
    const isPublished = this.#bills.biller(BILLER)?.state === 'published'
    // All of them once, then any of them, for what a crash took away.
    if (!isPublished) return this.#billerSteps < steps.length ? (steps[this.#billerSteps++] as Command) : this.#prng.pick(steps)
    if (payer === undefined) return this.#prng.chance(0.5) ? { type: 'CreateTestWallet', tag: this.#tagToCreate() } : this.#createWallet()
    const { tag, environment, balance } = this.#books.holder(payer)
    // A wallet that pays bills has money.
    if (balance < BILL_MAX) return { type: 'Deposit', target: { tag }, environment, amount: 20 * BILL_MAX, reference: '', by: 'operator' }
    return billCommand(this.#prng, this.#bills, payer)
  }

  #createCharge(merchant: number): Command {
    const { reference } = this.#texts()
    const customerTag = this.#prng.chance(0.3) ? this.#prng.pick(TAGS) : ''
    const addresses = {
      checkoutUrl: 'https://pay.example/pay/x',
      redirectUrl: '',
      webhookUrl: this.#prng.chance(0.5) ? 'https://shop.example/hook' : '',
    }
    const token = `token-${this.#tokens++}`
    return {
      type: 'CreateCharge',
      merchant,
      token,
      amount: this.#amount(),
      reference,
      description: this.#text(),
      customerTag,
      ...addresses,
      metadata: {},
    }
  }

  /** Mostly short, now and then as long as they may be; some lines are malformed. */
  #batch(merchant: number): Command {
    const count = this.#prng.chance(0.03) ? LINES_MAX : 1 + this.#prng.below(8)
    const items = Array.from({ length: count }, () => {
      const recipient = this.#prng.chance(0.1) ? this.#prng.pick(['', 'é', 7]) : `@${this.#prng.pick(TAGS)}`
      const amount = this.#prng.chance(0.1) ? this.#prng.pick([0, -5, 1.5, '3']) : this.#amount()
      return { recipient, amount, ...this.#texts() }
    })
    return { type: 'CreateBatch', merchant, lines: readBatchLines(items), reference: this.#text(), scheduleId: null }
  }

  #texts(): { readonly reference: string; readonly note: string } {
    return { reference: this.#text(), note: this.#text() }
  }

  #text(): string {
    return this.#prng.pick(REFERENCES)
  }

  /** Mostly of a wallet that exists. */
  #tag(environment: Environment): string {
    const wallets = this.#books.walletsOf(environment)
    return wallets.length === 0 || this.#prng.chance(0.1) ? this.#prng.pick(TAGS) : this.#books.holder(this.#prng.pick(wallets)).tag
  }

  #tagToCreate(): string {
    return this.#prng.pick(TAGS.filter((tag) => !TAGS_THAT_NEVER_ARE.has(tag)))
  }

  /** Mostly small; now and then near what an account may hold at most. */
  #amount(): number {
    if (this.#prng.chance(0.03)) return 400_000_000_000_000 + this.#prng.below(1000)
    return 1 + this.#prng.below(this.#prng.pick([10, 1000, 100_000]))
  }

  #mailboxOf(command: Command): number {
    if ('merchant' in command && command.merchant !== null) return command.merchant
    if ('sender' in command) return command.sender
    // Behind the steps that come before it.
    if (command.type === 'CurateBiller') return [...this.#books.merchants.values()][0]?.live ?? 0
    return 'payer' in command ? command.payer : 0
  }
}

function payment(token: string, payer: number): Command {
  return { type: 'PayCharge', token, merchant: null, payer, challengeId: null, answer: 'record' }
}

function fingerprintOf(command: Command, salt: number): string {
  return JSON.stringify([command, salt])
}
