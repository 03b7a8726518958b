// Messages to phones: the inbox, texts, and which frames are pushed.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { Inbox } from '../../../../http/workers/gateways/inbox.ts'
import {
  approvalOtpText,
  type Message,
  otpText,
  paymentOtpText,
  prettyAmount,
  receivedText,
  refundedText,
} from '../../../../http/workers/gateways/message.ts'
import { PushSelection, pushMessage } from '../../../../http/workers/gateways/push.ts'
import { openCharge, openSetup, pay, refund } from '../../../support/charge-engine.ts'
import { deposit, openMerchant, openWallet, payout } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { FulfillmentFixture } from '../../../support/fulfillment-fixture.ts'
import { LIVE_PHONE, PHONE, signUp } from '../../../support/wallet-engine.ts'

function message(id: string): Message {
  const rest = { title: '', text: 'Bonjour', data: {}, devices: [], created_at: '2026-11-20T10:00:00.000Z' }
  return { id, channel: 'sms', environment: 'live', phone: LIVE_PHONE, ...rest }
}

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
  it('text messages are French, hold the code once, and need no character beyond the GSM alphabet', () => {
    const texts = [
      otpText('012345', 'signup'),
      otpText('012345', 'login'),
      paymentOtpText('012345', { amount: 1_250_000, currency: 'XOF' }, 'Boutique Awa'),
    ]
    texts.push(
      paymentOtpText('012345', { amount: 5000, currency: 'XOF' }, null),
      approvalOtpText('012345', null),
      approvalOtpText('012345', 'Boutique Awa'),
    )
    for (const text of texts) {
      assert.equal(text.split('012345').length, 2)
      assert.match(text, /^[A-Za-z0-9 .,:àéèùÉ'-]+$/)
      assert.ok(text.length <= 160, `${text.length} characters`)
    }
    assert.match(texts[2] ?? '', /payer 1 250 000 F CFA à Boutique Awa/)
    assert.match(texts[3] ?? '', /payer 5 000 F CFA à un marchand\./)
    assert.match(texts[4] ?? '', /les prélèvements d'un marchand\./)
  })

  it('text messages in English hold the code once, and need no character beyond the GSM alphabet', () => {
    const texts = [otpText('012345', 'signup', 'en'), otpText('012345', 'login', 'en'), approvalOtpText('012345', null, 'en')]
    texts.push(paymentOtpText('012345', { amount: 1_250_000, currency: 'XOF' }, 'Boutique Awa', 'en'))
    for (const text of texts) {
      assert.equal(text.split('012345').length, 2)
      assert.match(text, /^[A-Za-z0-9 .,:'-]+$/)
      assert.ok(text.length <= 160, `${text.length} characters`)
    }
    assert.match(texts[3] ?? '', /pay 1,250,000 F CFA to Boutique Awa/)
  })

  it('text messages of amounts keep figures and unit together', () => {
    assert.equal(prettyAmount(5000, 'XOF'), '5\u202f000\u00a0F\u00a0CFA')
    assert.equal(
      receivedText({ amount: 5, currency: 'XOF' }, '', 12, 'fr').text,
      'Vous avez reçu 5\u00a0F\u00a0CFA. Nouveau solde : 12\u00a0F\u00a0CFA.',
    )
  })
})

function showPushes(fixture: EngineFixture, selection: PushSelection, inbox: Inbox): void {
  for (const record of fixture.records) {
    for (const { frameIndex } of selection.of(record)) inbox.add(() => pushMessage(fixture.engine, record, frameIndex))
  }
}

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
    showPushes(fixture, new PushSelection(fixture.engine, 'all'), inbox)
    assert.deepEqual(
      messagesIn(inbox).map(({ phone, title, text }) => [phone === PHONE ? 'awa' : 'kofi', title, text.replaceAll(/\s/g, ' ')]),
      [
        ['kofi', 'Dépôt reçu', 'Un dépôt de 50 F CFA est arrivé. Nouveau solde : 150 F CFA.'],
        ['kofi', 'Argent reçu', 'Vous avez reçu 100 F CFA de @awa. Nouveau solde : 100 F CFA.'],
        ['awa', 'Argent reçu', 'Vous avez reçu 300 F CFA de Boutique Awa. Nouveau solde : 300 F CFA.'],
      ],
    )
    const [newest, ...older] = messagesIn(inbox)
    assert.equal(new Set([newest, ...older].map((one) => one?.id)).size, 3)
    const transactions = fixture.records.flatMap((record) => record.transactions.map(({ id }) => id))
    assert.ok(transactions.includes(newest?.data.transaction_id ?? ''))
  })

  it('the push of a refund says refund, of a bill too, in both languages', async () => {
    const setup = await openSetup()
    const { fixture, merchant, payer } = setup
    const inbox = new Inbox()
    const token = openCharge(setup)
    assert.equal(fixture.do(pay(token, payer)).kind, 'ok')
    fixture.records.length = 0
    assert.equal(fixture.do(refund(token, merchant)).kind, 'ok')
    showPushes(fixture, new PushSelection(fixture.engine, 'all'), inbox)
    assert.deepEqual(
      messagesIn(inbox).map(({ title, text }) => [title, text.replaceAll(/\s/g, ' ')]),
      [['Remboursement', 'Vous avez été remboursé de 1 000 F CFA par boutique. Nouveau solde : 10 000 F CFA.']],
    )
    const bills = await FulfillmentFixture.open()
    const id = await bills.paid()
    await bills.refund(id)
    bills.setup.fixture.records.splice(0, bills.setup.fixture.records.length - 1)
    const pushes = new Inbox()
    showPushes(bills.setup.fixture, new PushSelection(bills.setup.fixture.engine, 'all'), pushes)
    assert.deepEqual(
      messagesIn(pushes).map(({ title }) => title),
      ['Remboursement'],
    )
    assert.deepEqual(refundedText({ amount: 500, currency: 'XOF' }, 'by Boutique Awa', 900, 'en'), {
      title: 'Refund',
      text: 'You were refunded 500\u00a0F\u00a0CFA by Boutique Awa. New balance: 900\u00a0F\u00a0CFA.',
    })
  })

  it('push notifications of mandate requests are few: five an hour of one merchant, twenty of all, also when some were cancelled in between', async () => {
    const fixture = await EngineFixture.open()
    const inbox = new Inbox()
    const selection = new PushSelection(fixture.engine, 'all')
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
    showPushes(fixture, selection, inbox)
    assert.deepEqual(
      texts().reverse(),
      ['A', 'B', 'C', 'D'].flatMap((name) => Array.from({ length: 5 }, () => name)),
    )
    fixture.records.length = 0
    fixture.loop.nowMs += 3_600_000
    ask(merchants[4] ?? -1)
    showPushes(fixture, selection, inbox)
    assert.equal(texts()[0], 'E')
  })
})
