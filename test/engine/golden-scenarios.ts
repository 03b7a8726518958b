// The commands that make the golden files: between them every event that a log can hold.

import { readDefinition } from '../../engine/domain/biller/biller-definition.ts'
import type { CreateCharge } from '../../engine/domain/charge/charge-decide.ts'
import type { Command } from '../../engine/domain/command.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import { FAN_OUT_DELIVERIES } from '../../engine/domain/webhook/webhook-limits.ts'
import { positionOf } from '../../engine/kernel/position.ts'
import { readBatchLines } from '../support/batch-lines.ts'
import { CALLER, deposit, liveWallet, openMerchant, openWallet, payout, testWallet, withdraw } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { HOME } from '../support/wallet-engine.ts'
import { playActivation } from './golden-activation.ts'
import { playBillOutcomes, playBills } from './golden-bills.ts'
import { playCashRequests } from './golden-cash-requests.ts'
import { playCodeRuns } from './golden-code-runs.ts'
import { playContacts } from './golden-contacts.ts'
import { playControl } from './golden-control.ts'
import { playDashboard, playKeyUses } from './golden-dashboard.ts'
import { playDisbursements } from './golden-disbursements.ts'
import { playFees } from './golden-fees.ts'
import { playLogBudget } from './golden-log-budget.ts'
import { playMandates } from './golden-mandates.ts'
import { playMembers } from './golden-members.ts'
import { playMessages, playPushLanguage } from './golden-messages.ts'
import { playNotices } from './golden-notices.ts'
import { playDualControl, playOperators, playSecondPersons } from './golden-operators.ts'
import { playPaymentLinks } from './golden-payment-links.ts'
import { playPayoutRules } from './golden-payout-rules.ts'
import { playProblems } from './golden-problems.ts'
import { playRecipients } from './golden-recipients.ts'
import { playRules } from './golden-rules.ts'
import { playReplacedSchedules, playSchedules } from './golden-schedules.ts'
import { playSignInFromNetworks } from './golden-sign-in.ts'
import { must, newestId } from './golden-steps.ts'

/** By the name of the file. */
export const GOLDEN_SCENARIOS: Readonly<Record<string, (fixture: EngineFixture) => void>> = {
  'money-v1.json': playMoney,
  'charges-v1.json': playCharges,
  'sign-in-v1.json': playSignIn,
  'sign-in-networks-v1.json': playSignInFromNetworks,
  'dashboard-v1.json': playDashboard,
  'key-uses-v1.json': playKeyUses,
  'schedules-v1.json': playSchedules,
  'webhooks-v1.json': playWebhooks,
  'mandates-v1.json': playMandates,
  'billers-v1.json': playBillers,
  'bills-v1.json': playBills,
  'bill-outcomes-v1.json': playBillOutcomes,
  'code-runs-v1.json': playCodeRuns,
  'log-budget-v1.json': playLogBudget,
  'operators-v1.json': playOperators,
  'cash-requests-v1.json': playCashRequests,
  'replaced-schedules-v1.json': playReplacedSchedules,
  'members-v1.json': playMembers,
  'messages-v1.json': playMessages,
  'control-v1.json': playControl,
  'payment-links-v1.json': playPaymentLinks,
  'activation-v1.json': playActivation,
  'dual-control-v1.json': playDualControl,
  'push-language-v1.json': playPushLanguage,
  'second-persons-v1.json': playSecondPersons,
  'recipients-v1.json': playRecipients,
  'disbursements-v1.json': playDisbursements,
  'contacts-v1.json': playContacts,
  'payout-rules-v1.json': playPayoutRules,
  'rules-v1.json': playRules,
  'notices-v1.json': playNotices,
  'fees-v1.json': playFees,
  'problems-v1.json': playProblems,
}

const MINUTE_MS = 60_000

