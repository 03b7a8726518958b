// The outbox: what leaves, what is tried again, and what a restart leaves of it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OPEN_MESSAGES } from '../../../../engine/domain/message/message-limits.ts'
import type { OutboundRequest } from '../../../../http/outbound/outbound-calls.ts'
import { Gateway } from '../../../../http/workers/gateways/gateway.ts'
import { MESSAGES_PER_READ } from '../../../../http/workers/gateways/gateway-limits.ts'
import { Inbox } from '../../../../http/workers/gateways/inbox.ts'
import type { EmailMessage } from '../../../../http/workers/gateways/message.ts'
import { verifySignature } from '../../../../http/workers/webhooks/verify-signature.ts'
import { answered } from '../../../support/delivery-fixture.ts'
import { fillByStrangers, fillQuota } from '../../../support/filled-quota.ts'
import { answeredBy, NO_ANSWER, OutboxFixture } from '../../../support/outbox-fixture.ts'
import { HOME, LIVE_PHONE, PHONE, signUp, startOtp, told } from '../../../support/wallet-engine.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe('the outbox of codes', () => {
  it('a code leaves once its record is durable, in clear only in the call', async () => {
    const outbox = await OutboxFixture.open()
    const id = outbox.sendCode(LIVE_PHONE, 'Votre code : 482915')
    assert.deepEqual(outbox.sent, [])
    await outbox.settle()
    const sent = outbox.calls.map(({ message, attempt }) => [message.id, message.channel, message.text, attempt])
    assert.deepEqual(sent, [[id, 'sms', 'Votre code : 482915', 1]])
    assert.ok(!JSON.stringify(outbox.fixture.records).includes('482915'), 'the log holds it sealed')
    assert.equal(outbox.fixture.state.messages.open.size, 0)
  })

  it('a code that the gateway took is never sent again, also after a restart', async () => {
    const outbox = await OutboxFixture.open()
    outbox.sendCode()
    await outbox.settle()
    await outbox.restart()
    await outbox.advance(HOUR_MS)
    assert.equal(outbox.calls.length, 1)
  })

  it('a code whose answer was not recorded before a crash is sent again with the same id', async () => {
    const outbox = await OutboxFixture.open()
    outbox.answering = null
    const id = outbox.sendCode()
    await outbox.settle()
    outbox.answering = () => answeredBy(200)
    await outbox.restart()
    assert.deepEqual(outbox.sent, [id, id])
    await outbox.restart()
    assert.deepEqual(outbox.sent, [id, id])
  })

  it('a start takes all messages that are open, page after page, each once', async () => {
    for (const count of [MESSAGES_PER_READ, 2 * MESSAGES_PER_READ + 1]) {
      const outbox = await OutboxFixture.open()
      const { open } = outbox.fixture.state.messages
      const first = open.get(outbox.sendCode())
      assert.ok(first !== undefined)
      for (let others = 1; others < count; others++) open.set(`other ${others}`, { ...first, id: `other ${others}` })
      outbox.outbox.start()
      await outbox.settle()
      assert.deepEqual([outbox.calls.length, open.size], [count, 0])
    }
  })

  it('a gateway that fails is tried again for ten minutes, each attempt counted, and the code is then given up', async () => {
    for (const answer of [answeredBy(503), answeredBy(429), answeredBy(401), NO_ANSWER]) {
      const outbox = await OutboxFixture.open()
      outbox.answering = () => answer
      const id = outbox.sendCode()
      await outbox.settle()
      for (let passedMs = 0; passedMs <= 11 * MINUTE_MS; passedMs += 1000) await outbox.advance(1000)
      assert.deepEqual(
        outbox.calls.map(({ attempt }) => attempt),
        outbox.calls.map((_, index) => index + 1),
      )
      assert.ok(outbox.calls.length >= 12 && outbox.calls.length <= 16, `${outbox.calls.length} attempts`)
      assert.deepEqual(new Set(outbox.sent), new Set([id]))
      assert.deepEqual(outbox.givenUp, [`${id}: ${answer.error ?? `HTTP ${answer.httpStatus}`}`])
      assert.equal(outbox.fixture.state.messages.open.size, 0)
    }
  })

  it('retries go on after a restart, where they were', async () => {
    const outbox = await OutboxFixture.open()
    outbox.answering = () => answeredBy(500)
    outbox.sendCode()
    await outbox.settle()
    await outbox.restart()
    outbox.answering = () => answeredBy(200)
    await outbox.advance(1100)
    assert.deepEqual(
      outbox.calls.map(({ attempt }) => attempt),
      [1, 2],
    )
    assert.equal(outbox.fixture.state.messages.open.size, 0)
  })

  it('a gateway that refuses the message itself is not asked again', async () => {
    const outbox = await OutboxFixture.open()
    outbox.answering = () => answeredBy(400)
    const id = outbox.sendCode()
    await outbox.settle()
    await outbox.advance(HOUR_MS)
    assert.equal(outbox.calls.length, 1)
    assert.deepEqual(outbox.givenUp, [`${id}: HTTP 400`])
  })

  it('the wait that a gateway asks for is kept', async () => {
    const outbox = await OutboxFixture.open()
    outbox.answering = () => answeredBy(429, { retryAfterMs: 90_000 })
    outbox.sendCode()
    await outbox.settle()
    await outbox.advance(80_000)
    assert.equal(outbox.calls.length, 1)
    await outbox.advance(11_000)
    assert.equal(outbox.calls.length, 2)
  })

  it('nothing is sent while the disk is full, and everything afterwards', async () => {
    const outbox = await OutboxFixture.open()
    outbox.canWrite = false
    outbox.sendCode()
    await outbox.advance(1000)
    assert.equal(outbox.calls.length, 0)
    outbox.canWrite = true
    await outbox.advance(1000)
    assert.equal(outbox.calls.length, 1)
  })

  it('a gateway that hangs gets few calls at a time, and more as it answers well', async () => {
    const outbox = await OutboxFixture.open()
    outbox.answering = null
    for (let count = 0; count < 20; count++) outbox.sendCode()
    await outbox.settle()
    assert.equal(outbox.held.length, 4)
    await outbox.answer(answeredBy(200))
    assert.equal(outbox.held.length, 5)
  })

  it('a replayed key sends nothing again', async () => {
    const outbox = await OutboxFixture.open()
    const start = startOtp(LIVE_PHONE, 'login', { message: { to: LIVE_PHONE, sealed: outbox.seal.seal('sms', 'code') } })
    const one = { key: 'k', scope: 's', fingerprint: 'f' }
    assert.equal(outbox.fixture.do(start, one).body, outbox.fixture.do(start, one).body)
    await outbox.settle()
    assert.equal(outbox.calls.length, 1)
  })

  it('a network whose codes wait takes no further ones, with and without a phone to reach, and others go on', async () => {
    const { fixture, seal } = await OutboxFixture.open()
    fillQuota(fixture.state, OPEN_MESSAGES.sms, { part: 'live', holder: HOME.network, rows: OPEN_MESSAGES.sms.share })
    const message = { message: { to: LIVE_PHONE, sealed: seal.seal('sms', 'code') } }
    for (const more of [{}, message]) assert.equal(told(fixture.do(startOtp(LIVE_PHONE, 'login', more))), 'quota_exceeded')
    const elsewhere = { origin: { ...HOME, network: 'another network' } }
    assert.equal(fixture.do(startOtp(LIVE_PHONE, 'login', { ...message, ...elsewhere })).kind, 'ok')
    assert.equal(fixture.do(startOtp(PHONE, 'login')).kind, 'ok')
  })

  it('codes of strangers leave room for an owner at a network where it has signed in', async () => {
    const { fixture, seal } = await OutboxFixture.open()
    const account = signUp(fixture, LIVE_PHONE, 'awa', 'pixel')
    fixture.state.auth.knownNetworks.set(String(account), { account, networks: [HOME.network] })
    fillByStrangers(fixture.state, OPEN_MESSAGES.sms, 'live', 5_000)
    const to = (phone: string) => startOtp(phone, 'login', { message: { to: phone, sealed: seal.seal('sms', 'code') } })
    assert.equal(told(fixture.do(to('+221771234599'))), 'quota_exceeded')
    assert.equal(fixture.do(to(LIVE_PHONE)).kind, 'ok')
  })

  it('without a gateway a code is in the inbox in development, and given up in production', async () => {
    const inbox = new Inbox()
    const shown = await OutboxFixture.open({ channels: [], inbox })
    const id = shown.sendCode()
    await shown.settle()
    assert.deepEqual(
      inbox.newest().map(({ item }) => item.id),
      [id],
    )
    const dropped = await OutboxFixture.open({ channels: [] })
    const other = dropped.sendCode()
    await dropped.settle()
    assert.deepEqual(dropped.givenUp, [`${other}: no gateway is set`])
    for (const { fixture } of [shown, dropped]) assert.equal(fixture.state.messages.open.size, 0)
  })
})

