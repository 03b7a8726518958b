// The noun module of merchants' dashboard accounts.
import type { NounModule } from '../noun-module.ts'
import {
  CHANGE_PASSWORD_REJECTIONS,
  CLOSE_DASHBOARD_SESSION_REJECTIONS,
  COUNT_WRONG_PASSWORD_REJECTIONS,
  decideChangePassword,
  decideCloseDashboardSession,
  decideCountWrongPassword,
  decideOpenDashboardSession,
  decideSignUpMerchant,
  OPEN_DASHBOARD_SESSION_REJECTIONS,
  SIGN_UP_MERCHANT_REJECTIONS,
} from './dashboard-decide.ts'
import { DASHBOARD_EVENTS } from './dashboard-evolve.ts'
import { Dashboard } from './dashboard-state.ts'

export const DASHBOARD = {
  state: { name: 'dashboard', create: () => new Dashboard() },
  commands: {
    SignUpMerchant: { decide: decideSignUpMerchant, rejections: SIGN_UP_MERCHANT_REJECTIONS, overBudget: 'counted' },
    OpenDashboardSession: { decide: decideOpenDashboardSession, rejections: OPEN_DASHBOARD_SESSION_REJECTIONS, overBudget: 'counted' },
    CountWrongPassword: { decide: decideCountWrongPassword, rejections: COUNT_WRONG_PASSWORD_REJECTIONS, overBudget: 'counted' },
    CloseDashboardSession: {
      decide: decideCloseDashboardSession,
      rejections: CLOSE_DASHBOARD_SESSION_REJECTIONS,
      overBudget: 'rejected_unchanged',
    },
    ChangePassword: { decide: decideChangePassword, rejections: CHANGE_PASSWORD_REJECTIONS, overBudget: 'counted' },
  },
  events: DASHBOARD_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
