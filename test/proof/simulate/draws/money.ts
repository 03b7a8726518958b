// Requests that move money at once: payouts, batches, transfers, deposits and withdrawals of operators.

import type { CommandType } from '../../../../engine/domain/command.ts'
import type { FundingTarget } from '../../../../engine/domain/funding/funding-decide.ts'
import { readBatchLines } from '../../../support/batch-lines.ts'
import type { Draw, Drawing } from '../entry.ts'
import { WALLET_MAX } from '../models/accounts.ts'
import type { Models } from '../models.ts'
import { affordable, amount, apiKey, environment, merchant, merchantAccount, payer, recipient, text, wallet } from './pick.ts'

const LINES_MAX = 500
/** Their deliveries to one endpoint are opened by turns. */
const FAN_OUT_LINES = 300
/** Above, two operators move money. */
const TWO_ABOVE = 500
/** The same for the sum of a day. */
const TWO_ABOVE_DAY = 2000

function target(models: Models, drawing: Drawing, of: 'live' | 'test'): FundingTarget | null {
  const { prng } = drawing
  const found = prng.chance(0.5) ? wallet(models, drawing, of) : undefined
  if (found !== undefined) return { tag: found.tag }
  const id = prng.chance(0.03) ? 'ghost' : merchant(models, drawing)?.id
  return id === undefined ? null : { merchantId: id }
}

/** Now and then what a wallet lacks to its maximum, nearly. */
function depositOf({ accounts }: Models, drawing: Drawing, to: FundingTarget, of: 'live' | 'test'): number {
  const { prng } = drawing
  const filled = 'tag' in to ? accounts.wallet(of, to.tag) : undefined
  if (filled === undefined || !prng.chance(0.05)) return amount(drawing) * prng.pick([1, 100])
  return Math.max(1, WALLET_MAX - accounts.account(filled.account).balance - prng.below(200))
}

function funding(models: Models, type: 'Deposit' | 'Withdraw'): Draw {
  return (drawing) => {
    const of = environment(drawing)
    const found = target(models, drawing, of)
    if (found === null) return null
    const { prng } = drawing
    const by = prng.chance(0.8) ? 'operator' : 'test_helper'
    const helper = by === 'test_helper' && prng.chance(0.5) ? models.accounts.merchants[0]?.test : undefined
    const two = {
      ...(prng.chance(0.3) ? { secondPersonAbove: TWO_ABOVE } : {}),
      ...(prng.chance(0.3) ? { secondPersonAboveDay: TWO_ABOVE_DAY } : {}),
    }
    const sum = type === 'Deposit' ? depositOf(models, drawing, found, of) : amount(drawing)
    const about = { target: found, environment: of, amount: sum, reference: text(drawing), by, ...two } as const
    return helper === undefined ? { type, ...about } : { type, ...about, helper }
  }
}

/** A tag that no wallet has. */
function guessed({ prng }: Drawing): string {
  return `guess_${prng.below(1_000_000)}`
}

function batch(models: Models, type: 'CreateBatch' | 'DryRunBatch'): Draw {
  return (drawing) => {
    const { prng } = drawing
    const followed = [...models.outboxes.endpoints.values()]
      .filter(({ status }) => status === 'enabled')
      .map((endpoint) => endpoint.account)
    const isFollowed = followed.length > 0 && prng.chance(0.8)
    const account = isFollowed ? prng.pick(followed) : merchantAccount(models, drawing)
    if (account === undefined) return null
    const of = models.accounts.account(account).environment
    const count = prng.chance(isFollowed ? 0.6 : 0.02) ? prng.pick([FAN_OUT_LINES, LINES_MAX]) : 1 + prng.below(8)
    // Some guess: they use up the budget of unknown recipients.
    const isGuessed = prng.chance(0.15)
    const items = Array.from({ length: count }, () => ({
      recipient: prng.chance(0.05) ? prng.pick(['', 'é', 7]) : isGuessed ? guessed(drawing) : recipient(models, drawing, of),
      amount: prng.chance(0.05) ? prng.pick([0, -5, 1.5, '3']) : amount(drawing),
      reference: text(drawing),
      note: text(drawing),
    }))
    return {
      type,
      merchant: account,
      lines: readBatchLines(items),
      reference: text(drawing),
      scheduleId: null,
      keyId: apiKey(models, drawing),
    }
  }
}

function decided(models: Models, { prng }: Drawing): string {
  const all = [...models.money.approvals.values()]
  const waiting = all.filter(({ state }) => state === 'waiting')
  const from = waiting.length > 0 && prng.chance(0.85) ? waiting : all
  return from.length === 0 ? 'ghost' : prng.pick(from).id
}

export const moneyDraws = (models: Models) =>
  ({
    Deposit: funding(models, 'Deposit'),
    Withdraw: funding(models, 'Withdraw'),
    CreatePayout: (drawing) => {
      const account = merchantAccount(models, drawing)
      if (account === undefined) return null
      const of = models.accounts.account(account).environment
      const about = { recipient: recipient(models, drawing, of), amount: amount(drawing), reference: text(drawing), note: text(drawing) }
      return { type: 'CreatePayout', merchant: account, ...about, keyId: apiKey(models, drawing) }
    },
    CreateBatch: batch(models, 'CreateBatch'),
    DryRunBatch: batch(models, 'DryRunBatch'),
    CheckRecipient: (drawing) => {
      const account = merchantAccount(models, drawing)
      if (account === undefined) return null
      return {
        type: 'CheckRecipient',
        merchant: account,
        recipient: drawing.prng.chance(0.3) ? guessed(drawing) : recipient(models, drawing, models.accounts.account(account).environment),
      }
    },
    CreateTransfer: (drawing) => {
      const sender = payer(models, drawing)
      if (sender === undefined) return null
      const to = drawing.prng.chance(0.05) ? 'ghost' : (wallet(models, drawing, sender.environment)?.tag ?? 'ghost')
      const sum = affordable(models, drawing, sender.account)
      return { type: 'CreateTransfer', sender: sender.account, recipient: to, amount: sum, note: text(drawing) }
    },
    ApproveMovement: (drawing) => ({ type: 'ApproveMovement', id: decided(models, drawing) }),
    RefuseMovement: (drawing) => ({ type: 'RefuseMovement', id: decided(models, drawing), reason: 'Non.' }),
  }) satisfies Partial<Record<CommandType, Draw>>
