// Fills Cauri's data folder before a run by ordinary commands: merchants with keys and funds, wallets, and on request a tail of payouts
// after the snapshot.
import { hash } from 'node:crypto'
import type { Engine } from '../../engine/actor/engine.ts'
import type { Envelope, Outcome } from '../../engine/actor/envelope.ts'
import type { BatchLine } from '../../engine/contract/batch-line.ts'
import type { Command } from '../../engine/domain/command.ts'
import { AUDIT_ACCOUNT } from '../../engine/domain/operator/operator-decide.ts'
import { AMOUNT_MAX } from '../../engine/kernel/amount.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { Seal } from '../../http/crypto/seal.ts'
import { fingerprintOf } from '../../http/server/fingerprint.ts'
import { BATCH_LINES, MERCHANT_FUNDS, type MerchantKeys, PAID, PAYOUT, walletTag } from '../load/population.ts'
import { OfflineEngine, type OfflineOptions } from './offline-engine.ts'

export interface Population {
  readonly dataDir: string
  readonly masterKey: Uint8Array
  readonly merchants: readonly MerchantKeys[]
  /** Tags and live phones are counted up from 0. */
  readonly wallets: number
}

/** Fills a new folder. Its snapshot is current when it is closed. */
export function fillDataFolder({ dataDir, masterKey, merchants, wallets }: Population): Promise<void> {
  return OfflineEngine.using({ dataDir, snapshot: 'fresh' }, async (offline) => {
    const ids: string[] = []
    const keepId = ({ body }: Outcome): boolean => ids.push((JSON.parse(body) as { id: string }).id) > 0
    await offline.runAll(forOperator(merchants, createMerchant), keepId)
    const seal = new Seal(masterKey)
    await offline.runAll(forOperator(merchants, (keys, index) => createApiKey(keys, ids[index] as string, seal)))
    await offline.runAll(forOperator(ids, deposit))
    await offline.runAll(forOperator({ length: wallets }, (_, index) => createWallet(index)))
  })
}

/** Limits that every movement is asked for and none reaches, and on request a fee of every payout. */
export function addRules(dataDir: string, what: 'limits' | 'limits and fees'): Promise<void> {
  const far = 1000 * AMOUNT_MAX
  const tier = { name: 'bench', balance_max: far, received_month_max: far, sent_day_max: far, sent_month_max: far }
  const merchant = { payout_max: far, payout_day_max: far, charge_max: far, balance_max: far }
  const fee = { on: 'payout', percent_bp: 0, fixed: 1, borne_by: 'merchant' } as const
  const scope = { environment: 'live', currency: 'XOF' } as const
  const limits: Command = {
    type: 'ChangeRules',
    change: { kind: 'limit_rules', ...scope, rules: { wallet_tiers: [tier], default_tier: tier.name, merchant } },
  }
  const plans = [{ name: 'bench', rules: [fee], refund_fees: false }]
  const fees: Command = { type: 'ChangeRules', change: { kind: 'fee_rules', ...scope, rules: { plans, default_plan: 'bench' } } }
  return OfflineEngine.using({ dataDir, snapshot: 'fresh' }, (offline) =>
    offline.runAll(forOperator(what === 'limits' ? [limits] : [limits, fees], (command) => command)),
  )
}

export interface Tail {
  readonly dataDir: string
  readonly merchants: readonly MerchantKeys[]
  readonly wallets: number
  readonly payouts: number
}

/** Adds single payouts, each with its idempotency key, spread over merchants and wallets. Returns their bytes in the log. */
export function addTail(tail: Tail, snapshot: OfflineOptions['snapshot'] = 'frozen'): Promise<number> {
  return OfflineEngine.using({ dataDir: tail.dataDir, snapshot }, async (offline) => {
    const { engine } = offline
    const accounts = tail.merchants.map((keys) => accountOf(engine, keys))
    await offline.runAll(payouts(accounts, tail), ({ body }) => body.includes(PAID.bodyText))
    return engine.figures.flushedBytes
  })
}

/** Values in a history for list filters, beside the merchant, the recipient and the time. */
const HISTORY = { references: 1000, linesPerFailure: 100, unknownRecipient: 'nobody_at_all' } as const

/** Maximum of pending payout batches. Each costs as much as five hundred commands. */
const BATCHES_UNDER_WAY = 16