function playMoney(fixture: EngineFixture): void {
  const { id, test, live } = openMerchant(fixture, 'Boutique "Baobab"', 10_000)
  const key = { merchantId: id, environment: 'test', label: 'Caisse', publicKey: 'pk_test_golden', secretHash: 'ab'.repeat(32) } as const
  must(fixture, { type: 'CreateApiKey', ...key, scopes: ['disbursements.write'], sealedSecret: 'sealed', by: 'operator' }, 201)
  const awa = openWallet(fixture, 'awa')
  must(fixture, testWallet('test_blocked'), 201)
  must(fixture, liveWallet('+2250700000001', 'awa'), 201, 'wallet')
  must(fixture, deposit({ merchantId: id }, 700, 'live', 'virement'), 201, 'deposit')
  must(fixture, withdraw({ merchantId: id }, 50, 'test', 'retrait'), 201, 'withdrawal')
  must(fixture, withdraw({ merchantId: id }, 50_000), 402, 'too much')
  must(fixture, payout(test, 'awa', 1500, 'salaire', 'août\n"\u{1F4B6}"'), 201, 'payout')
  must(fixture, payout(test, 'nobody', 1500), 201, 'failed payout')
  must(fixture, payout(test, 'test_blocked', 1), 201)
  must(fixture, payout(live, 'awa', 1), 201)
  must(fixture, { type: 'CreateTransfer', sender: awa, recipient: 'test_blocked', amount: 5, note: '' }, 409, 'blocked')
  must(fixture, testWallet('moussa'), 201)
  must(fixture, { type: 'CreateTransfer', sender: awa, recipient: 'moussa', amount: 5, note: 'merci' }, 201, 'transfer')
  const lines = readBatchLines([
    { recipient: '@awa', amount: 10, reference: 'un', note: 'é' },
    { recipient: '', amount: 10 },
    { recipient: 'moussa', amount: 0 },
    { recipient: 'nobody', amount: 10 },
    { recipient: 'moussa', amount: 1_000_000, reference: 'trop' },
    { recipient: 'moussa', amount: 20 },
  ])
  must(fixture, { type: 'CreateBatch', merchant: test, lines, reference: 'paie', scheduleId: null }, 201, 'batch')
}

function charge(merchant: number, token: string, more: Partial<CreateCharge> = {}): CreateCharge {
  const texts = { reference: 'commande', description: 'Pagne', customerTag: '', redirectUrl: '', webhookUrl: '' }
  return {
    type: 'CreateCharge',
    merchant,
    token,
    amount: 100,
    checkoutUrl: `https://pay.example/pay/${token}`,
    ...texts,
    metadata: { a: 'é' },
    madeBy: CALLER,
    ...more,
  }
}

function playCharges(fixture: EngineFixture): void {
  const { test: merchant } = openMerchant(fixture, 'Boutique')
  const payer = openWallet(fixture, 'awa')
  must(fixture, deposit({ tag: 'awa' }, 1000), 201)
  const pay = (token: string): Command => ({ type: 'PayCharge', token, merchant: null, payer, challengeId: null, answer: 'app' })
  must(fixture, charge(merchant, 'paid', { customerTag: 'awa' }), 201, 'create')
  must(fixture, pay('paid'), 200, 'pay')
  must(fixture, pay('paid'), 409, 'pay again')
  must(fixture, charge(merchant, 'refunded', { webhookUrl: 'https://boutique.example/hook' }), 201)
  must(fixture, pay('refunded'), 200)
  must(fixture, { type: 'RefundCharge', merchant, token: 'refunded' }, 200, 'refund')
  must(fixture, charge(merchant, 'cancelled'), 201)
  must(fixture, { type: 'CancelCharge', merchant, token: 'cancelled' }, 200, 'cancel')
  must(fixture, charge(merchant, 'expired'), 201)
  fixture.loop.advance(31 * MINUTE_MS)
  fixture.settle()
  must(fixture, charge(merchant, 'pending'), 201)
}

const PHONE = '+2250000000042'

