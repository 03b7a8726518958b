// What requests about API keys and runs of code must come to.
import type { RuleChange } from '../../../../engine/domain/rules/rules-state.ts'
import type { Verdicts } from '../entry.ts'
import type { Models } from '../models.ts'

/** What the engine's limit is meant to be, written down a second time. */
const KEYS = 100

function ruleVerdict({ accounts, fees }: Models, change: RuleChange): 'invalid_request' | 'not_found' | null {
  if (change.kind === 'limit_rules') return change.rules.default_tier === null ? null : 'invalid_request'
  if (change.kind === 'fee_rules') {
    const { plans, default_plan } = change.rules
    return default_plan === null || plans.some(({ name }) => name === default_plan) ? null : 'invalid_request'
  }
  if (change.kind !== 'fee_plan') return null
  if (accounts.merchant(change.merchant_id) === undefined) return 'not_found'
  return change.plan === null || fees.names(change.environment).includes(change.plan) ? null : 'invalid_request'
}

export const apiKeyVerdicts = (models: Models) => {
  const { accounts, apiKeys } = models
  return {
    CreateApiKey: ({ merchantId }) => {
      if (accounts.merchant(merchantId) === undefined) return 'not_found'
      const own = [...apiKeys.keys.values()].filter((key) => key.merchantId === merchantId)
      return own.length >= KEYS ? 'too_many_api_keys' : null
    },
    RevokeApiKey: ({ merchantId, keyId }) => {
      const isKnown = [...apiKeys.keys.values()].some((key) => key.id === keyId && key.merchantId === merchantId)
      return isKnown ? null : 'not_found'
    },
    SetMerchantLimits: ({ merchantId }) => (accounts.merchant(merchantId) === undefined ? 'not_found' : null),
    SetKeyLimits: ({ merchantId, keyId }) => {
      const isKnown = [...apiKeys.keys.values()].some((key) => key.id === keyId && key.merchantId === merchantId)
      return isKnown ? null : 'not_found'
    },
    SetPayoutPolicy: () => null,
    ChangeRules: ({ change }) => ruleVerdict(models, change),
    NoteKeyUses: () => null,
    RecordCodeRun: () => null,
    EndTrial: () => null,
  } satisfies Verdicts
}
