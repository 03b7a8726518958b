// What requests about API keys and runs of code must come to.
import type { Verdicts } from '../entry.ts'
import type { Models } from '../models.ts'

/** What the engine's limit is meant to be, written down a second time. */
const KEYS = 100

export const apiKeyVerdicts = ({ accounts, apiKeys }: Models) =>
  ({
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
    ChangeRules: ({ change }) => (change.kind === 'limit_rules' && change.rules.default_tier !== null ? 'invalid_request' : null),
    NoteKeyUses: () => null,
    RecordCodeRun: () => null,
    EndTrial: () => null,
  }) satisfies Verdicts
