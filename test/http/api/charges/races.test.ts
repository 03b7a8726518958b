// Many who pay, cancel, expire and refund the same charges at the same moment: one winner each, in any order, and
// the ledger agrees with every answer.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Outcome } from '../../../../engine/actor/envelope.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { balanceOf, openCharge, openPayer, type Payer, PIN } from '../../../support/charge-callers.ts'
import {
  type ChargeFixture,
  cancel,
  chargeIn,
  expire,
  openCharge as openOnFixture,
  openSetup,
  pay,
  refund,
  told,
  VALIDITY_MS,
} from '../../../support/charge-engine.ts'
import { deposit, openWallet } from '../../../support/commands.ts'
import type { EngineFixture, Sent } from '../../../support/engine-fixture.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'

const AMOUNT = 100

/** Every account of the ledger. */
function total({ state }: EngineFixture): number {
  let sum = 0
  for (let account = 0; account < state.accounts.count; account++) sum += state.accounts.balance(account)
  return sum
}

function successes(sent: readonly Sent[]): string[] {
  return sent.flatMap(({ outcome }) => (outcome?.kind === 'ok' ? [told(outcome as Outcome)] : []))
}

describe('races in the engine', () => {
  const MOVES = ['pay', 'pay by another', 'cancel', 'expire', 'refund', 'time passes'] as const

  async function playersOf(): Promise<ChargeFixture & { readonly other: AccountNumber }> {
    const setup = await openSetup(1000)
    const other = openWallet(setup.fixture, 'kofi')
    setup.fixture.do(deposit({ tag: 'kofi' }, 1000))
    return { ...setup, other }
  }

  test('moves in any order and in one burst give one end, and money exactly where the charge says', async () => {
    const order = fc.array(fc.constantFrom(...MOVES), { minLength: 2, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(order, async (moves) => {
        const setup = await playersOf()
        const { fixture, merchant, payer, other } = setup
        const token = openOnFixture(setup, { amount: AMOUNT })
        const sent: Sent[] = []
        for (const move of moves) {
          if (move === 'time passes') fixture.loop.nowMs += VALIDITY_MS / 2
          else sent.push(fixture.send(commandOf(move, token, merchant, payer, other), { mailbox: mailboxOf(move, merchant, payer, other) }))
        }
        fixture.settle()
        const { state, payer_tag } = chargeIn(fixture, token)
        const won = successes(sent).filter((text, index, all) => all.indexOf(text) === index)
        const ends = won.filter((text) => text !== '200 refunded')
        assert.ok(ends.length <= 1, `one end, not ${won}`)
        assert.equal(successes(sent).filter((text) => text === '200 paid').length, ends[0] === '200 paid' ? 1 : 0)
        const spent = { awa: 1000 - fixture.state.accounts.balance(payer), kofi: 1000 - fixture.state.accounts.balance(other) }
        const expected = { awa: 0, kofi: 0, ...(state === 'paid' ? { [payer_tag ?? '']: AMOUNT } : {}) }
        assert.deepEqual(spent, expected)
        assert.equal(fixture.state.accounts.balance(merchant), state === 'paid' ? AMOUNT : 0)
        assert.equal(total(fixture), 0)
      }),
      { numRuns: 150 },
    )
  })

  function commandOf(
    move: Exclude<(typeof MOVES)[number], 'time passes'>,
    token: string,
    merchant: AccountNumber,
    payer: AccountNumber,
    other: AccountNumber,
  ): Command {
    if (move === 'pay') return pay(token, payer)
    if (move === 'pay by another') return pay(token, other)
    if (move === 'cancel') return cancel(token, merchant)
    return move === 'expire' ? expire(token, merchant) : refund(token, merchant)
  }

  function mailboxOf(move: string, merchant: AccountNumber, payer: AccountNumber, other: AccountNumber): AccountNumber {
    return move === 'pay' ? payer : move === 'pay by another' ? other : merchant
  }
})

describe('races over HTTP', () => {
  let server: TestServer

  before(async () => {
    server = await ownServer({ RATE_LIMIT_TEST: '0' })
  })

  after(async () => {
    await server.close()
  })

  interface Try {
    readonly status: number
    readonly text: string
  }

  function rivals(merchant: Merchant, payers: readonly Payer[], token: string): Promise<Try>[] {
    const helper = (path: string, body?: object): Promise<Try> => merchant.test.post(`/v1/biz/test/charges/${token}/${path}`, body)
    return [
      ...payers.map(({ app }) => app.post(`/v1/me/charges/${token}/pay`, { pin: PIN }, newKey())),
      ...payers.map(({ tag }) => helper('pay', { payer_tag: tag })),
      ...Array.from({ length: 3 }, () => merchant.test.post(`/v1/biz/charges/${token}/cancel`, undefined)),
      ...Array.from({ length: 3 }, () => helper('expire')),
      ...Array.from({ length: 3 }, () => merchant.test.post(`/v1/biz/charges/${token}/refund`, undefined, newKey())),
    ]
  }

  test('ten charges with thirteen rivals each have one winner, and the ledger adds up', async () => {
    const merchant = await server.merchant()
    const payers = [await openPayer(server, merchant, 1000), await openPayer(server, merchant, 1000)]
    const seen = new Set<string>()
    let paid = 0
    for (let round = 0; round < 10; round++) {
      const { token } = await openCharge(merchant, { amount: AMOUNT })
      const tries = rivals(merchant, payers, token).sort(() => Math.random() - 0.5)
      const answers = (await Promise.all(tries)).map(({ status, text }) => ({ status, body: JSON.parse(text) as { state: string } }))
      const winners = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.state))
      const { state } = (await merchant.test.get<{ state: string }>(`/v1/biz/charges/${token}`)).body
      if (state === 'refunded') assert.deepEqual([...winners].sort(), ['paid', 'refunded'])
      else assert.deepEqual([...winners], [state])
      assert.equal(answers.filter(({ status, body }) => status === 200 && body.state === 'paid').length, winners.has('paid') ? 1 : 0)
      if (state === 'paid') paid++
      seen.add(state)
    }
    assert.ok(!seen.has('pending'))
    assert.equal(await balanceOf(merchant), paid * AMOUNT)
    const left = await Promise.all(payers.map(({ app }) => app.get<{ available: number }>('/v1/me/balance')))
    assert.equal(
      left.reduce((sum, { body }) => sum + body.available, 0),
      2000 - paid * AMOUNT,
    )
    const { body } = await server.operator.get('/v1/operator/ledger/trial-balance?environment=test')
    assert.equal(body.balanced, true)
  })

  test('of forty refunds of one charge one goes through', async () => {
    const merchant = await server.merchant()
    const payer = await openPayer(server, merchant, AMOUNT)
    const { token } = await openCharge(merchant, { amount: AMOUNT })
    assert.equal((await payer.app.post(`/v1/me/charges/${token}/pay`, { pin: PIN }, newKey())).status, 200)
    const refunds = Array.from({ length: 40 }, () => merchant.test.post(`/v1/biz/charges/${token}/refund`, undefined, newKey()))
    const answers = await Promise.all(refunds)
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ body }) => body.code === 'charge_already_refunded').length, 39)
    assert.equal((await payer.app.get('/v1/me/balance')).body.available, AMOUNT)
  })
})
