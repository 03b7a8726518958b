// What the pages of the dashboard use of the server, beside the routes of the API.
import type { EngineApi } from '../../../../engine/api.ts'
import type { KeptCurrencies } from '../../../../engine/kernel/currency.ts'
import type { DisbursementRoutesParts } from '../../../api/disbursements/disbursement-reading-routes.ts'
import type { MerchantStreamRoutesParts } from '../../../api/stream/merchant-stream-routes.ts'
import type { TopUpRoutesParts } from '../../../api/top-ups/top-up-routes.ts'
import type { DashboardAccess } from '../../../auth/dashboard/dashboard-access.ts'
import type { DocumentSettings } from '../../../openapi/openapi.ts'

/** Its members are read when a handler runs. */
export interface DashboardApp
  extends DocumentSettings,
    MerchantStreamRoutesParts,
    DisbursementRoutesParts,
    Pick<TopUpRoutesParts, 'topUpInstructions'> {
  readonly engine: Pick<EngineApi, 'query' | 'whenDurable'>
  /** The setting CURRENCIES. */
  readonly currencies: KeptCurrencies
  /** Sign-in of the dashboard. */
  readonly dashboard: Pick<
    DashboardAccess,
    'sessions' | 'logIn' | 'logInByStep' | 'isOpenLink' | 'signUp' | 'takesSignups' | 'changes' | 'acceptInvitation' | 'secondFactors'
  >
}
