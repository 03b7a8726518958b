// The outbox of pushes: derived from payments, with the log as their queue.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OPEN_MESSAGES } from '../../../../engine/domain/message/message-limits.ts'
import { NO_MERCHANT_RULE } from '../../../../engine/domain/rules/rules-state.ts'
import { PUSH_WITHOUT_ROOM_WAIT_MS, PUSHES_AHEAD_MAX } from '../../../../http/workers/gateways/gateway-limits.ts'
import { deposit, openMerchant, openWallet, payout } from '../../../support/commands.ts'
import type { EngineFixture } from '../../../support/engine-fixture.ts'
import { fillQuota } from '../../../support/filled-quota.ts'
import { answeredBy, OutboxFixture } from '../../../support/outbox-fixture.ts'
import { LIVE_PHONE, logIn, PHONE, signUp } from '../../../support/wallet-engine.ts'

const HOUR_MS = 3_600_000

/** A merchant that pays a wallet with a device, and one without. */
async function openPaying(
  channels?: Parameters<typeof OutboxFixture.open>[0],
  phone = PHONE,
): Promise<OutboxFixture & { pay(tag?: string): void }> {
  let merchant = -1
  const outbox = await OutboxFixture.open(channels, (fixture: EngineFixture) => {
    const { id, test, live } = openMerchant(fixture, 'Boutique Awa', 1_000_000)
    merchant = phone === PHONE ? test : live
    assert.equal(fixture.do(deposit({ merchantId: id }, 1_000, 'live')).kind, 'created')
    signUp(fixture, phone, 'awa', 'pixel')
    openWallet(fixture, 'kofi')
  })
  const pay = (tag = 'awa'): void => void assert.equal(outbox.fixture.do(payout(merchant, tag, 1)).kind, 'created')
  return Object.assign(outbox, { pay })
}

