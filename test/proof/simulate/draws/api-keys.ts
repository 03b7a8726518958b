// Requests about API keys, and reports of runs of code.

import type { FeeRule } from '../../../../engine/contract/fees.ts'
import type { Command, CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { Models } from '../models.ts'
import { environment, merchant, merchantAccount } from './pick.ts'

function report({ prng }: Drawing) {
  const run = { product: prng.pick(['facture', 'don']), kind: 'lookup', test: false, ok: true, error: null, duration_ms: 15 } as const
  return { ...run, fetches: [{ method: 'GET', host: 'api.example', status: 200, duration_ms: 3 }], logs: ['é\n'] }
}

const KINDS = ['payout', 'charge', 'bill', 'transfer', 'withdrawal'] as const

function feeRule({ prng }: Drawing, on: (typeof KINDS)[number]): FeeRule {
  const min = prng.chance(0.3) ? { min: prng.below(20) } : {}
  const max = prng.chance(0.3) ? { max: 20 + prng.below(100) } : {}
  return { on, percent_bp: prng.below(400), fixed: prng.below(10), ...min, ...max, borne_by: prng.pick(['merchant', 'payer']) }
}

function changeOfFees(models: Models, drawing: Drawing): Command | null {
  const { prng } = drawing
  const of = environment(drawing)
  if (prng.chance(0.25)) {
    const merchant_id = prng.chance(0.05) ? 'ghost' : merchant(models, drawing)?.id
    if (merchant_id === undefined) return null
    const plan = prng.chance(0.2) ? null : prng.chance(0.05) ? 'ghost' : (recent(prng, models.fees.names(of)) ?? null)
    return { type: 'ChangeRules', change: { kind: 'fee_plan', environment: of, merchant_id, plan } }
  }
  const plans = ['one', 'two'].slice(0, 1 + prng.below(2)).map((name) => {
    return { name, rules: KINDS.filter(() => prng.chance(0.9)).map((on) => feeRule(drawing, on)), refund_fees: prng.chance(0.8) }
  })
  const default_plan = prng.chance(0.05) ? 'ghost' : prng.chance(0.9) ? 'one' : null
  return { type: 'ChangeRules', change: { kind: 'fee_rules', environment: of, currency: 'XOF', rules: { plans, default_plan } } }
}

/** Mostly none: a limit stops every larger payout of all merchants. */
function changeOfRules({ prng }: Drawing): Command {
  const merchant = { payout_max: prng.chance(0.7) ? null : prng.below(2000), payout_day_max: null, charge_max: null, balance_max: null }
  const rules = { wallet_tiers: [], default_tier: prng.chance(0.2) ? 'ghost' : null, merchant }
  return { type: 'ChangeRules', change: { kind: 'limit_rules', environment: prng.pick(['test', 'live']), currency: 'XOF', rules } }
}

export const apiKeyDraws = (models: Models) =>
  ({
    CreateApiKey: (drawing) => {
      const { prng } = drawing
      const merchantId = prng.chance(0.03) ? 'ghost' : merchant(models, drawing)?.id
      if (merchantId === undefined) return null
      const key = { environment: environment(drawing), label: '', publicKey: drawing.name('pk_'), secretHash: 'ab'.repeat(32) }
      return {
        ...{ type: 'CreateApiKey', merchantId, ...key, scopes: [] },
        sealedSecret: 'sealed:v1:key',
        by: prng.pick(['operator', 'dashboard']),
        madeBy: prng.chance(0.5) ? null : (recent(prng, models.members.ofMerchant(merchantId))?.id ?? null),
      }
    },
    RevokeApiKey: (drawing) => {
      const key = recent(drawing.prng, [...models.apiKeys.keys.values()])
      if (key === undefined) return null
      return {
        type: 'RevokeApiKey',
        merchantId: key.merchantId,
        keyId: drawing.prng.chance(0.1) ? 'ghost' : key.id,
        by: drawing.prng.pick(['operator', 'dashboard']),
      }
    },
    SetMerchantLimits: (drawing) => {
      const { prng } = drawing
      const merchantId = prng.chance(0.03) ? 'ghost' : merchant(models, drawing)?.id
      if (merchantId === undefined) return null
      const number = (): number | null => (prng.chance(0.2) ? null : 1 + prng.below(5))
      const limits = {
        ...(prng.chance(0.8) ? { unknown_recipients: number() } : {}),
        ...(prng.chance(0.5) ? { unknown_recipients_per_minute: number() } : {}),
      }
      return { type: 'SetMerchantLimits', merchantId, limits }
    },
    SetKeyLimits: ({ prng }) => {
      const key = recent(prng, [...models.apiKeys.keys.values()])
      if (key === undefined) return null
      const limits = {
        payout_max: prng.chance(0.3) ? null : 100 + prng.below(400),
        day_max: prng.chance(0.3) ? null : prng.below(4000) + 1,
      }
      return { type: 'SetKeyLimits', merchantId: key.merchantId, keyId: prng.chance(0.1) ? 'ghost' : key.id, limits }
    },
    SetPayoutPolicy: (drawing) => {
      const merchant = merchantAccount(models, drawing)
      const { prng } = drawing
      // Mostly none: a policy stops every larger payout of the merchant.
      return merchant === undefined
        ? null
        : { type: 'SetPayoutPolicy', merchant, approvalAbove: prng.chance(0.6) ? null : prng.below(2000) }
    },
    ChangeRules: (drawing) => (drawing.prng.chance(0.3) ? changeOfRules(drawing) : changeOfFees(models, drawing)),
    NoteKeyUses: ({ prng }) => ({
      type: 'NoteKeyUses',
      publicKeys: ['pk_ghost', ...[...models.apiKeys.keys.keys()].filter(() => prng.chance(0.5))],
    }),
    RecordCodeRun: (drawing) => {
      const account = merchantAccount(models, drawing)
      return account === undefined ? null : { type: 'RecordCodeRun', merchant: account, run: report(drawing) }
    },
    EndTrial: (drawing) => {
      const account = merchantAccount(models, drawing)
      if (account === undefined) return null
      const run = drawing.prng.chance(0.5) ? report(drawing) : null
      return { type: 'EndTrial', merchant: account, run, requestId: 'req_1', answer: '{"ok":true}' }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
