// The route table: every path and method of the API, in the order in which the document shows them.
import type { House } from '../house.ts'
import { openapiDocument } from '../openapi/openapi.ts'
import { ServedDocument } from '../openapi/served-document.ts'
import type { Route } from '../route.ts'
import { accountRoutes } from './account.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { batchRoutes } from './batches.ts'
import { billPaymentRoutes } from './bill-payments.ts'
import { billerRoutes } from './biller.ts'
import { billerCodeRoutes } from './biller-code.ts'
import { billerProductRoutes } from './biller-products.ts'
import { billRoutes } from './bills.ts'
import { chargeRoutes } from './charges.ts'
import { checkoutRoutes } from './checkout.ts'
import { dashboardRoutes } from './dashboard.ts'
import { deviceRoutes } from './devices.ts'
import { directoryRoutes } from './directory.ts'
import { documentRoutes } from './document.ts'
import { eventRoutes } from './events.ts'
import { healthRoute } from './health.ts'
import { mandateRoutes } from './mandates.ts'
import { meRoutes } from './me.ts'
import { operatorRoutes } from './operator.ts'
import { operatorBillerRoutes } from './operator-billers.ts'
import { operatorLookupRoutes } from './operator-lookups.ts'
import { payoutRoutes } from './payouts.ts'
import { scheduleRoutes } from './schedules.ts'
import { signInRoutes } from './sign-in.ts'
import { signUpRoutes } from './sign-up.ts'
import { streamRoutes } from './stream.ts'
import { testChargeRoutes } from './test-charges.ts'
import { testEnvironmentRoutes } from './test-environment.ts'
import { transferRoutes } from './transfers.ts'
import { walletChargeRoutes } from './wallet-charges.ts'
import { walletMandateRoutes } from './wallet-mandates.ts'
import { webhookRoutes } from './webhooks.ts'

/** `more` are routes of the transport itself (metrics); the document shows them too. */
export function routeTable(house: House, more: readonly Route[] = []): readonly Route[] {
  const document = new ServedDocument(() => openapiDocument(table, house))
  const table: readonly Route[] = [
    ...accountRoutes(house),
    ...chargeRoutes(house),
    ...checkoutRoutes(house),
    ...payoutRoutes(house),
    ...batchRoutes(house),
    ...scheduleRoutes(house),
    ...mandateRoutes(house),
    ...billerRoutes(house),
    ...billerProductRoutes(house),
    ...webhookRoutes(house),
    ...eventRoutes(house),
    ...dashboardRoutes(house),
    ...apiKeyRoutes(house),
    ...signInRoutes(house),
    ...signUpRoutes(house),
    ...meRoutes(house),
    ...deviceRoutes(house),
    ...transferRoutes(house),
    ...walletChargeRoutes(house),
    ...walletMandateRoutes(house),
    ...directoryRoutes(house),
    ...billRoutes(house),
    ...billPaymentRoutes(house),
    ...billerCodeRoutes(house),
    ...streamRoutes(house),
    ...testEnvironmentRoutes(),
    ...testChargeRoutes(house),
    ...operatorRoutes(house),
    ...operatorLookupRoutes(house),
    ...operatorBillerRoutes(house),
    healthRoute(house),
    ...documentRoutes(document),
    ...more,
  ]
  return table
}
