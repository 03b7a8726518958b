// An engine with a merchant who has mandates on the wallet awa, and short ways to look at them.

import assert from 'node:assert/strict'
import type { Command } from '../../engine/domain/command.ts'
import type { CreateMandate } from '../../engine/domain/mandate/mandate-decide.ts'
import { mandatePaymentsIndexKey } from '../../engine/domain/mandate/mandate-index-keys.ts'
import type { Mandate, MandatePayment, MandateVersion } from '../../engine/domain/mandate/mandate-state.ts'
import { findMandate } from '../../engine/domain/mandate/mandate-versions.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { deposit, type KnownMerchant, openMerchant, openWallet } from './commands.ts'
import { EngineFixture, type EngineFixtureParts } from './engine-fixture.ts'
import { outcomeStatus } from './outcome-status.ts'

export const DAY_MS = 86_400_000

export class MandateFixture {
  readonly fixture: EngineFixture
  readonly merchant: KnownMerchant
  readonly awa: AccountNumber
  #tokens = 0

  private constructor(fixture: EngineFixture, merchant: KnownMerchant, awa: AccountNumber) {
    this.fixture = fixture
    this.merchant = merchant
    this.awa = awa
  }

  /** The wallet holds this much. */
  static async open(amount: number, parts: EngineFixtureParts = {}): Promise<MandateFixture> {
    const fixture = await EngineFixture.open(parts)
    const merchant = openMerchant(fixture, 'baobab')
    const setup = new MandateFixture(fixture, merchant, openWallet(fixture, 'awa'))
    setup.fill(amount)
    return setup
  }

  get nowMs(): number {
    return this.fixture.loop.nowMs
  }

  fill(amount: number): void {
    if (amount > 0) assert.equal(this.fixture.do(deposit({ tag: 'awa' }, amount)).kind, 'created')
  }

  /** 100 a month, by default. */
  command(more: Partial<CreateMandate> = {}): CreateMandate {
    return {
      type: 'CreateMandate',
      merchant: this.merchant.test,
      token: `token-${this.#tokens++}`,
      customerTag: 'awa',
      amount: 100,
      maxAmount: null,
      interval: 'monthly',
      startMs: null,
      endMs: null,
      maxPayments: null,
      reference: 'ABO',
      description: 'Abonnement',
      redirectUrl: '',
      approvalUrl: 'https://pay.example/mandates/x',
      ...more,
    }
  }

  create(more: Partial<CreateMandate> = {}): Mandate {
    const { status, body } = this.do(this.command(more))
    assert.equal(status, 201, body)
    return JSON.parse(body) as Mandate
  }

  /** Created and approved; its first payment is due, not taken. */
  approved(more: Partial<CreateMandate> = {}): Mandate {
    const { id } = this.create(more)
    const { status, body } = this.do({ type: 'ApproveMandate', customer: this.awa, id, challengeId: null })
    assert.equal(status, 200, body)
    return this.read(id)
  }

  do(command: Command): { readonly status: number; readonly body: string } {
    const outcome = this.fixture.do(command, { mailbox: this.merchant.test })
    return { status: outcomeStatus(outcome), body: outcome.body }
  }

  /** Status, and the code or the state of the answer. */
  ask(command: Command): readonly [status: number, codeOrState: string] {
    const { status, body } = this.do(command)
    const { code, state } = JSON.parse(body) as { readonly code?: string; readonly state: string }
    return [status, code ?? state]
  }

  read(id: string): Mandate {
    const found = findMandate(this.fixture.state, this.fixture.engine.history, id)
    assert.ok(found !== null)
    return found.mandate
  }

  /** Newest first. */
  payments(id: string): readonly MandatePayment[] {
    const { hits } = this.fixture.engine.history.page({
      indexKeys: [mandatePaymentsIndexKey(this.merchant.test, id)],
      limit: 100,
      keep: () => true,
    })
    return hits.map(({ event }) => payloadOf<MandateVersion>(event).payment as MandatePayment)
  }

  /** Moves the clock and lets everything through. */
  pass(ms: number): void {
    this.fixture.loop.advance(ms)
    this.fixture.settle()
  }

  /** What the wallet and the merchant hold. */
  get balances(): readonly [wallet: number, merchant: number] {
    const { accounts } = this.fixture.state
    return [accounts.balance(this.awa), accounts.balance(this.merchant.test)]
  }
}
