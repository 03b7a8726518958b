// Examples of the dashboard's routes. A test validates each against its schema.
import type {
  DashboardSession,
  InviteMemberBody,
  ListedApiKey,
  LoginBody,
  Member,
  RecoveryCodes,
  SignedIn,
  SignupBody,
  TotpEnrolment,
} from '../../../engine/contract/dashboard.ts'

export const SIGNUP_REQUEST: SignupBody = {
  merchant_name: 'Boutique Awa',
  email: 'compta@boutique-awa.example',
  password: 'cauris au soleil de midi',
}

export const LOGIN_REQUEST: LoginBody = { email: 'caisse@boutique-awa.example', password: SIGNUP_REQUEST.password }

export const DASHBOARD_SESSION: DashboardSession = {
  id: '019aa0f8-1c00-7e11-8c4d-5e6f708192a3',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  current: true,
  created_at: '2026-11-20T10:00:00.000Z',
  expires_at: '2026-12-04T10:00:00.000Z',
}

export const SIGNED_IN: SignedIn = {
  merchant: {
    id: '019aa0f8-1c00-7e0f-8c4d-5e6f708192a3',
    name: SIGNUP_REQUEST.merchant_name,
    email: SIGNUP_REQUEST.email,
    currency: 'XOF',
    state: 'active',
    activation_state: 'active',
    suspend_reason: null,
    created_at: '2026-11-20T10:00:00.000Z',
  },
  user: {
    id: '019aa0f8-1c00-7e10-8c4d-5e6f708192a3',
    email: SIGNUP_REQUEST.email,
    role: 'owner',
    email_confirmed: true,
    totp_enabled: false,
    created_at: '2026-11-20T10:00:00.000Z',
  },
  session: DASHBOARD_SESSION,
  environment: 'live',
  csrf_token: 'yJ3kQ0m5u3d2p0aVnq1xWc7rT8sZ4bE6gH9iK1lM2oP',
}

export const API_KEY: ListedApiKey = {
  id: '019aa0f8-1c00-7e12-8c4d-5e6f708192a3',
  environment: 'test',
  scopes: ['disbursements.write'],
  label: 'Serveur de paie',
  limits: { payout_max: null, day_max: null },
  public_key: 'pk_test_Zb3kQ0m5u3d2p0aVnq1xWc7r',
  created_at: '2026-11-20T10:00:00.000Z',
  last_used_at: null,
}

export const INVITE_REQUEST: InviteMemberBody = { email: 'caisse@boutique-awa.example', role: 'cashier' }

export const INVITED: Member = {
  id: '019aa0f8-1c00-7e13-8c4d-5e6f708192a3',
  ...INVITE_REQUEST,
  state: 'invited',
  created_at: '2026-11-20T10:00:00.000Z',
}

export const INVITATION_TOKEN = 'invitation_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'
export const RESET_TOKEN = 'reset_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'
export const CONFIRM_TOKEN = 'confirm_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'

export const TOTP_ENROLMENT: TotpEnrolment = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  otpauth_url:
    'otpauth://totp/Cauri:compta%40boutique-awa.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Cauri&algorithm=SHA1&digits=6&period=30',
  qr_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 53 53"></svg>',
}

export const RECOVERY: RecoveryCodes = {
  recovery_codes: [
    'k3x7q-hm2ad',
    'p5vws-3ncjt',
    'u2lrb-7qyef',
    'd6hoi-xz4mk',
    'w3tpa-5snvg',
    'j7ecq-2rbly',
    'm4ufx-ok6hd',
    'z5niw-t3apv',
    'g2sjc-y7qer',
    'b6lkm-4dxuo',
  ],
}
