// Events of a charge: the customer's stream, and the merchant's webhooks.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Charge } from '../../../../engine/domain/charge/charge-state.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { merchantEventOf } from '../../../../engine/domain/merchant-events.ts'
import type { LogRecord } from '../../../../engine/domain/record.ts'
import type { MerchantEvent } from '../../../../engine/domain/webhook/webhook-events.ts'
import type { WebhookEndpointRow } from '../../../../engine/domain/webhook/webhook-state.ts'
import { type ChargeFixture, cancel, chargeIn, expire, openCharge, openSetup, pay, refund } from '../../../support/charge-engine.ts'
import { openWallet } from '../../../support/commands.ts'

function lastRecord({ fixture }: ChargeFixture): LogRecord {
  const record = fixture.records.at(-1)
  assert.ok(record !== undefined)
  return record
}

function framesOf(setup: ChargeFixture): string[] {
  return lastRecord(setup).frames.map(({ account, type }) => `${setup.fixture.state.wallets.byAccount(account)?.tag} ${type}`)
}

describe('streams', () => {
  test('an open charge sends no frame until it is paid', async () => {
    const setup = await openSetup()
    const { fixture, merchant, payer } = setup
    const token = openCharge(setup)
    assert.deepEqual(framesOf(setup), [])
    fixture.do(pay(token, payer))
    assert.deepEqual(framesOf(setup), ['awa payment.sent', 'awa balance.updated', 'awa charge.updated'])
    fixture.do(refund(token, merchant))
    assert.deepEqual(framesOf(setup), ['awa payment.received', 'awa balance.updated', 'awa charge.updated'])
  })

  test('a charge for one customer sends frames to that customer from the start', async () => {
    const setup = await openSetup()
    const { fixture, merchant } = setup
    openWallet(fixture, 'kofi')
    for (const end of [cancel, expire]) {
      const token = openCharge(setup, { customerTag: 'kofi' })
      assert.deepEqual(framesOf(setup), ['kofi charge.updated'])
      fixture.do(end(token, merchant))
      assert.deepEqual(framesOf(setup), ['kofi charge.updated'])
    }
    openCharge(setup, { customerTag: 'nobody' })
    assert.deepEqual(framesOf(setup), [])
  })
})

describe('webhooks', () => {
  function toldIn(setup: ChargeFixture): MerchantEvent[] {
    return lastRecord(setup)
      .events.filter(({ type }) => type === 'merchant_event.recorded')
      .map((event) => merchantEventOf(event, setup.fixture.engine.history) as MerchantEvent)
  }

  test('charge.succeeded stands in the record of the payment, with the fields of the contract', async () => {
    const setup = await openSetup()
    const { fixture, payer, merchant } = setup
    const token = openCharge(setup, { reference: 'CMD-1', description: 'Deux pagnes', customerTag: 'awa', metadata: { panier: 'A' } })
    fixture.do(pay(token, payer))
    const [event, ...more] = toldIn(setup)
    assert.deepEqual(more, [])
    assert.equal(event?.type, 'charge.succeeded')
    const { id, transaction_id, paid_at, created_at } = chargeIn(fixture, token)
    assert.deepEqual(event.data, {
      id,
      token,
      amount: 1000,
      currency: 'XOF',
      state: 'paid',
      reference: 'CMD-1',
      description: 'Deux pagnes',
      customer_tag: 'awa',
      payer_tag: 'awa',
      transaction_id,
      merchant_id: fixture.state.merchants.byAccount(merchant)?.id,
      environment: 'test',
      metadata: { panier: 'A' },
      paid_at,
      created_at,
    })
    assert.deepEqual(event.deliveries, [])
  })

  test('a charge’s own address takes the place of the endpoints, for charge.succeeded alone', async () => {
    const setup = await openSetup()
    const { fixture, payer, merchant } = setup
    const webhookUrl = 'https://boutique.example/hook'
    const token = openCharge(setup, { webhookUrl })
    fixture.do(pay(token, payer))
    const targets = toldIn(setup).flatMap(({ deliveries }) => deliveries.map(({ endpoint_id, url }) => [endpoint_id, url]))
    assert.deepEqual(targets, [[null, webhookUrl]])
    fixture.do(refund(token, merchant))
    assert.deepEqual(
      toldIn(setup).map(({ type, deliveries }) => [type, deliveries]),
      [['charge.refunded', []]],
    )
  })

  test('the other moves are sent to endpoints that ask for them', async () => {
    const setup = await openSetup()
    const { fixture, merchant, payer } = setup
    const endpoint: WebhookEndpointRow = {
      id: '01a1fbec-0000-7000-8000-00000000e001',
      account: merchant,
      url: 'https://boutique.example/hook',
      events: ['charge.cancelled', 'charge.expired', 'charge.refunded'],
      description: '',
      status: 'enabled',
      disabled_reason: null,
      sealed_secret: '',
      previous_secret: null,
      environment: 'test',
      created_at: '2026-11-20T10:00:00.000Z',
    }
    fixture.state.webhooks.endpoints.set(endpoint.id, endpoint)
    const [cancelled, expired, paid] = [openCharge(setup), openCharge(setup), openCharge(setup)]
    const ends: readonly (readonly [command: Command, type: string, token: string, more: readonly (keyof Charge)[]])[] = [
      [cancel(cancelled, merchant), 'charge.cancelled', cancelled, ['cancelled_at']],
      [expire(expired, merchant), 'charge.expired', expired, []],
      [pay(paid, payer), 'charge.succeeded', paid, []],
      [refund(paid, merchant), 'charge.refunded', paid, ['refunded_at', 'refund_transaction_id']],
    ]
    for (const [command, type, token, more] of ends) {
      fixture.do(command)
      const [event, ...others] = toldIn(setup)
      assert.deepEqual(others, [])
      assert.equal(event?.type, type)
      const charge = chargeIn(fixture, token)
      const data = event.data as Readonly<Record<string, unknown>>
      assert.deepEqual([data.id, data.state, data.merchant_id !== undefined], [charge.id, charge.state, true])
      for (const name of more) assert.ok(data[name] !== null && data[name] === charge[name], name)
      const asked = event.deliveries.map(({ endpoint_id }) => endpoint_id)
      assert.deepEqual(asked, type === 'charge.succeeded' ? [] : [endpoint.id])
    }
  })

  test('a move that no endpoint asks for is an event without deliveries', async () => {
    const setup = await openSetup()
    const { fixture, merchant } = setup
    fixture.do(cancel(openCharge(setup), merchant))
    assert.deepEqual(
      toldIn(setup).map(({ type, deliveries }) => [type, deliveries]),
      [['charge.cancelled', []]],
    )
  })
})
