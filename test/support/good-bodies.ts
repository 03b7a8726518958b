// One body for each operation that takes one, right in every field.
import type { JsonObject } from '../../http/openapi/openapi-schemas.ts'
import { TABLE } from './api-document.ts'

const OWN: Readonly<Record<string, JsonObject>> = {
  createMerchant: { name: 'Boutique Awa', email: 'compta@boutique-awa.example', currency: 'XOF' },
  createMerchantApiKey: { environment: 'test', scopes: ['disbursements.write'], label: 'Paie' },
  payTestCharge: { payer_tag: '@awa_diallo' },
  addMerchantNote: { text: 'Appelé.', environment: 'live' },
  addWalletNote: { text: 'Appelé.', environment: 'test' },
  blockWallet: { reason: 'Vol du téléphone', environment: 'test' },
  setWalletTier: { tier: null, environment: 'test', reason: 'Vérifié' },
  setFeePlan: { plan: null, environment: 'test' },
  setFeeRules: { plans: [], default_plan: null },
  setLimitRules: { wallet_tiers: [], default_tier: null },
  showWalletPhone: { reason: 'Rappel', environment: 'test' },
  unblockWallet: { environment: 'test' },
  inviteMember: { email: 'caisse@marche-sandaga.example', role: 'cashier' },
  createWithdrawal: { tag: '@awa', environment: 'test', amount: 1 },
}

/** By operationId, for JSON: one of these, or the example of the document. */
export const GOOD_BODIES: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  TABLE.filter((route) => route.body !== undefined && route.bodyType === undefined).map((route) => {
    const body = OWN[route.operationId] ?? (route.bodyExample as JsonObject | undefined)
    if (body === undefined) throw new Error(`${route.operationId} has no body to start from`)
    return [route.operationId, body]
  }),
)
