// Messages to phones: gateways that fail, the inbox, and push notifications.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { GATEWAY_CONCURRENCY_MAX, GATEWAY_WAITING_MAX } from '../../../../http/server/server-limits.ts'
import { Gateway, type PostJson } from '../../../../http/workers/gateways/gateway.ts'
import { Inbox } from '../../../../http/workers/gateways/inbox.ts'
import {
  approvalOtpText,
  type Message,
  otpText,
  paymentOtpText,
  prettyAmount,
  receivedText,
} from '../../../../http/workers/gateways/message.ts'
import { PushNotices } from '../../../../http/workers/gateways/push.ts'
import { TextMessages } from '../../../../http/workers/gateways/sms.ts'
import { deposit, openMerchant, openWallet, payout } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { LIVE_PHONE, PHONE, signUp } from '../../../support/wallet-engine.ts'

function message(id: string): Message {
  const rest = { title: '', text: 'Bonjour', data: {}, devices: [], created_at: '2026-11-20T10:00:00.000Z' }
  return { id, channel: 'sms', environment: 'live', phone: LIVE_PHONE, ...rest }
}

interface Setup {
  readonly gateway: Gateway
  readonly posts: { readonly url: string; readonly id: string }[]
  readonly givenUp: string[]
  /** Resolves when so many posts, or given-up messages, were seen. */
  seen(posts: number, givenUp?: number): Promise<void>
}

function openSetup(post: (nth: number) => Promise<number>, retryAfterMs: readonly number[] = [1, 1]): Setup {
  const posts: Setup['posts'] = []
  const givenUp: string[] = []
  let check = (): void => {}
  const postJson: PostJson = (url, body) => {
    posts.push({ url, id: (body as Message).id })
    queueMicrotask(check)
    return post(posts.length)
  }
  const onGiveUp = ({ id }: Message, reason: string): void => {
    givenUp.push(`${id}: ${reason}`)
    check()
  }
  const gateway = new Gateway({ url: 'http://gateway.example/send', postJson, onGiveUp, retryAfterMs })
  const seen = (postCount: number, givenUpCount = 0): Promise<void> =>
    new Promise((resolve) => {
      // Keeps the loop alive: the gateway's own timers do not.
      const alive = setInterval(() => {}, 1000)
      check = () => {
        if (posts.length < postCount || givenUp.length < givenUpCount) return
        clearInterval(alive)
        resolve()
      }
      check()
    })
  return { gateway, posts, givenUp, seen }
}

describe('a gateway', () => {
  it('a gateway gets each message as JSON at its address', async () => {
    const { gateway, posts, givenUp, seen } = openSetup(() => Promise.resolve(202))
    gateway.send(message('a'))
    await seen(1)
    assert.deepEqual(posts, [{ url: 'http://gateway.example/send', id: 'a' }])
    assert.deepEqual(givenUp, [])
  })

  it('a gateway that fails is tried again under the same id, and given up after the last try', async () => {
    for (const [failure, reason] of [
      [() => Promise.resolve(503), 'HTTP 503'],
      [() => Promise.resolve(429), 'HTTP 429'],
      [() => Promise.reject(new Error('no route')), 'no route'],
    ] as const) {
      const { gateway, posts, givenUp, seen } = openSetup(failure)
      gateway.send(message('a'))
      await seen(3, 1)
      assert.deepEqual(
        posts.map(({ id }) => id),
        ['a', 'a', 'a'],
      )
      assert.deepEqual(givenUp, [`a: ${reason}`])
    }
  })

  it('a gateway that comes back gets the message once more and no further', async () => {
    const { gateway, posts, givenUp, seen } = openSetup((nth) => Promise.resolve(nth === 1 ? 500 : 200))
    gateway.send(message('a'))
    await seen(2)
    gateway.send(message('b'))
    await seen(3)
    assert.deepEqual(
      posts.map(({ id }) => id),
      ['a', 'a', 'b'],
    )
    assert.deepEqual(givenUp, [])
  })

  it('a gateway that refuses a message is not asked again', async () => {
    const { gateway, posts, givenUp, seen } = openSetup(() => Promise.resolve(400))
    gateway.send(message('a'))
    await seen(1, 1)
    assert.equal(posts.length, 1)
    assert.deepEqual(givenUp, ['a: HTTP 400'])
  })

  it('a gateway that hangs gets few at a time, and what is too much is given up at once', async () => {
    const answers: ((status: number) => void)[] = []
    const { gateway, posts, givenUp, seen } = openSetup(() => new Promise((resolve) => answers.push(resolve)))
    for (let index = 0; index < GATEWAY_CONCURRENCY_MAX + GATEWAY_WAITING_MAX + 2; index++) gateway.send(message(String(index)))
    assert.equal(posts.length, GATEWAY_CONCURRENCY_MAX)
    assert.equal(givenUp.length, 2)
    answers[0]?.(200)
    await seen(GATEWAY_CONCURRENCY_MAX + 1)
    assert.equal(posts.length, GATEWAY_CONCURRENCY_MAX + 1)
    gateway.close()
    for (const answer of answers) answer(500)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(posts.length, GATEWAY_CONCURRENCY_MAX + 1, 'a closed one sends nothing more')
  })
})

