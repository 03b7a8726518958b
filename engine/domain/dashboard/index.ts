// The noun of merchants' dashboard accounts: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import {
  decideChangePassword,
  decideCloseDashboardSession,
  decideCountWrongPassword,
  decideOpenDashboardSession,
  decideSignUpMerchant,
} from './dashboard-decide.ts'
import { DASHBOARD_EVENTS } from './dashboard-evolve.ts'
import { Dashboard } from './dashboard-state.ts'

export const DASHBOARD = {
  state: { name: 'dashboard', create: () => new Dashboard() },
  commands: {
    SignUpMerchant: { decide: decideSignUpMerchant, overBudget: 'counted' },
    OpenDashboardSession: { decide: decideOpenDashboardSession, overBudget: 'counted' },
    CountWrongPassword: { decide: decideCountWrongPassword, overBudget: 'counted' },
    CloseDashboardSession: { decide: decideCloseDashboardSession, overBudget: 'rejected_unchanged' },
    ChangePassword: { decide: decideChangePassword, overBudget: 'counted' },
  },
  events: DASHBOARD_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