/** Adds payouts by batches of 500, spread over merchants, wallets and references, some of them failed. `fresh`: the snapshot is then current. */
export function addHistory(history: Tail, snapshot: OfflineOptions['snapshot'] = 'fresh'): Promise<void> {
  return OfflineEngine.using({ dataDir: history.dataDir, snapshot }, async (offline) => {
    const accounts = history.merchants.map((keys) => accountOf(offline.engine, keys))
    await offline.runAll(batches(accounts, history), () => true, BATCHES_UNDER_WAY)
  })
}

function* batches(accounts: readonly AccountNumber[], { wallets, payouts: count }: Tail): Generator<Envelope> {
  for (let done = 0; done < count; done += BATCH_LINES) {
    const merchant = accounts[(done / BATCH_LINES) % accounts.length] as AccountNumber
    const lines = Array.from({ length: Math.min(BATCH_LINES, count - done) }, (_, index) => historyLine(done + index, wallets))
    yield { command: { type: 'CreateBatch', merchant, lines, reference: '', scheduleId: null }, mailbox: merchant, idempotency: null }
  }
}

function historyLine(number: number, wallets: number): BatchLine {
  const isFailure = number % HISTORY.linesPerFailure === 0
  const recipient = isFailure ? HISTORY.unknownRecipient : walletTag((number * WALLET_STEP) % wallets)
  return { recipient, amount: 1, reference: `R${number % HISTORY.references}`, note: '', fault: null }
}

function accountOf({ state }: Engine, { publicKey }: MerchantKeys): AccountNumber {
  const key = state.merchants.apiKeys.get(publicKey)
  const merchant = key === undefined ? undefined : state.merchants.merchants.get(key.merchant_id)
  if (merchant === undefined) throw new Error('the folder was filled for other merchants')
  return merchant.accounts.live
}

function* forOperator<Item>(items: ArrayLike<Item>, commandFor: (item: Item, index: number) => Command): Generator<Envelope> {
  for (let index = 0; index < items.length; index++) {
    yield { command: commandFor(items[index] as Item, index), mailbox: AUDIT_ACCOUNT, idempotency: null }
  }
}

function createMerchant(_keys: MerchantKeys, index: number): Command {
  return { type: 'CreateMerchant', name: `Marchand ${index}`, email: `marchand-${index}@example.com` }
}

function createApiKey({ publicKey, secretKey }: MerchantKeys, merchantId: string, seal: Seal): Command {
  return {
    type: 'CreateApiKey',
    merchantId,
    environment: 'live',
    scopes: ['disbursements.write', 'billers.write'],
    label: 'Bench',
    publicKey,
    secretHash: hash('sha256', secretKey, 'hex'),
    sealedSecret: seal.seal('secret_key', secretKey),
    by: 'operator',
  }
}

function deposit(merchantId: string): Command {
  return { type: 'Deposit', target: { merchantId }, environment: 'live', amount: MERCHANT_FUNDS, reference: 'BENCH', by: 'operator' }
}

function createWallet(index: number): Command {
  return { type: 'CreateWallet', phone: walletPhone(index), tag: walletTag(index), familyName: 'Diallo', givenName: 'Awa' }
}

/** Returns the phone of a live wallet, E.164. */
export function walletPhone(index: number): string {
  return `+2217${String(index).padStart(8, '0')}`
}

/** Coprime to a round number of wallets: the steps visit all wallets, in an order that does not help a cache. */
const WALLET_STEP = 7919

function* payouts(accounts: readonly AccountNumber[], { wallets, payouts: count }: Tail): Generator<Envelope> {
  const { amount, reference } = PAYOUT
  for (let index = 0; index < count; index++) {
    const merchant = accounts[index % accounts.length] as AccountNumber
    const recipient = walletTag((index * WALLET_STEP) % wallets)
    const body = Buffer.from(JSON.stringify({ recipient: `@${recipient}`, amount, reference }))
    yield {
      command: { type: 'CreatePayout', merchant, recipient, amount, reference, note: '' },
      mailbox: merchant,
      idempotency: {
        scope: String(merchant),
        key: `tail-${String(index).padStart(19, '0')}`,
        fingerprint: fingerprintOf('POST', '/v1/biz/payouts', body),
      },
    }
  }
}
