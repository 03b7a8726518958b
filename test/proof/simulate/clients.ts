// The simulated clients: they draw requests, give them keys, and use a key for something else now and then.
import type { Envelope } from '../../../engine/actor/envelope.ts'
import type { ActingOperator } from '../../../engine/api.ts'
import type { Command, CommandType } from '../../../engine/domain/command.ts'
import type { Prng } from '../../support/prng.ts'
import { newRequest, type Request } from './auditor.ts'
import { type DrawTable, drawsOf } from './draws.ts'
import type { Drawing } from './entry.ts'
import { mailboxOf } from './mailbox.ts'
import type { Models } from './models.ts'
import type { Settings } from './swarm.ts'

/** What parts of the server report: often without a key. */
const SELDOM_KEYED: ReadonlySet<string> = new Set([
  'RecordDeliveries',
  'RecordMessages',
  'NoteKeyUses',
  'StartFulfillment',
  'MarkFulfillmentCall',
  'ReturnFulfillment',
  'EndFulfillment',
])
/** Looks like its timer without a key. */
const ALWAYS_KEYED: ReadonlySet<string> = new Set([
  'RunSchedule',
  'AdvanceMandate',
  'AdvanceDisbursement',
  'OpenDeliveries',
  'ExpireCharge',
  'SendNotice',
  'KeepAnswer',
])
const BY_OPERATOR: ReadonlySet<string> = new Set([
  'Deposit',
  'Withdraw',
  'ApproveMovement',
  'CreateOperator',
  'ApproveOperator',
  'RefuseOperator',
  'RevokeOperator',
  'AddNote',
  'ShowPhone',
  'ConfirmWithdrawalAccount',
  'RefuseMovement',
  'ConfirmTopUp',
  'PayWithdrawal',
  'RefuseTopUp',
  'RefuseWithdrawal',
])
/** Two at least, so that one may approve what the other asked for. */
const OPERATORS: readonly ActingOperator[] = [
  { id: '01a0c450-0000-7000-8000-000000000001', name: 'Fatou' },
  { id: '01a0c450-0000-7000-8000-000000000002', name: 'Moussa' },
]
const FIRST: readonly CommandType[] = ['CreateMerchant', 'CreateTestWallet', 'CreateWallet', 'Deposit']

export class Clients {
  readonly #models: Models
  readonly #draws: DrawTable
  readonly #commands: readonly CommandType[]
  readonly #sums: readonly number[]
  #keys = 0

  constructor(models: Models, { weights }: Pick<Settings, 'weights'>) {
    this.#models = models
    this.#draws = drawsOf(models)
    this.#commands = [...weights.keys()]
    let sum = 0
    this.#sums = [...weights.values()].map((weight) => {
      sum += weight
      return sum
    })
  }

  draw(prng: Prng, number: number, nowMs: number): Request {
    return this.request(this.#command(prng, number, nowMs), prng)
  }

  request(command: Command, prng: Prng): Request {
    return newRequest(this.#envelope(command, prng))
  }

  /** Another request under the key of an earlier one. */
  reuse(prng: Prng, number: number, nowMs: number, { envelope }: Request): Request {
    const { envelope: other } = this.draw(prng, number, nowMs)
    const { idempotency } = envelope
    if (idempotency === null) return newRequest(other)
    const fingerprint = JSON.stringify([other.command, prng.word()])
    return newRequest({ ...other, idempotency: { ...idempotency, fingerprint } })
  }

  crowdWallet(number: number): Request {
    return this.#keyed({ type: 'CreateTestWallet', tag: `foule_${number}` })
  }

  /** To different wallets; null where there is no merchant yet. */
  burstPayout(number: number): Request | null {
    const { merchants, wallets } = this.#models.accounts
    const merchant = merchants[number % Math.max(1, merchants.length)]
    const wallet = wallets[number % Math.max(1, wallets.length)]
    if (merchant === undefined || wallet === undefined) return null
    const about = { recipient: wallet.tag, amount: 1, reference: '', note: '' }
    return this.#keyed({ type: 'CreatePayout', merchant: merchant[wallet.environment], ...about })
  }

  #command(prng: Prng, number: number, nowMs: number): Command {
    const drawing: Drawing = { prng, nowMs, name: (prefix) => `${prefix}${number}` }
    const { accounts } = this.#models
    const isBare = accounts.merchants.length < 2 || accounts.wallets.length < 4
    for (let tries = 0; tries < 5; tries++) {
      const type = isBare ? prng.pick(FIRST) : this.#pick(prng)
      const command = this.#draws[type](drawing)
      if (command !== null) return command
    }
    return { type: 'CreateMerchant', name: `Boutique ${number}`, email: 'm@example.com', currency: 'XOF' }
  }

  #pick(prng: Prng): CommandType {
    const dice = prng.next() * (this.#sums.at(-1) ?? 0)
    return this.#commands[this.#sums.findIndex((sum) => dice < sum)] ?? 'CreateMerchant'
  }

  #keyed(command: Command): Request {
    return newRequest({ command, mailbox: mailboxOf(command), idempotency: this.#key(command) })
  }

  #envelope(command: Command, prng: Prng): Envelope {
    const { type } = command
    const hasKey = ALWAYS_KEYED.has(type) || prng.chance(SELDOM_KEYED.has(type) ? 0.6 : 0.92)
    const named = Array.from(this.#models.operators.operators.values(), ({ id, name }): ActingOperator => ({ id, name }))
    const operators = [...OPERATORS, ...named]
    const acting = BY_OPERATOR.has(type) && prng.chance(0.9) ? { operator: prng.pick(operators) } : {}
    return { command, mailbox: mailboxOf(command), idempotency: hasKey ? this.#key(command) : null, ...acting }
  }

  #key(command: Command): Envelope['idempotency'] {
    return { scope: String(mailboxOf(command)), key: `key "${this.#keys++}"`, fingerprint: JSON.stringify(command) }
  }
}

/** A report of a gateway or of a part of the server, which may arrive again. */
export function comesTwice({ type }: Command): boolean {
  return SELDOM_KEYED.has(type)
}