const messagesIn = (inbox: Inbox, limit?: number): Message[] => inbox.newest(limit).map(({ item }) => item as Message)

describe('the inbox', () => {
  it('the inbox keeps the newest, newest first', () => {
    const inbox = new Inbox(3)
    assert.deepEqual(inbox.newest(), [])
    for (const id of ['a', 'b', 'c', 'd', 'e']) inbox.add(() => message(id))
    const ids = (limit?: number): string[] => messagesIn(inbox, limit).map(({ id }) => id)
    assert.deepEqual(ids(), ['e', 'd', 'c'])
    assert.deepEqual(ids(2), ['e', 'd'])
    assert.deepEqual(
      inbox.newest().map(({ number }) => number),
      [5, 4, 3],
    )
    assert.equal(inbox.lastNumber, 5)
  })

  it('the inbox notifies watchers once of what comes together, and none that has left', async () => {
    const inbox = new Inbox(3)
    const told: string[] = []
    const leave = inbox.watch(() => told.push('first'))
    inbox.watch(() => told.push('second'))
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    inbox.add(() => message('a'))
    inbox.add(() => message('b'))
    assert.deepEqual(told, [], 'not in the middle of a record')
    await turn()
    assert.deepEqual(told, ['first', 'second'])
    leave()
    inbox.add(() => message('c'))
    await turn()
    assert.deepEqual(told, ['first', 'second', 'second'])
  })
})

