// What the simulated clients ask for: random commands on few merchants, wallets and keys, so that they meet.
import type { Envelope, Outcome } from '../../../engine/actor/envelope.ts'
import type { Command } from '../../../engine/domain/command.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import type { Prng } from '../prng.ts'
import type { Books } from './books.ts'

/** One request of a client, who remembers what it was told. */
export interface Request {
  readonly envelope: Envelope
  outcome: Outcome | null
}

const TAGS = ['awa', 'moussa', 'fatou', 'koffi', 'mariam', 'test_blocked_a', 'ghost'] as const
const TAGS_THAT_NEVER_ARE = new Set<string>(['ghost'])
const MERCHANTS_MAX = 3
const REFERENCES = ['', '', 'salaire', 'prime "août"', 'ligne\nnouvelle', '\ud800', 'Ünï💶'] as const

export class Clients {
  readonly #prng: Prng
  readonly #books: Books
  #keys = 0

  /** `books` tells who exists by now. */
  constructor(prng: Prng, books: Books) {
    this.#prng = prng
    this.#books = books
  }

  fresh(): Request {
    const command = this.#command()
    const mailbox = mailboxOf(command)
    const isFunding = command.type === 'Deposit' || command.type === 'Withdraw'
    const needsKey = command.type === 'CreatePayout' || command.type === 'CreateTransfer' || isFunding
    const hasKey = needsKey || this.#prng.chance(0.7)
    const scope = isFunding || command.type === 'CreateMerchant' ? 'operator' : String(mailbox)
    return { envelope: { command, mailbox, idempotency: hasKey ? this.#key(scope, command) : null }, outcome: null }
  }

  /** The same key for something else. */
  reuseOf({ envelope }: Request): Request {
    const { idempotency, mailbox } = envelope
    if (idempotency === null) throw new Error('a request without a key')
    const command = this.#command()
    return {
      envelope: { command, mailbox, idempotency: { ...idempotency, fingerprint: fingerprintOf(command, this.#prng.word()) } },
      outcome: null,
    }
  }

  #key(scope: string, command: Command): Envelope['idempotency'] {
    return { scope, key: `key "${this.#keys++}"`, fingerprint: fingerprintOf(command, 0) }
  }

  #command(): Command {
    const merchants = [...this.#books.merchants.entries()]
    const dice = this.#prng.next()
    if (merchants.length === 0 || (dice < 0.03 && merchants.length < MERCHANTS_MAX)) return this.#createMerchant()
    if (dice < 0.1) return { type: 'CreateTestWallet', tag: this.#tagToCreate() }
    if (dice < 0.14) return this.#createWallet()
    const [id, accounts] = this.#prng.pick(merchants)
    const environment = this.#environment()
    if (dice < 0.3) return this.#funding('Deposit', id, environment)
    if (dice < 0.36) return this.#funding('Withdraw', id, environment)
    const rest = { recipient: this.#prng.pick(TAGS), amount: this.#amount() }
    const sender = this.#books.walletOf(environment, this.#prng.pick(TAGS))
    if (dice < 0.5 && sender !== undefined) return { type: 'CreateTransfer', sender, ...rest, note: this.#prng.pick(REFERENCES) }
    const texts = { reference: this.#prng.pick(REFERENCES), note: this.#prng.pick(REFERENCES) }
    return { type: 'CreatePayout', merchant: accounts[environment], ...rest, ...texts }
  }

  #createMerchant(): Command {
    return { type: 'CreateMerchant', name: this.#prng.pick(REFERENCES), email: 'm@example.com', currency: 'XOF' }
  }

  #createWallet(): Command {
    const phone = `+2250700000${this.#prng.below(9)}`
    return { type: 'CreateWallet', phone, tag: this.#tagToCreate(), familyName: 'Diallo', givenName: this.#prng.pick(REFERENCES) }
  }

  #funding(type: 'Deposit' | 'Withdraw', merchantId: string, environment: Environment): Command {
    const target = this.#prng.chance(0.5) ? { merchantId } : { tag: this.#prng.pick(TAGS) }
    const by = this.#prng.chance(0.5) ? 'operator' : 'test_helper'
    return { type, target, environment, amount: this.#amount(), reference: this.#prng.pick(REFERENCES), by }
  }

  #tagToCreate(): string {
    return this.#prng.pick(TAGS.filter((tag) => !TAGS_THAT_NEVER_ARE.has(tag)))
  }

  #environment(): Environment {
    return this.#prng.chance(0.75) ? 'test' : 'live'
  }

  /** Mostly small; now and then near what an account may hold at most. */
  #amount(): number {
    if (this.#prng.chance(0.03)) return 400_000_000_000_000 + this.#prng.below(1000)
    return 1 + this.#prng.below(this.#prng.pick([10, 1000, 100_000]))
  }
}

function fingerprintOf(command: Command, salt: number): string {
  return JSON.stringify([command, salt])
}

function mailboxOf(command: Command): number {
  if (command.type === 'CreatePayout') return command.merchant
  return command.type === 'CreateTransfer' ? command.sender : 0
}
