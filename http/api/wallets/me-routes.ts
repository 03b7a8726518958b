// The wallet's own account: its owner, balance and statement; PIN change and sign-out.
import { ChangePinBody, Done } from '../../../engine/contract/auth.ts'
import { Balance } from '../../../engine/contract/balance.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import { Fee, MyFeeQuery } from '../../../engine/contract/fees.ts'
import { MyLimits } from '../../../engine/contract/limits.ts'
import { User } from '../../../engine/contract/me.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { ListTransactionsQuery, TransactionDetail, TransactionList } from '../../../engine/contract/transaction.ts'
import { isWeakPin } from '../../auth/wallet/pin-hasher.ts'
import { userOf } from '../../auth/wallet/sessions.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import {
  answerStatement,
  answerTransaction,
  CSV_DESCRIPTION,
  CSV_HEADER,
  csvLine,
  type StatementParts,
} from '../../lists/statement-list.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, route, type WalletPrincipal } from '../../server/route.ts'
import { TRANSFER_FEE } from '../operator/fee-examples.ts'
import { MY_LIMITS } from '../operator/rules-examples.ts'
import { BALANCE, DONE, STATEMENT_LINE, TRANSACTION_DETAIL, USER } from '../shared-examples.ts'

export interface MeRoutesParts extends StatementParts {
  readonly wallets: Pick<WalletAccess, 'pinChecks' | 'pinHasher'>
}

export function meRoutes(parts: MeRoutesParts): readonly Route[] {
  return [...accountRoutes(parts), limitsRoute(parts), feesRoute(parts), ...sessionRoutes(parts)]
}

function accountRoutes(parts: MeRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/me',
      operationId: 'getMe',
      tag: 'Wallet',
      summary: 'Who am I',
      description: 'The owner of the access token.',
      auth: 'wallet',
      idempotency: 'none',
      responses: [{ status: 200, description: 'The wallet’s owner.', schema: User, example: USER }],
      errors: [],
      handle: (call) => call.answer(200, JSON.stringify(userOf(call.principal.wallet))),
    }),
    route({
      method: 'GET',
      path: '/v1/me/balance',
      operationId: 'getMyBalance',
      tag: 'Wallet',
      summary: 'What the wallet holds',
      description: '`available` can be spent now.',
      auth: 'wallet',
      idempotency: 'none',
      responses: [{ status: 200, description: 'A new wallet holds 0.', schema: Balance, example: { ...BALANCE, available: 0 } }],
      errors: [],
      handle: (call) => getBalance(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/me/transactions',
      operationId: 'listMyTransactions',
      tag: 'Wallet',
      summary: 'What came in and went out',
      description: CSV_DESCRIPTION,
      auth: 'wallet',
      idempotency: 'none',
      query: ListTransactionsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first; or CSV.',
          schema: TransactionList,
          example: { data: [STATEMENT_LINE], has_more: false, next_cursor: null },
        },
        { status: 200, description: 'The same as CSV.', contentType: 'text/csv', example: CSV_HEADER + csvLine(STATEMENT_LINE) },
      ],
      errors: [],
      handle: (call) => answerStatement(parts, call, '/v1/me/transactions'),
    }),
    route({
      method: 'GET',
      path: '/v1/me/transactions/{id}',
      operationId: 'getMyTransaction',
      tag: 'Wallet',
      summary: 'Get a ledger transaction with its postings',
      description: 'The sum of its debits equals the sum of its credits.',
      auth: 'wallet',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the ledger transaction.' }) },
      responses: [
        { status: 200, description: 'The transaction, as your account sees it.', schema: TransactionDetail, example: TRANSACTION_DETAIL },
      ],
      errors: [],
      handle: (call) => answerTransaction(parts, call),
    }),
  ]
}

function limitsRoute(parts: MeRoutesParts): Route {
  return route({
    method: 'GET',
    path: '/v1/me/limits',
    operationId: 'getMyLimits',
    tag: 'Wallet',
    summary: 'What the wallet may hold, receive and pay',
    description: 'Days and months are of the calendar, UTC. Amounts count without fees; a refund gives back what its payment took.',
    auth: 'wallet',
    idempotency: 'none',
    responses: [{ status: 200, description: 'The limits, what is used and what is left.', schema: MyLimits, example: MY_LIMITS }],
    errors: [],
    handle: (call) => call.answer(200, JSON.stringify(parts.engine.query('rules.ofWallet', { account: call.principal.account }))),
  })
}