describe('the outbox of pushes', () => {
  it('pushes go to wallets with a device alone, and a payment writes nothing for them', async () => {
    const outbox = await openPaying()
    await outbox.settle()
    for (const tag of ['kofi', 'awa']) outbox.pay(tag)
    const payments = outbox.fixture.records.filter(({ command }) => command === 'CreatePayout')
    await outbox.settle()
    assert.equal(outbox.calls.length, 1)
    const [call] = outbox.calls
    assert.ok(call !== undefined && 'devices' in call.message)
    assert.deepEqual([call.message.phone, call.message.devices, call.message.environment], [PHONE, ['pixel'], 'test'])
    for (const { events } of payments) assert.ok(events.every(({ type }) => !type.startsWith('message') && !type.startsWith('push')))
    assert.equal(outbox.fixture.state.messages.open.size, 0)
  })

  it('push tokens are those of sessions that last, and a token belongs to one device', async () => {
    const outbox = await openPaying()
    const { fixture, calls } = outbox
    const awa = fixture.state.wallets.byPhone(PHONE)?.account ?? -1
    const kofi = signUp(fixture, '+2250000099002', 'moussa', 'nokia')
    const push = { provider: 'fcm', token: 't1' }
    const tokens = async (): Promise<unknown> => {
      outbox.pay()
      await outbox.settle()
      const message = calls.at(-1)?.message
      return message !== undefined && 'push_tokens' in message ? message.push_tokens : null
    }
    const set = (account: number, deviceId: string): void =>
      void assert.equal(fixture.do({ type: 'SetPushToken', account, deviceId, push }).kind, 'ok')
    assert.deepEqual(await tokens(), [])
    set(awa, 'pixel')
    assert.deepEqual(await tokens(), [{ device_id: 'pixel', ...push }])
    set(kofi, 'nokia')
    assert.deepEqual(await tokens(), [])
    set(awa, 'pixel')
    assert.deepEqual(await tokens(), [{ device_id: 'pixel', ...push }])
    fixture.do({ type: 'LogOut', account: awa, deviceId: 'pixel' })
    assert.deepEqual(await tokens(), [])
    assert.equal(fixture.do({ type: 'SetPushToken', account: awa, deviceId: 'none', push }).kind, 'not_found')
  })

  it('a wallet that comes near a limit is pushed what is left, beside the payment', async () => {
    const outbox = await openPaying()
    const { fixture, calls } = outbox
    const none = { received_month_max: null, sent_day_max: null, sent_month_max: null }
    const rules = { wallet_tiers: [{ name: 'basic', balance_max: 10, ...none }], default_tier: 'basic', merchant: NO_MERCHANT_RULE }
    fixture.do({ type: 'ChangeRules', change: { kind: 'limit_rules', environment: 'test', currency: 'XOF', rules } })
    for (let payment = 1; payment <= 9; payment++) outbox.pay()
    await outbox.settle()
    const pushes = calls.flatMap(({ message }) => ('data' in message && message.data.type === 'limit.near' ? [message] : []))
    assert.deepEqual(
      pushes.map(({ title, text, data }) => [title, text.replaceAll(/[\u00a0\u202f]/g, ' '), data.limit]),
      [['Limite bientôt atteinte', 'Votre solde approche de son plafond : il peut encore augmenter de 2 F CFA.', 'balance_max']],
    )
  })

  it('a push is in English where every app that sent a token prefers it, else in French', async () => {
    const outbox = await openPaying()
    const { fixture, calls } = outbox
    const account = fixture.state.wallets.byPhone(PHONE)?.account ?? -1
    const texts = async (): Promise<unknown> => {
      outbox.pay()
      await outbox.settle()
      const message = calls.at(-1)?.message
      return message !== undefined && 'title' in message ? [message.title, message.text.replaceAll(/[\u00a0\u202f]/g, ' ')] : null
    }
    const set = (language: 'fr' | 'en'): void =>
      void fixture.do({ type: 'SetPushToken', account, deviceId: 'pixel', push: { provider: 'fcm', token: 't' }, language })
    assert.deepEqual(await texts(), ['Argent reçu', 'Vous avez reçu 1 F CFA de Boutique Awa. Nouveau solde : 1 F CFA.'])
    set('en')
    assert.deepEqual(await texts(), ['Money received', 'You received 1 F CFA from Boutique Awa. New balance: 2 F CFA.'])
    set('fr')
    assert.deepEqual(await texts(), ['Argent reçu', 'Vous avez reçu 1 F CFA de Boutique Awa. Nouveau solde : 3 F CFA.'])
  })

  it('a push to several devices is in English only where each of their apps prefers it', async () => {
    const outbox = await openPaying()
    const { fixture, calls } = outbox
    const account = fixture.state.wallets.byPhone(PHONE)?.account ?? -1
    for (const id of ['nokia', 'tecno']) assert.equal(logIn(fixture, PHONE, id).kind, 'ok')
    const set = (deviceId: string, language?: 'fr' | 'en'): void => {
      const push = { provider: 'fcm', token: `token of ${deviceId}` }
      const more = language === undefined ? {} : { language }
      assert.equal(fixture.do({ type: 'SetPushToken', account, deviceId, push, ...more }).kind, 'ok')
    }
    const rows: readonly (readonly [pixel: 'fr' | 'en', nokia: 'fr' | 'en', tecno: 'fr' | 'en' | undefined, title: string])[] = [
      ['en', 'fr', undefined, 'Argent reçu'],
      ['fr', 'en', undefined, 'Argent reçu'],
      ['en', 'en', undefined, 'Money received'],
      ['en', 'en', 'fr', 'Argent reçu'],
      ['en', 'en', 'en', 'Money received'],
      ['fr', 'fr', 'en', 'Argent reçu'],
    ]
    for (const [pixel, nokia, tecno, title] of rows) {
      set('pixel', pixel)
      set('nokia', nokia)
      if (tecno !== undefined) set('tecno', tecno)
      outbox.pay()
      await outbox.settle()
      const message = calls.at(-1)?.message
      assert.equal(message !== undefined && 'title' in message ? message.title : null, title, JSON.stringify([pixel, nokia, tecno]))
    }
  })

  it('after a crash exactly the pushes without a recorded answer leave, each under its own id', async () => {
    const outbox = await openPaying()
    await outbox.settle()
    for (let count = 0; count < 5; count++) outbox.pay()
    await outbox.settle()
    assert.equal(outbox.calls.length, 5)
    outbox.answering = null
    for (let count = 0; count < 20; count++) outbox.pay()
    await outbox.settle()
    const underWay = outbox.held.length
    assert.ok(underWay > 1 && underWay < 20)
    // Answers in another order than the calls.
    const last = outbox.held.pop()
    last?.answer(answeredBy(200))
    await outbox.settle()
    const taken = new Set([...outbox.sent.slice(0, 5), last?.message.id])
    outbox.calls.length = 0
    outbox.answering = () => answeredBy(200)
    await outbox.restart()
    assert.equal(outbox.calls.length, 19)
    assert.equal(new Set(outbox.sent).size, 19)
    for (const id of outbox.sent) assert.ok(!taken.has(id), 'a push that was taken is not sent again')
    await outbox.restart()
    assert.equal(outbox.calls.length, 19)
  })

  it('pushes that were recorded while the process was down leave after the start', async () => {
    const outbox = await openPaying()
    await outbox.settle()
    outbox.pay()
    await outbox.fixture.settle()
    await outbox.restart()
    assert.equal(outbox.calls.length, 1)
  })

  it('a push that fails becomes an open message and holds up no other', async () => {
    const outbox = await openPaying()
    await outbox.settle()
    outbox.pay()
    outbox.answering = () => answeredBy(503)
    await outbox.settle()
    outbox.answering = () => answeredBy(200)
    for (let count = 0; count < 3; count++) outbox.pay()
    await outbox.settle()
    assert.equal(outbox.calls.length, 4)
    const [row] = [...outbox.fixture.state.messages.open.values()]
    assert.deepEqual([row?.id, row?.attempts, row?.channel], [outbox.sent[0], 1, 'push'])
    assert.deepEqual(outbox.fixture.state.messages.progress?.beyond, [])
    await outbox.restart()
    await outbox.advance(6_000)
    assert.deepEqual(outbox.calls.at(-1)?.attempt, 2)
    assert.equal(outbox.sent.at(-1), outbox.sent[0])
    assert.equal(outbox.fixture.state.messages.open.size, 0)
  })

  it('a push that the gateway refused is tried again, although no other push comes', async () => {
    const outbox = await openPaying()
    await outbox.settle()
    outbox.pay()
    outbox.answering = () => answeredBy(503)
    await outbox.settle()
    outbox.answering = () => answeredBy(200)
    await outbox.advance(6_000)
    assert.deepEqual([outbox.calls.length, outbox.sent[1], outbox.fixture.state.messages.open.size], [2, outbox.sent[0], 0])
  })

  it('failed pushes beyond the maximum of open ones wait, also after many that were taken, and leave when there is room', async () => {
    const outbox = await openPaying({}, LIVE_PHONE)
    const { open } = outbox.fixture.state.messages
    const { max } = OPEN_MESSAGES.push
    await outbox.settle()
    for (let count = 0; count < 30; count++) outbox.pay()
    await outbox.settle()
    assert.equal(outbox.calls.length, 30)
    const row = { channel: 'push', environment: 'live', position: 4096, attempts: 1, nextAttemptMs: Number.MAX_SAFE_INTEGER } as const
    const others = Array.from({ length: max.live - 2 }, (_, count) => `other ${count}`)
    for (const id of others) open.set(id, { ...row, id, holder: id, untilMs: Number.MAX_SAFE_INTEGER })
    outbox.answering = () => answeredBy(503)
    for (let count = 0; count < 5; count++) outbox.pay()
    await outbox.settle()
    assert.equal(open.size, max.live)
    for (const id of others) open.delete(id)
    outbox.answering = () => answeredBy(200)
    await outbox.advance(PUSH_WITHOUT_ROOM_WAIT_MS)
    await outbox.advance(PUSH_WITHOUT_ROOM_WAIT_MS)
    assert.deepEqual([new Set(outbox.sent).size, open.size, outbox.outbox.figures.succeeded], [35, 0, 35])
  })

  it('a failed push beyond the share of its wallet, or of a full test part, is given up, and other wallets wait for the gateway', async () => {
    const outbox = await openPaying()
    const { state } = outbox.fixture
    const awa = state.wallets.byPhone(PHONE)?.account ?? -1
    signUp(outbox.fixture, '+2250000099002', 'moussa', 'nokia')
    await outbox.settle()
    outbox.answering = () => answeredBy(503)
    fillQuota(state, OPEN_MESSAGES.push, { part: 'test', holder: awa, rows: OPEN_MESSAGES.push.share })
    outbox.pay('awa')
    await outbox.settle()
    assert.deepEqual([outbox.givenUp.length, state.messages.open.size], [1, 0])
    outbox.pay('moussa')
    await outbox.settle()
    assert.deepEqual([outbox.givenUp.length, state.messages.open.size], [1, 1])
    fillQuota(state, OPEN_MESSAGES.push, { part: 'test', holder: 'a stranger', rows: OPEN_MESSAGES.push.max.test })
    outbox.pay('moussa')
    await outbox.settle()
    assert.deepEqual([outbox.givenUp.length, state.messages.open.size], [2, 1])
  })

  it('more pushes than memory takes wait in the log, and all leave', async () => {
    const outbox = await openPaying()
    await outbox.settle()
    outbox.answering = null
    const count = PUSHES_AHEAD_MAX + 300
    for (let paid = 0; paid < count; paid++) outbox.pay()
    await outbox.settle()
    outbox.answering = () => answeredBy(200)
    while (outbox.held.length > 0) await outbox.answer(answeredBy(200))
    await outbox.settle()
    assert.equal(outbox.calls.length, count)
    assert.equal(new Set(outbox.sent).size, count)
    await outbox.restart()
    assert.equal(outbox.calls.length, count)
  })

  it('pushes of more than a day ago are not sent', async () => {
    const outbox = await openPaying()
    await outbox.settle()
    outbox.pay()
    outbox.fixture.loop.nowMs += 25 * HOUR_MS
    outbox.pay()
    await outbox.restart()
    assert.equal(outbox.calls.length, 1)
  })

  it('payments from before the gateway was set are not pushed', async () => {
    const outbox = await openPaying({ channels: [] })
    outbox.pay()
    await outbox.settle()
    assert.equal(outbox.calls.length, 0)
    assert.equal(outbox.fixture.state.messages.progress, null)
    const later = await openPaying()
    await later.settle()
    assert.deepEqual([later.calls.length, later.fixture.state.messages.progress?.beyond], [0, []])
  })
})