describe('text messages', () => {
  it('text messages to live phones go to the inbox or the gateway, to test phones nowhere', async () => {
    const inbox = new Inbox()
    const local = new TextMessages(null, inbox, () => 0)
    for (const phone of [LIVE_PHONE, PHONE]) local.send(phone, 'Bonjour')
    assert.deepEqual(
      messagesIn(inbox).map(({ phone, text }) => [phone, text]),
      [[LIVE_PHONE, 'Bonjour']],
    )
    const { gateway, posts, seen } = openSetup(() => Promise.resolve(200))
    const remote = new TextMessages(gateway, inbox, () => 0)
    for (const phone of [PHONE, LIVE_PHONE]) remote.send(phone, 'Bonjour')
    await seen(1)
    assert.equal(posts.length, 1)
    assert.equal(inbox.newest().length, 1)
  })

  it('text messages are French, hold the code once, and need no character beyond the GSM alphabet', () => {
    const texts = [otpText('012345', 'signup'), otpText('012345', 'login'), paymentOtpText('012345', 1_250_000, 'Boutique Awa')]
    texts.push(paymentOtpText('012345', 5000, null), approvalOtpText('012345', null), approvalOtpText('012345', 'Boutique Awa'))
    for (const text of texts) {
      assert.equal(text.split('012345').length, 2)
      assert.match(text, /^[A-Za-z0-9 .,:àéèùÉ'-]+$/)
      assert.ok(text.length <= 160, `${text.length} characters`)
    }
    assert.match(texts[2] ?? '', /payer 1 250 000 F CFA à Boutique Awa/)
    assert.match(texts[3] ?? '', /payer 5 000 F CFA à un marchand\./)
    assert.match(texts[4] ?? '', /les prélèvements d'un marchand\./)
  })

  it('text messages of amounts keep figures and unit together', () => {
    assert.equal(prettyAmount(5000), '5\u202f000\u00a0F\u00a0CFA')
    assert.equal(receivedText(5, '', 12).text, 'Vous avez reçu 5\u00a0F\u00a0CFA. Nouveau solde : 12\u00a0F\u00a0CFA.')
  })
})

describe('push notifications', () => {
  it('push notifications go to the recipients of payouts, transfers and deposits, and to no other wallet', async () => {
    const fixture = await EngineFixture.open()
    const inbox = new Inbox()
    const { test: merchant, id: merchantId } = openMerchant(fixture, 'Boutique Awa', 1000)
    const awa = signUp(fixture, PHONE, 'awa')
    openWallet(fixture, 'kofi')
    fixture.records.length = 0
    fixture.do(payout(merchant, 'awa', 300))
    fixture.do({ type: 'CreateTransfer', sender: awa, recipient: 'kofi', amount: 100, note: '' })
    fixture.do(deposit({ tag: 'kofi' }, 50))
    fixture.do(deposit({ merchantId }, 50))
    fixture.do(payout(merchant, 'nobody', 1))
    const push = new PushNotices(fixture.engine, null, inbox)
    for (const record of fixture.records) push.record(record)
    assert.deepEqual(
      messagesIn(inbox).map(({ phone, title, text }) => [phone === PHONE ? 'awa' : 'kofi', title, text.replaceAll(/\s/g, ' ')]),
      [
        ['kofi', 'Argent reçu', 'Vous avez reçu 50 F CFA. Nouveau solde : 150 F CFA.'],
        ['kofi', 'Argent reçu', 'Vous avez reçu 100 F CFA de @awa. Nouveau solde : 100 F CFA.'],
        ['awa', 'Argent reçu', 'Vous avez reçu 300 F CFA de Boutique Awa. Nouveau solde : 300 F CFA.'],
      ],
    )
    const [newest, ...older] = messagesIn(inbox)
    assert.equal(new Set([newest, ...older].map((one) => one?.id)).size, 3)
    const transactions = fixture.records.flatMap((record) => record.transactions.map(({ id }) => id))
    assert.ok(transactions.includes(newest?.data.transaction_id ?? ''))
  })

  it('push notifications of mandate requests are few: five an hour of one merchant, twenty of all, also when some were cancelled in between', async () => {
    const fixture = await EngineFixture.open()
    const inbox = new Inbox()
    const push = new PushNotices(fixture.engine, null, inbox)
    signUp(fixture, PHONE, 'awa')
    const texts = (): string[] => messagesIn(inbox).map(({ text }) => text.split(' vous ')[0] ?? '')
    const ask = (merchant: AccountNumber): void => {
      const fields = {
        customerTag: 'awa',
        amount: 100,
        maxAmount: null,
        interval: 'monthly',
        startMs: null,
        endMs: null,
        maxPayments: null,
      } as const
      const words = { reference: '', description: '', redirectUrl: '', approvalUrl: '' }
      const { kind, body } = fixture.do({ type: 'CreateMandate', merchant, token: randomBytes(16).toString('hex'), ...fields, ...words })
      assert.equal(kind, 'created', body)
      const { id } = JSON.parse(body) as { id: string }
      assert.equal(fixture.do({ type: 'CancelMandate', by: merchant, id }).kind, 'ok')
    }
    const merchants = ['A', 'B', 'C', 'D', 'E'].map((name) => openMerchant(fixture, name).test)
    fixture.records.length = 0
    for (const merchant of merchants) for (let count = 0; count < 10; count++) ask(merchant)
    for (const record of fixture.records) push.record(record)
    assert.deepEqual(
      texts().reverse(),
      ['A', 'B', 'C', 'D'].flatMap((name) => Array.from({ length: 5 }, () => name)),
    )
    fixture.records.length = 0
    fixture.loop.nowMs += 3_600_000
    ask(merchants[4] ?? -1)
    for (const record of fixture.records) push.record(record)
    assert.equal(texts()[0], 'E')
  })

  it('push notifications go to a gateway only for wallets with a device, and name its devices', async () => {
    const fixture = await EngineFixture.open()
    const { test: merchant } = openMerchant(fixture, 'Boutique', 1000)
    signUp(fixture, PHONE, 'awa', 'pixel')
    openWallet(fixture, 'kofi')
    fixture.records.length = 0
    for (const tag of ['kofi', 'awa']) fixture.do(payout(merchant, tag, 10))
    const bodies: Message[] = []
    const postJson: PostJson = (_url, body) => {
      bodies.push(body as Message)
      return Promise.resolve(200)
    }
    const gateway = new Gateway({ url: 'http://push.example', postJson, onGiveUp: () => assert.fail('it arrives') })
    const push = new PushNotices(fixture.engine, gateway, new Inbox())
    for (const record of fixture.records) push.record(record)
    assert.deepEqual(
      bodies.map(({ phone, devices, channel, environment }) => ({ phone, devices, channel, environment })),
      [{ phone: PHONE, devices: ['pixel'], channel: 'push', environment: 'test' }],
    )
  })
})
