// The route table of the operator's desk. Without OPERATOR_TOKEN none of its routes exists.
import type { Route } from '../../server/route.ts'
import { accountRuleForms } from './account-rules.ts'
import { approvalPages } from './approval-pages.ts'
import { auditRoutes } from './audit-routes.ts'
import { billerRoutes } from './biller-routes.ts'
import { clusterRoutes } from './cluster-routes.ts'
import { controlRoutes } from './control-forms.ts'
import { Desk, type DeskParts } from './desk.ts'
import { feeReportPage } from './fee-report-page.ts'
import { fundingRoutes } from './funding-routes.ts'
import { homeRoutes } from './home-routes.ts'
import { ledgerRoutes } from './ledger-routes.ts'
import { loginRoutes } from './login-routes.ts'
import { merchantLimitPages } from './merchant-limits.ts'
import { merchantPageRoutes } from './merchant-page.ts'
import { merchantRoutes } from './merchant-routes.ts'
import { operatorAccountPages } from './operator-account-pages.ts'
import { operatorRequestPages } from './operator-request-pages.ts'
import { planForms } from './plan-form.ts'
import { quotaRoutes } from './quota-routes.ts'
import { requestRoutes } from './request-routes.ts'
import { rulesPages } from './rules-pages.ts'
import { searchRoutes } from './search-routes.ts'
import { tierForms } from './tier-form.ts'
import { noteRoutes } from './timeline-part.ts'
import { walletPageRoutes } from './wallet-page.ts'
import { walletRoutes } from './wallet-routes.ts'

export function operatorPages(parts: DeskParts): readonly Route[] {
  const desk = new Desk(parts)
  return [
    ...loginRoutes(desk),
    ...homeRoutes(desk),
    ...searchRoutes(desk),
    ...billerRoutes(desk),
    ...merchantRoutes(desk),
    ...merchantPageRoutes(desk),
    ...merchantLimitPages(desk),
    ...walletRoutes(desk),
    ...walletPageRoutes(desk),
    ...noteRoutes(desk),
    ...requestRoutes(desk),
    ...controlRoutes(desk),
    ...fundingRoutes(desk),
    ...ledgerRoutes(desk),
    ...rulesPages(desk),
    ...tierForms(desk),
    ...planForms(desk),
    ...feeReportPage(desk),
    ...accountRuleForms(desk),
    ...approvalPages(desk),
    ...operatorAccountPages(desk),
    ...operatorRequestPages(desk),
    ...auditRoutes(desk),
    ...clusterRoutes(desk),
    ...quotaRoutes(desk),
  ]
}
