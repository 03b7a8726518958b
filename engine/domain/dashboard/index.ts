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
import { DASHBOARD_INDEX_KEYS, DASHBOARD_INDEXED } from './dashboard-index-keys.ts'
import { DASHBOARD_SESSIONS, MEMBERS, RESET_LINKS, SENT_LINKS } from './dashboard-limits.ts'
import { Dashboard } from './dashboard-state.ts'
import {
  ACCEPT_INVITATION_REJECTIONS,
  decideAcceptInvitation,
  decideInviteMember,
  decideRemoveMember,
  INVITE_MEMBER_REJECTIONS,
  REMOVE_MEMBER_REJECTIONS,
} from './member-decide.ts'
import {
  CONFIRM_EMAIL_REJECTIONS,
  decideConfirmEmail,
  decideRequestEmailConfirmation,
  decideRequestPasswordReset,
  decideResetPassword,
  REQUEST_EMAIL_CONFIRMATION_REJECTIONS,
  RESET_PASSWORD_REJECTIONS,
} from './recovery-decide.ts'
import {
  DISABLE_TOTP_REJECTIONS,
  decideDisableTotp,
  decideEnableTotp,
  decideEnrolTotp,
  decideRenewRecoveryCodes,
  decideResetTotp,
  ENABLE_TOTP_REJECTIONS,
  ENROL_TOTP_REJECTIONS,
  RESET_TOTP_REJECTIONS,
} from './totp-decide.ts'

export const DASHBOARD = {
  state: { name: 'dashboard', create: (shared) => new Dashboard(shared) },
  quotas: [DASHBOARD_SESSIONS, MEMBERS, RESET_LINKS, SENT_LINKS],
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
    InviteMember: { decide: decideInviteMember, rejections: INVITE_MEMBER_REJECTIONS, overBudget: 'rejected' },
    AcceptInvitation: { decide: decideAcceptInvitation, rejections: ACCEPT_INVITATION_REJECTIONS, overBudget: 'counted' },
    RemoveMember: { decide: decideRemoveMember, rejections: REMOVE_MEMBER_REJECTIONS, overBudget: 'rejected_unchanged' },
    RequestPasswordReset: { decide: decideRequestPasswordReset, rejections: [], overBudget: 'counted' },
    ResetPassword: { decide: decideResetPassword, rejections: RESET_PASSWORD_REJECTIONS, overBudget: 'counted' },
    RequestEmailConfirmation: {
      decide: decideRequestEmailConfirmation,
      rejections: REQUEST_EMAIL_CONFIRMATION_REJECTIONS,
      overBudget: 'rejected',
    },
    ConfirmEmail: { decide: decideConfirmEmail, rejections: CONFIRM_EMAIL_REJECTIONS, overBudget: 'counted' },
    EnrolTotp: { decide: decideEnrolTotp, rejections: ENROL_TOTP_REJECTIONS, overBudget: 'rejected' },
    EnableTotp: { decide: decideEnableTotp, rejections: ENABLE_TOTP_REJECTIONS, overBudget: 'counted' },
    ResetTotp: { decide: decideResetTotp, rejections: RESET_TOTP_REJECTIONS, overBudget: 'counted' },
    RenewRecoveryCodes: { decide: decideRenewRecoveryCodes, rejections: DISABLE_TOTP_REJECTIONS, overBudget: 'counted' },
    DisableTotp: { decide: decideDisableTotp, rejections: DISABLE_TOTP_REJECTIONS, overBudget: 'counted' },
  },
  events: DASHBOARD_EVENTS,
  indexKeys: DASHBOARD_INDEX_KEYS,
  indexed: DASHBOARD_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