function playSignIn(fixture: EngineFixture): void {
  const device = (id: string) => ({ id, name: 'Téléphone', platform: 'android', tokenHash: `device ${id}` })
  const otp = (challengeId: string, purpose: 'signup' | 'login') => ({ challengeId, purpose, identifier: PHONE, subject: '' }) as const
  const counted = [{ key: `phone:${PHONE}`, limit: { most: 5, withinMs: 10 * MINUTE_MS } }]
  const start = { type: 'StartOtp', environment: 'test', account: null, codeHash: 'right', origin: HOME } as const
  must(fixture, { ...start, ...otp('01a0c450-0000-7000-8000-000000000001', 'signup'), counted }, 200)
  const verify = { type: 'VerifyOtp', codeHash: 'right', tokenHash: 'signup' } as const
  must(fixture, { ...verify, ...otp('01a0c450-0000-7000-8000-000000000001', 'signup'), codeHash: 'wrong' }, 401)
  must(fixture, { ...verify, ...otp('01a0c450-0000-7000-8000-000000000001', 'signup') }, 200)
  must(fixture, { type: 'SetSignupIdentity', tokenHash: 'signup', familyName: 'Diallo', givenName: 'Awa' }, 200)
  must(fixture, { type: 'SetSignupTag', tokenHash: 'signup', tag: 'awa' }, 200)
  must(fixture, { type: 'CompleteSignup', tokenHash: 'signup', pinHash: 'pin 1', device: device('a') }, 200)
  const account = fixture.state.wallets.byPhone(PHONE)?.account ?? -1
  must(fixture, { ...start, ...otp('01a0c450-0000-7000-8000-000000000002', 'login'), counted }, 200)
  must(fixture, { ...verify, ...otp('01a0c450-0000-7000-8000-000000000002', 'login'), tokenHash: 'login' }, 200)
  must(fixture, { type: 'CompleteLogin', tokenHash: 'login', device: device('b') }, 200)
  must(fixture, { type: 'LogOut', account, deviceId: 'b' }, 200)
  must(fixture, { type: 'RecordPinCheck', account, ok: false, generation: 1 }, 401)
  must(fixture, { type: 'ChangePin', account, pinHash: 'pin 2', generation: 1, deviceId: 'a' }, 200)
  must(fixture, { type: 'RemoveDevice', account, deviceId: 'b' }, 200)
  const payment = { challengeId: '01a0c450-0000-7000-8000-000000000003', purpose: 'payment', identifier: 'awa', subject: 'token' } as const
  must(fixture, { ...start, ...payment, account, counted: [] }, 200)
  must(fixture, { ...verify, ...payment, tokenHash: '' }, 200)
}

function playWebhooks(fixture: EngineFixture): void {
  const { test: merchant } = openMerchant(fixture, 'Boutique', 1000)
  openWallet(fixture, 'awa')
  const endpoint = {
    url: 'https://boutique.example/hook',
    events: ['payout.paid', 'payout.failed', 'batch.completed'],
    description: 'caisse',
  } as const
  must(fixture, { type: 'CreateEndpoint', merchant, ...endpoint, sealedSecret: 'sealed 1' }, 201)
  const [first] = fixture.state.webhooks.endpointsOf(merchant)
  const id = first?.id ?? ''
  must(fixture, { type: 'RotateSecret', merchant, id, sealedSecret: 'sealed 2', overlapS: 60 }, 200)
  must(fixture, { type: 'UpdateEndpoint', merchant, id, ...endpoint, description: 'nouvelle caisse', status: null }, 200)
  must(fixture, { type: 'PingEndpoint', merchant, id }, 200)
  must(fixture, payout(merchant, 'awa', 10), 201, 'told')
  const position = positionOf(fixture.engine.lastSequence, 1)
  const lines = readBatchLines([
    { recipient: 'awa', amount: 1 },
    { recipient: 'nobody', amount: 1 },
  ])
  must(fixture, { type: 'CreateBatch', merchant, lines, reference: '', scheduleId: null }, 201, 'told in one')
  const about = { eventType: 'payout.paid', url: endpoint.url, error: null, durationMs: 7, retryAfterMs: null, jitter: 0.5 } as const
  const results = [...fixture.state.webhooks.deliveries.values()].map((delivery, index) => {
    const told = fixture.engine.history.eventAt(delivery.position)
    return {
      deliveryId: delivery.id,
      eventId: payloadOf<{ id: string }>(told).id,
      httpStatus: [200, 500, 410][index % 3] as number,
      ...about,
    }
  })
  must(fixture, { type: 'RecordDeliveries', environment: 'test', results: results.slice(0, 2) }, 200)
  must(fixture, { type: 'Redeliver', merchant, position }, 200)
  must(fixture, { type: 'CreateEndpoint', merchant, ...endpoint, sealedSecret: 'sealed 3' }, 201)
  must(fixture, { type: 'DeleteEndpoint', merchant, id: newestId(fixture) }, 200)
  must(fixture, { type: 'RecordDeliveries', environment: 'test', results: results.slice(2, 3) }, 200)
  must(fixture, { type: 'CreateEndpoint', merchant, ...endpoint, sealedSecret: 'sealed 4' }, 201)
  const many = readBatchLines(Array.from({ length: FAN_OUT_DELIVERIES }, () => ({ recipient: 'awa', amount: 1 })))
  must(fixture, { type: 'CreateBatch', merchant, lines: many, reference: '', scheduleId: null }, 201, 'told later')
  while (fixture.state.webhooks.fanOuts.size > 0) {
    fixture.loop.advance(1)
    fixture.settle()
  }
}

