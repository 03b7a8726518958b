// Principals: who calls, as authentication has found. Handlers and guards read them.
import type {
  AccountNumber,
  ActingOperator,
  DashboardSessionRow,
  DashboardUserRow,
  DeviceRow,
  MerchantRow,
  Scope,
  Wallet,
} from '../../engine/api.ts'
import type { Caller } from '../../engine/contract/created-by.ts'
import type { MemberRole } from '../../engine/contract/dashboard.ts'
import type { OperatorRole } from '../../engine/contract/operator.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import type { TimeMs } from '../../engine/kernel/time.ts'

export interface MerchantPrincipal {
  readonly kind: 'merchant'
  readonly merchant: MerchantRow
  readonly environment: Environment
  /** The merchant's ledger account in that environment. */
  readonly account: AccountNumber
  readonly scopes: readonly Scope[]
  /** The key or the member, for `created_by` of what it makes. */
  readonly caller: Caller
  /** Of an API key; absent for a session. */
  readonly publicKey?: string
}

/** A merchant's user with a dashboard session. It has every scope; its role says what it may do. */
export interface SessionPrincipal extends MerchantPrincipal {
  readonly user: DashboardUserRow
  readonly role: MemberRole
  readonly session: DashboardSessionRow
  /** CSRF token that state-changing requests must send. */
  readonly csrfToken: string
}

export interface OperatorPrincipal {
  readonly kind: 'operator'
  readonly operator: ActingOperator
  /** `root` is the holder of OPERATOR_TOKEN, who has every role. */
  readonly role: OperatorRole | 'root'
}

export interface PublicPrincipal {
  readonly kind: 'public'
}

export interface WalletPrincipal {
  readonly kind: 'wallet'
  readonly wallet: Wallet
  readonly account: AccountNumber
  readonly environment: Environment
  /** Device that signed in. The token belongs to its session. */
  readonly device: DeviceRow
  /** Expiry of its token. */
  readonly expiresAtMs: TimeMs
}

/** A caller during sign-up: a verified phone without a wallet. */
export interface SignupPrincipal {
  readonly kind: 'signup'
  readonly tokenHash: string
  readonly environment: Environment
}

/** A caller during login: the one-time code is verified, the PIN is not. */
export interface LoginPrincipal {
  readonly kind: 'login'
  readonly tokenHash: string
  readonly account: AccountNumber
}

/** The holder of an expired token whose key has a stored result. It gets that result only. */
export interface FormerPrincipal {
  readonly kind: 'former'
}

export type Principal =
  | MerchantPrincipal
  | OperatorPrincipal
  | PublicPrincipal
  | WalletPrincipal
  | SignupPrincipal
  | LoginPrincipal
  | FormerPrincipal

/** Returns the id of the API key that the request came with; null for a session. */
export function keyIdOf({ caller }: Pick<MerchantPrincipal, 'caller'>): string | null {
  return caller.kind === 'key' ? caller.id : null
}
