// Calls of the simulated phone to the API, in the order in which an app makes them.

import type { LoginGrant, Session, SignupGrant } from '../../../engine/contract/auth.ts'
import type { Balance } from '../../../engine/contract/balance.ts'
import type { Checkout, CheckoutQr, PaidCharge, ScannedCharge } from '../../../engine/contract/checkout.ts'
import type { MyLimits } from '../../../engine/contract/limits.ts'
import type { Ticket } from '../../../engine/contract/stream.ts'
import type { Transaction as StatementLine } from '../../../engine/contract/transaction.ts'
import type { ApiAnswer, ApiCalls, ApiRequest } from '../shared/api-calls.ts'
import { STATEMENT_SHOWN_MAX } from './dev-limits.ts'
import type { PhoneSession } from './phone-progress.ts'

type From = ApiRequest['from']

/** The phone's device, as the API sees it. */
const DEVICE = { id: 'telephone-simule', name: 'Téléphone simulé', platform: 'web' }

export class PhoneCalls {
  readonly #api: ApiCalls

  constructor(api: ApiCalls) {
    this.#api = api
  }

  startPhone(from: From, phone: string, purpose: 'signup' | 'login'): Promise<ApiAnswer<object>> {
    return this.#api.ask({ operationId: 'startPhone', as: null, body: { phone, purpose }, from })
  }

  /** Returns the token of the next step. */
  async showCode(from: From, phone: string, purpose: 'signup' | 'login', code: string): Promise<ApiAnswer<string>> {
    const answer = await this.#api.ask<SignupGrant | LoginGrant>({
      operationId: 'verifyPhone',
      as: null,
      body: { phone, code, purpose },
      from,
    })
    if (!answer.ok) return answer
    return { ...answer, body: 'signup_token' in answer.body ? answer.body.signup_token : answer.body.login_token }
  }

  logIn(from: From, loginToken: string, pin: string): Promise<ApiAnswer<Session>> {
    return this.#api.ask({ operationId: 'verifyPin', as: { bearer: loginToken }, body: { pin, device: DEVICE }, from })
  }

  setIdentity(
    from: From,
    signupToken: string,
    names: { readonly given_name: string; readonly family_name: string },
  ): Promise<ApiAnswer<object>> {
    return this.#api.ask({ operationId: 'setIdentity', as: { bearer: signupToken }, body: names, from })
  }

  setTag(from: From, signupToken: string, tag: string): Promise<ApiAnswer<object>> {
    return this.#api.ask({ operationId: 'setTag', as: { bearer: signupToken }, body: { tag }, from })
  }

  setPin(from: From, signupToken: string, pin: string): Promise<ApiAnswer<Session>> {
    return this.#api.ask({ operationId: 'setPin', as: { bearer: signupToken }, body: { pin, device: DEVICE }, from })
  }

  logOut(from: From, { accessToken }: PhoneSession): Promise<ApiAnswer<object>> {
    return this.#api.ask({ operationId: 'logOut', as: { bearer: accessToken }, from })
  }

  balance(from: From, { accessToken }: PhoneSession): Promise<ApiAnswer<Balance>> {
    return this.#api.ask({ operationId: 'getMyBalance', as: { bearer: accessToken }, from })
  }

  limits(from: From, { accessToken }: PhoneSession): Promise<ApiAnswer<MyLimits>> {
    return this.#api.ask({ operationId: 'getMyLimits', as: { bearer: accessToken }, from })
  }

  statement(from: From, { accessToken }: PhoneSession): Promise<ApiAnswer<{ readonly data: readonly StatementLine[] }>> {
    const query = { limit: String(STATEMENT_SHOWN_MAX) }
    return this.#api.ask({ operationId: 'listMyTransactions', as: { bearer: accessToken }, query, from })
  }

  ticket(from: From, { accessToken }: PhoneSession): Promise<ApiAnswer<Ticket>> {
    return this.#api.ask({ operationId: 'createStreamTicket', as: { bearer: accessToken }, from })
  }

  /** Returns the current QR code of the checkout page. */
  qr(from: From, token: string): Promise<ApiAnswer<CheckoutQr>> {
    return this.#api.ask({ operationId: 'getCheckoutQr', as: null, params: [token], from })
  }

  checkout(from: From, token: string): Promise<ApiAnswer<Checkout>> {
    return this.#api.ask({ operationId: 'getCheckout', as: null, params: [token], from })
  }

  scan(from: From, { accessToken }: PhoneSession, payload: string): Promise<ApiAnswer<ScannedCharge>> {
    return this.#api.ask({ operationId: 'scanCharge', as: { bearer: accessToken }, body: { payload }, from })
  }

  pay(from: From, { accessToken }: PhoneSession, token: string, pin: string, idempotencyKey: string): Promise<ApiAnswer<PaidCharge>> {
    return this.#api.ask({ operationId: 'payCharge', as: { bearer: accessToken }, params: [token], body: { pin }, idempotencyKey, from })
  }
}
