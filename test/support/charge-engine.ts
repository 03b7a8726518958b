// Charges in the engine: short ways to make one, move it, and look at what the log says of it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Outcome } from '../../engine/actor/envelope.ts'
import type { CreateCharge } from '../../engine/domain/charge/charge-decide.ts'
import { chargeIndexKey } from '../../engine/domain/charge/charge-index-keys.ts'
import type { PayCharge } from '../../engine/domain/charge/charge-payment-decide.ts'
import type { Charge } from '../../engine/domain/charge/charge-state.ts'
import { chargeOf, isChargeVersion } from '../../engine/domain/charge/charge-versions.ts'
import type { Command } from '../../engine/domain/command.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { CALLER, deposit, openMerchant, openWallet } from './commands.ts'
import { EngineFixture } from './engine-fixture.ts'
import { outcomeStatus } from './outcome-status.ts'

export const VALIDITY_MS = 30 * 60 * 1000

/** A merchant, a payer with money, and an engine for them. */
export interface ChargeFixture {
  readonly fixture: EngineFixture
  readonly merchant: AccountNumber
  readonly payer: AccountNumber
}

export async function openSetup(funds = 10_000): Promise<ChargeFixture> {
  const fixture = await EngineFixture.open()
  const { test: merchant } = openMerchant(fixture, 'boutique')
  const payer = openWallet(fixture, 'awa')
  if (funds > 0) assert.equal(fixture.do(deposit({ tag: 'awa' }, funds)).kind, 'created')
  return { fixture, merchant, payer }
}

export function newToken(): string {
  return randomBytes(24).toString('base64url')
}

export function createCharge(merchant: AccountNumber, more: Partial<CreateCharge> = {}): CreateCharge {
  return {
    type: 'CreateCharge',
    merchant,
    token: newToken(),
    amount: 1000,
    reference: '',
    description: '',
    customerTag: '',
    checkoutUrl: 'https://pay.example/pay/x',
    redirectUrl: '',
    webhookUrl: '',
    metadata: {},
    madeBy: CALLER,
    ...more,
  }
}

/** Creates it and answers its token. */
export function openCharge({ fixture, merchant }: ChargeFixture, more: Partial<CreateCharge> = {}): string {
  const command = createCharge(merchant, more)
  assert.equal(fixture.do(command).kind, 'created')
  return command.token
}

export function pay(token: string, payer: AccountNumber, more: Partial<PayCharge> = {}): PayCharge {
  return { type: 'PayCharge', token, merchant: null, payer, challengeId: null, answer: 'record', ...more }
}

export function cancel(token: string, merchant: AccountNumber): Command {
  return { type: 'CancelCharge', merchant, token }
}

export function expire(token: string, merchant: AccountNumber): Command {
  return { type: 'ExpireCharge', merchant, token }
}

export function refund(token: string, merchant: AccountNumber): Command {
  return { type: 'RefundCharge', merchant, token }
}

/** The newest version in the log. */
export function chargeIn(fixture: EngineFixture, token: string): Charge {
  const found = fixture.engine.history.latest(chargeIndexKey(token), (event) => isChargeVersion(event, token))
  assert.ok(found !== null, 'the log holds the charge')
  return chargeOf(found, fixture.engine.history)
}

/** `200 paid` or the code of a refusal. */
export function told({ kind, body }: Outcome): string {
  const parsed = JSON.parse(body) as { code?: string; state?: string }
  return parsed.code ?? `${outcomeStatus({ kind })} ${parsed.state}`
}
