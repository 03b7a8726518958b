// Warnings about production settings that are unsafe or disable a feature, with the remedy. Faults that stop a start
// are in settings.ts.

import { type ConnectionSafety, safetyOf } from '../../wal/log/postgres-hosts.ts'
import { isLoopbackHost } from '../server/remote-address.ts'
import type { Settings } from './settings.ts'

/** A variable and a sentence for the operator's log. */
export interface SettingWarning {
  readonly variable: string
  readonly text: string
}

/** Returns the warnings; none in development, where everything is on one machine. */
export function settingWarnings({
  mode,
  baseUrl,
  checkoutBase,
  smsUrl,
  pushUrl,
  emailUrl,
  firebase,
  proxyHops,
  wal,
}: Settings): readonly SettingWarning[] {
  if (mode === 'development') return []
  const warnings: SettingWarning[] = []
  const warn = (variable: string, text: string): number => warnings.push({ variable, text })
  if (baseUrl === null)
    warn(
      'BASE_URL',
      'BASE_URL is not set: links for customers and merchants work on this machine alone. Set it to the public https address.',
    )
  else if (isPlainHttp(baseUrl)) warn('BASE_URL', `BASE_URL ${PLAIN_HTTP}`)
  if (checkoutBase !== null && isPlainHttp(checkoutBase)) warn('CHECKOUT_BASE', `CHECKOUT_BASE ${PLAIN_HTTP}`)
  if (smsUrl === null)
    warn('SMS_URL', `SMS_URL is not set: no text message leaves. ${firebase === null ? SMS_MISSING : SMS_MISSING_WITH_FIREBASE}`)
  if (pushUrl === null)
    warn('PUSH_URL', 'PUSH_URL is not set: no push leaves. Wallets are not notified of money received or of mandate requests.')
  if (emailUrl === null)
    warn(
      'EMAIL_URL',
      'EMAIL_URL is not set: no e-mail leaves. Users of the dashboard cannot reset a password or accept an invitation, and an approved operator gets no token.',
    )
  if (wal.kind === 'postgres') {
    const text = POSTGRES_TEXTS[safetyOf(wal.hosts)]
    if (text !== null) warn('WAL_POSTGRES_URL', `WAL_POSTGRES_URL ${text}`)
  }
  if (proxyHops === 0) warn('PROXY_HOPS', `PROXY_HOPS ${NO_PROXY}`)
  return warnings
}

const PLAIN_HTTP =
  'is an http address: PINs and passwords travel unencrypted, and browsers do not keep the dashboard session. Put TLS in front of the server and set the https address.'
const POSTGRES_TEXTS: Readonly<Record<ConnectionSafety, string | null>> = {
  plain:
    'is without TLS: payments, personal data and the password of PostgreSQL travel unencrypted between machines. Add ?sslmode=verify-full, and &sslrootcert=FILE for an authority of your own.',
  unverified:
    'is with sslmode=no-verify: another server could answer in place of PostgreSQL. Use sslmode=verify-full, and sslrootcert=FILE for an authority of your own.',
  verified: null,
  local: null,
}
/** Warning about the native parser; see http-server.ts. */
const NO_PROXY =
  'is 0: no reverse proxy is declared. The server alone does not see bytes beyond ASCII at the ends of an Idempotency-Key, so two keys that differ in them alone are one. Put a proxy with the settings of the README in front, and declare it.'
const SMS_MISSING = 'Live wallets cannot sign up or sign in, and customers cannot pay or approve mandates on the web pages.'
const SMS_MISSING_WITH_FIREBASE =
  'Live wallets sign in by FIREBASE_PROJECT_ID alone, and customers cannot pay or approve mandates on the web pages.'

/** Returns whether a URL is plain HTTP. Browsers treat loopback as secure. */
function isPlainHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !isLoopbackHost(hostname)
}
