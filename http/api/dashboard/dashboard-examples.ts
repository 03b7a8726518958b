// Examples of the dashboard's routes. A test validates each against its schema.
import type { DashboardSession, ListedApiKey, LoginBody, SignedIn, SignupBody } from '../../../engine/contract/dashboard.ts'

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
    created_at: '2026-11-20T10:00:00.000Z',
  },
  user: { id: '019aa0f8-1c00-7e10-8c4d-5e6f708192a3', email: SIGNUP_REQUEST.email, created_at: '2026-11-20T10:00:00.000Z' },
  session: DASHBOARD_SESSION,
  environment: 'live',
  csrf_token: 'yJ3kQ0m5u3d2p0aVnq1xWc7rT8sZ4bE6gH9iK1lM2oP',
}

export const API_KEY: ListedApiKey = {
  id: '019aa0f8-1c00-7e12-8c4d-5e6f708192a3',
  environment: 'test',
  scopes: ['disbursements.write'],
  label: 'Serveur de paie',
  public_key: 'pk_test_Zb3kQ0m5u3d2p0aVnq1xWc7r',
  created_at: '2026-11-20T10:00:00.000Z',
  last_used_at: null,
}