function feesRoute(parts: MeRoutesParts): Route {
  return route({
    method: 'GET',
    path: '/v1/me/fees',
    operationId: 'getMyFee',
    tag: 'Wallet',
    summary: 'What a transfer or a bill costs',
    description:
      'What the wallet bears beside the amount, by the rules as they are now. Checkout, scanned charges and quotes carry the fee of a payment themselves.',
    auth: 'wallet',
    idempotency: 'none',
    query: MyFeeQuery,
    responses: [{ status: 200, description: 'The fee, and who bears it.', schema: Fee, example: TRANSFER_FEE }],
    errors: ['biller_not_found'],
    handle: (call) => answerFee(parts, call),
  })
}

function answerFee(parts: MeRoutesParts, call: Call<unknown, MyFeeQuery, WalletPrincipal>): void {
  const { on, amount, biller } = call.query
  const { account } = call.principal
  if ((on === 'bill') !== (biller !== undefined)) return call.refuse('invalid_parameter', 'biller', because('biller_of_bill'))
  if (biller === undefined) return call.answer(200, JSON.stringify(parts.engine.query('fees.now', { on, amount, account })))
  const fee = parts.engine.query('fees.ofBill', { account, biller, amount })
  if (fee === null) call.refuse('biller_not_found')
  else call.answer(200, JSON.stringify(fee))
}

function sessionRoutes(parts: MeRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/me/pin/change',
      operationId: 'changePin',
      tag: 'Wallet',
      summary: 'Choose another PIN',
      description:
        'The sessions of all other devices end; they renew them with the new PIN. A replay of a key asks for no PIN and changes nothing.',
      auth: 'wallet',
      idempotency: 'accepted',
      body: ChangePinBody,
      bodyExample: { pin: '7391', new_pin: '8264' },
      secretFields: ['pin', 'new_pin'],
      responses: [{ status: 200, description: 'Changed.', schema: Done, example: DONE }],
      commands: ['RecordPinCheck', 'ChangePin'],
      errors: ['weak_pin'],
      handle: (call) => changePin(parts, call),
    }),
    route({
      method: 'POST',
      path: '/v1/me/logout',
      operationId: 'logOut',
      tag: 'Wallet',
      summary: 'End the session',
      description:
        'Access tokens of this device are good for nothing from now on. It stays registered, so that phone and PIN sign it in again. A replay of an Idempotency-Key needs the same token, no living one.',
      auth: 'wallet',
      idempotency: 'accepted',
      endsToken: true,
      responses: [{ status: 200, description: 'Signed out.', schema: Done, example: DONE }],
      commands: ['LogOut'],
      errors: [],
      handle: (call) => {
        const { account, device } = call.principal
        call.submit({ type: 'LogOut', account, deviceId: device.id }, account)
      },
    }),
  ]
}

type WalletCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, WalletPrincipal>

function getBalance(parts: MeRoutesParts, call: WalletCall): void {
  const { account, environment } = call.principal
  const { available, held, currency } = parts.engine.query('accounts.balance', { account })
  const balance: Balance = {
    available,
    pending: held,
    currency,
    environment,
  }
  call.answer(200, JSON.stringify(balance))
}

function changePin(parts: MeRoutesParts, call: WalletCall<ChangePinBody>): void {
  const { pin, new_pin } = call.body
  const { account, environment, device } = call.principal
  const { pinChecks, pinHasher } = parts.wallets
  if (isWeakPin(new_pin)) return call.refuse('weak_pin', 'new_pin')
  pinChecks.guard(call, { account, pin }, (generation) => {
    later(call, async () => {
      const pinHash = await pinHasher.hash(new_pin, environment)
      if (pinHash === null) return answerRefusal(call, { kind: 'rate_limited', body: errorValue('rate_limited') }, 1)
      call.submit({ type: 'ChangePin', account, pinHash, generation, deviceId: device.id }, account)
    })
  })
}
