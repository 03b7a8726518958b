// Who an action of an operator is about, by name: the audit trail shows it, and is filtered by it.
import type { AuditSubject } from '../../contract/operator.ts'
import { assert } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { MerchantRow } from '../merchant/merchant-state.ts'
import type { State } from '../state.ts'
import type { Wallet } from '../wallet/wallet-state.ts'
import type { Act } from './operator-decide.ts'

export function merchantSubject({ id, name }: Pick<MerchantRow, 'id' | 'name'>): AuditSubject {
  return { kind: 'merchant', id, name }
}

/** The members of an act on a merchant, in both environments. */
export function aboutMerchant(merchant: Pick<MerchantRow, 'id' | 'name'>): Pick<Act, 'target' | 'subject' | 'environment'> {
  return { target: merchant.id, subject: merchantSubject(merchant), environment: null }
}

/** The merchant with the id, which exists. */
export function subjectOfMerchant({ merchants }: Pick<State, 'merchants'>, merchantId: string): AuditSubject {
  const merchant = merchants.merchants.get(merchantId)
  assert(merchant !== undefined, 'an action is about a merchant that exists')
  return merchantSubject(merchant)
}

/** `name` is the tag, which operators and callers know a wallet by. */
export function walletSubject({ id, tag }: Pick<Wallet, 'id' | 'tag'>): AuditSubject {
  return { kind: 'wallet', id, name: tag }
}

export function operatorSubject({ id, name }: { readonly id: string; readonly name: string }): AuditSubject {
  return { kind: 'operator', id, name }
}

/** The limits or fees of an environment. */
export function rulesSubject(environment: Environment, name: 'limits' | 'fees'): AuditSubject {
  return { kind: 'rules', id: environment, name }
}

/** The merchant or wallet that owns the account. */
export function subjectOfAccount({ merchants, wallets }: Pick<State, 'merchants' | 'wallets'>, account: AccountNumber): AuditSubject {
  const merchant = merchants.byAccount(account)
  if (merchant !== undefined) return merchantSubject(merchant)
  const wallet = wallets.byAccount(account)
  assert(wallet !== undefined, 'an account that an operator moves belongs to a merchant or a wallet')
  return walletSubject(wallet)
}
