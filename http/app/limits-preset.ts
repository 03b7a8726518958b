// The setting LIMITS_PRESET: limits that an empty log begins with, in both environments. Later an operator changes them.
import { AUDIT_ACCOUNT, type EngineApi, type Outcome } from '../../engine/api.ts'
import type { LimitRules } from '../../engine/contract/limits.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { ENVIRONMENTS } from '../../engine/kernel/environment.ts'

export const LIMITS_PRESETS = ['none', 'uemoa'] as const

export type LimitsPreset = (typeof LIMITS_PRESETS)[number]

const NO_SENT = { sent_day_max: null, sent_month_max: null } as const

/** Ceilings of electronic money in the UEMOA (BCEAO): without and with an identified holder. */
const UEMOA: LimitRules = {
  wallet_tiers: [
    { name: 'basic', balance_max: 200_000, received_month_max: 200_000, ...NO_SENT },
    { name: 'verified', balance_max: 2_000_000, received_month_max: 10_000_000, ...NO_SENT },
  ],
  default_tier: 'basic',
  merchant: { payout_max: null, payout_day_max: null, charge_max: null, balance_max: null },
}

const SCOPE = 'operator'

/** Sets the limits where the log is empty. The key makes it once, also where several nodes begin on one log. */
export async function openLimitsPreset(engine: Pick<EngineApi, 'submit' | 'query'>, preset: LimitsPreset): Promise<void> {
  if (preset === 'none' || engine.query('engine.figures', null).lastSequence > 0) return
  for (const environment of ENVIRONMENTS) {
    const command = { type: 'ChangeRules', change: { kind: 'limit_rules', environment, currency: 'XOF', rules: UEMOA } } as const
    const idempotency = { scope: SCOPE, key: `limits-preset-${environment}`, fingerprint: preset }
    const outcome = await new Promise<Outcome | null>((settle) => {
      const code = engine.submit({ command, mailbox: AUDIT_ACCOUNT, idempotency }, { settle })
      // A node that does not decide takes no commands; the one that does sets the limits.
      if (code !== null) settle(null)
    })
    assert(outcome === null || outcome.kind === 'ok', 'the preset sets its limits')
  }
}