function playBillers(fixture: EngineFixture): void {
  const { test: merchant } = openMerchant(fixture, 'Boutique')
  const logosBase = 'https://cauri.example/logos/'
  const profile = {
    type: 'SaveBiller',
    merchant,
    displayName: 'Énergie & Fils',
    category: 'electricity',
    shortDesc: 'é',
    logosBase,
  } as const
  const logo = (name: string): Command => {
    const bytes = { file: `${name}.png`, contentType: 'image/png', base64: Buffer.from(name).toString('base64') }
    return { type: 'SetBillerLogo', merchant, ...bytes, logosBase }
  }
  const slug = 'energie-fils'
  const curate = (curation: 'approved' | 'rejected' | 'suspended' | 'reinstated', reason = ''): Command => {
    return { type: 'CurateBiller', slug, curation, reason, submittedAt: null, logosBase }
  }
  const submit: Command = { type: 'SubmitBiller', merchant, logosBase }
  must(fixture, profile, 200, 'profile')
  must(fixture, logo('first'), 200)
  const form = {
    steps: [
      { id: 'un', title: 'Étape', action: 'resolve', fields: [{ id: 'ref', label: 'Référence', type: 'text', pattern: '^[0-9]+$' }] },
    ],
  }
  const body = { title: 'Facture', amount_mode: 'lookup', schema: form, lookup_url: 'https://energie.example/lookup' }
  const product = { type: 'SaveProduct', merchant, slug: 'facture', definition: readDefinition(body), sealedSecret: 'sealed' } as const
  must(fixture, { ...product, mode: 'create' }, 201, 'product')
  const packages = [
    { id: 'jour', label: 'Pass jour', amount: 500 },
    { label: 'Pass mois', amount: 9000 },
  ]
  const changed = readDefinition({ title: 'Pass', amount_mode: 'fixed', schema: { steps: [] }, packages })
  must(fixture, { ...product, mode: 'replace', definition: changed, sealedSecret: 'keep' }, 200)
  must(fixture, { type: 'SwitchProduct', merchant, slug: 'facture', to: 'inactive' }, 200)
  must(fixture, submit, 400)
  must(fixture, { type: 'SwitchProduct', merchant, slug: 'facture', to: 'active' }, 200)
  must(fixture, submit, 200)
  must(fixture, curate('rejected', 'Nom trompeur.'), 200)
  must(fixture, submit, 200, 'again')
  must(fixture, { type: 'ApproveTestBiller', merchant, logosBase }, 200)
  must(fixture, curate('approved'), 200)
  must(fixture, curate('suspended', 'Plaintes.'), 200)
  must(fixture, curate('reinstated'), 200)
  must(fixture, logo('second'), 200)
  must(fixture, { type: 'CurateLogo', slug, curation: 'logo_approved', file: null, logosBase }, 200)
  must(fixture, logo('third'), 200)
  must(fixture, { type: 'CurateLogo', slug, curation: 'logo_rejected', file: null, logosBase }, 200)
  must(fixture, logo('fourth'), 200)
}
