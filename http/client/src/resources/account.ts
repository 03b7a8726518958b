// The merchant's own account: ledger transactions, money in and money out.
import { type List, listOf } from '../list.ts'
import { queryText, type RequestOptions } from '../transport.ts'
import type { Answer, Body, Query, Row, Schema } from '../types.ts'
import { Resource } from './resource.ts'
import { textOf } from './text-stream.ts'

export class Transactions extends Resource {
  /** Ledger transactions of the account, newest first. */
  list(query: Query<'listTransactions'> = {}, options: RequestOptions = {}): List<Row<'listTransactions'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/transactions', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Answer<'getTransaction'>> {
    return this.transport.get('/v1/biz/transactions/{id}', { id }, {}, options)
  }

  /** The list as CSV, in chunks as they arrive, for an export of any size. */
  csv(query: Query<'listTransactions'> = {}, options: RequestOptions = {}): AsyncGenerator<string, void, undefined> {
    return textOf(() => this.transport.open(`/v1/biz/transactions${queryText(query)}`, 'text/csv', options))
  }
}

export class TopUps extends Resource {
  /** Announces money that you send by bank. Its `instructions` say where to. */
  create(body: Body<'createTopUp'>, options: RequestOptions = {}): Promise<Schema<'TopUp'>> {
    return this.transport.post('/v1/biz/top-ups', {}, body, options)
  }

  list(query: Query<'listTopUps'> = {}, options: RequestOptions = {}): List<Row<'listTopUps'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/top-ups', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Schema<'TopUp'>> {
    return this.transport.get('/v1/biz/top-ups/{id}', { id }, {}, options)
  }

  cancel(id: string, options: RequestOptions = {}): Promise<Schema<'TopUp'>> {
    return this.transport.post('/v1/biz/top-ups/{id}/cancel', { id }, undefined, options)
  }
}

export class Withdrawals extends Resource {
  /** Takes money out to a bank or mobile money account. The amount is held at once. */
  create(body: Body<'requestWithdrawal'>, options: RequestOptions = {}): Promise<Schema<'Withdrawal'>> {
    return this.transport.post('/v1/biz/withdrawals', {}, body, options)
  }

  /** Saves an account; in live it is usable 24 hours later. */
  createAccount(body: Body<'createWithdrawalAccount'>, options: RequestOptions = {}): Promise<Schema<'WithdrawalAccount'>> {
    return this.transport.post('/v1/biz/withdrawal-accounts', {}, body, options)
  }

  accounts(query: Query<'listWithdrawalAccounts'> = {}, options: RequestOptions = {}): List<Row<'listWithdrawalAccounts'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/withdrawal-accounts', {}, page, options))
  }

  deleteAccount(id: string, options: RequestOptions = {}): Promise<Schema<'Deleted'>> {
    return this.transport.delete('/v1/biz/withdrawal-accounts/{id}', { id }, options)
  }

  list(query: Query<'listWithdrawals'> = {}, options: RequestOptions = {}): List<Row<'listWithdrawals'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/withdrawals', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Schema<'Withdrawal'>> {
    return this.transport.get('/v1/biz/withdrawals/{id}', { id }, {}, options)
  }

  cancel(id: string, options: RequestOptions = {}): Promise<Schema<'Withdrawal'>> {
    return this.transport.post('/v1/biz/withdrawals/{id}/cancel', { id }, undefined, options)
  }
}
