// What only test keys may do: deposits, wallets, and payments without a phone.
import { type List, listOf } from '../list.ts'
import type { RequestOptions } from '../transport.ts'
import type { Answer, Body, Query, Row } from '../types.ts'
import { Resource } from './resource.ts'

export class TestEnvironment extends Resource {
  /** Play money, into the merchant's balance or a test wallet. */
  deposit(body: Body<'createTestDeposit'>, options: RequestOptions = {}): Promise<Answer<'createTestDeposit'>> {
    return this.transport.post('/v1/biz/test/deposits', {}, body, options)
  }

  createWallet(tag: string, options: RequestOptions = {}): Promise<Answer<'createTestWallet'>> {
    return this.transport.post('/v1/biz/test/wallets', {}, { tag }, options)
  }

  payCharge(token: string, body: Body<'payTestCharge'>, options: RequestOptions = {}): Promise<Answer<'payTestCharge'>> {
    return this.transport.post('/v1/biz/test/charges/{token}/pay', { token }, body, options)
  }

  expireCharge(token: string, options: RequestOptions = {}): Promise<Answer<'expireTestCharge'>> {
    return this.transport.post('/v1/biz/test/charges/{token}/expire', { token }, undefined, options)
  }

  /** Takes the next occurrence of the schedule now. */
  runSchedule(id: string, options: RequestOptions = {}): Promise<Answer<'runTestSchedule'>> {
    return this.transport.post('/v1/biz/test/payout-schedules/{id}/run', { id }, undefined, options)
  }

  /** Takes the next payment of the mandate now. */
  collectMandate(id: string, options: RequestOptions = {}): Promise<Answer<'collectTestMandate'>> {
    return this.transport.post('/v1/biz/test/mandates/{id}/collect', { id }, undefined, options)
  }

  confirmTopUp(id: string, body: Body<'confirmTestTopUp'> = {}, options: RequestOptions = {}): Promise<Answer<'confirmTestTopUp'>> {
    return this.transport.post('/v1/biz/test/top-ups/{id}/confirm', { id }, body, options)
  }

  payWithdrawal(id: string, body: Body<'payTestWithdrawal'> = {}, options: RequestOptions = {}): Promise<Answer<'payTestWithdrawal'>> {
    return this.transport.post('/v1/biz/test/withdrawals/{id}/pay', { id }, body, options)
  }

  /** The newest API requests of your test keys, as the service answered them. */
  requests(query: Query<'listTestRequests'> = {}, options: RequestOptions = {}): List<Row<'listTestRequests'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/test/requests', {}, page, options))
  }

  /** Decides a submitted biller as an operator would. */
  approveBiller(options: RequestOptions = {}): Promise<Answer<'approveTestBiller'>> {
    return this.transport.post('/v1/biz/test/billers/approve', {}, undefined, options)
  }
}
