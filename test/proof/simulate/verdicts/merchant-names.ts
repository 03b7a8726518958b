// What requests about the account of a merchant must come to.
import type { Verdicts } from '../entry.ts'
import type { Models } from '../models.ts'

export const merchantNameVerdicts = ({ accounts, merchantLogos, merchantNames }: Models) => {
  const known = (merchantId: string) => (accounts.merchant(merchantId) === undefined ? 'not_found' : null)
  return {
    SetMerchantAccount: ({ merchantId }) => known(merchantId),
    ApproveMerchantName: ({ merchantId, name }) =>
      known(merchantId) ?? (merchantNames.waiting(merchantId) === name ? null : 'request_not_open'),
    RefuseMerchantName: ({ merchantId }) =>
      known(merchantId) ?? (merchantNames.waiting(merchantId) === undefined ? 'request_not_open' : null),
    SetMerchantLogo: ({ merchantId }) => known(merchantId),
    ReviewMerchantLogo: ({ merchantId, decision }) => {
      const waits = merchantLogos.waiting(merchantId)
      const isSeen = waits !== undefined && (!decision.approved || decision.file === waits)
      return known(merchantId) ?? (isSeen ? null : 'request_not_open')
    },
  } satisfies Verdicts
}