describe('a call to a gateway', () => {
  it('is signed with the secret, and names message and attempt', async () => {
    const requests: OutboundRequest[] = []
    const call = (request: OutboundRequest) => {
      requests.push(request)
      return Promise.resolve(answered(202, { 'retry-after': '7' }, 3))
    }
    const message: EmailMessage = {
      id: 'm1',
      channel: 'email',
      environment: 'live',
      to: 'a@b.example',
      subject: 'Bonjour',
      text: 'é',
      created_at: '2026-11-20T10:00:00.000Z',
    }
    for (const secret of ['a secret of the gateway', null]) {
      const gateway = new Gateway({ url: 'http://mail.example/send', outbound: { call }, secret, now: () => 1_763_632_800_000 })
      assert.deepEqual(await gateway.send(message, 2), { httpStatus: 202, error: null, durationMs: 3, retryAfterMs: 7000 })
      const { headers, body } = requests.at(-1) ?? assert.fail('it was called')
      assert.deepEqual([headers['x-service-message-id'], headers['x-service-attempt']], ['m1', '2'])
      assert.deepEqual(JSON.parse(String(body)), message)
      const signature = headers['x-service-signature']
      if (secret === null) assert.equal(signature, undefined)
      else assert.equal(verifySignature({ signature: String(signature), body: String(body), secret, nowS: 1_763_632_800 }), 'valid')
    }
  })
})
