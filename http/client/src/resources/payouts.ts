// Money out: single payouts, batches of any length, and schedules.
import { type UploadOptions, type UploadSummary, uploadBatches } from '../batch-upload.ts'
import { type List, listOf } from '../list.ts'
import { queryText, type RequestOptions } from '../transport.ts'
import type { Answer, BatchLine, Body, Query, Row, Schema } from '../types.ts'
import { Resource } from './resource.ts'
import { textOf } from './text-stream.ts'

export class Payouts extends Resource {
  /** Pays a wallet, at once. A payout that cannot be paid is returned with `state: 'failed'`, not thrown. */
  create(body: Body<'createPayout'>, options: RequestOptions = {}): Promise<Schema<'Payout'>> {
    return this.transport.post('/v1/biz/payouts', {}, body, options)
  }

  list(query: Query<'listPayouts'> = {}, options: RequestOptions = {}): List<Row<'listPayouts'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/payouts', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Schema<'Payout'>> {
    return this.transport.get('/v1/biz/payouts/{id}', { id }, {}, options)
  }

  /** Whether a tag or phone has a wallet, and its masked name. */
  checkRecipient(recipient: string, options: RequestOptions = {}): Promise<Schema<'RecipientCheck'>> {
    return this.transport.post('/v1/biz/payouts/check-recipient', {}, { recipient }, options)
  }

  /** The list as CSV, in chunks as they arrive, for an export of any size. */
  csv(query: Query<'listPayouts'> = {}, options: RequestOptions = {}): AsyncGenerator<string, void, undefined> {
    return textOf(() => this.transport.open(`/v1/biz/payouts${queryText(query)}`, 'text/csv', options))
  }
}

export class Batches extends Resource {
  /** Pays up to 500 lines. Each line is paid or fails on its own. */
  create(body: Body<'createBatch'>, options: RequestOptions = {}): Promise<Schema<'BatchReport'>> {
    return this.transport.post('/v1/biz/payouts/batch', {}, body, options)
  }

  /** The report that `create` would return now; nothing is paid. */
  dryRun(body: Body<'createBatch'>, options: RequestOptions = {}): Promise<Schema<'BatchReport'>> {
    return this.transport.post('/v1/biz/payouts/batch', {}, body, options, { dry_run: true })
  }

  /** Pays any number of lines, in files of 500. Started again with the same `runId` and lines, it pays nothing twice. */
  upload(lines: Iterable<BatchLine> | AsyncIterable<BatchLine>, options: UploadOptions): Promise<UploadSummary> {
    return uploadBatches((body, isDryRun, sent) => (isDryRun ? this.dryRun(body, sent) : this.create(body, sent)), lines, options)
  }

  list(query: Query<'listBatches'> = {}, options: RequestOptions = {}): List<Row<'listBatches'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/payouts/batch', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Schema<'BatchReport'>> {
    return this.transport.get('/v1/biz/payouts/batch/{id}', { id }, {}, options)
  }
}

export class Schedules extends Resource {
  create(body: Body<'createSchedule'>, options: RequestOptions = {}): Promise<Answer<'createSchedule'>> {
    return this.transport.post('/v1/biz/payout-schedules', {}, body, options)
  }

  list(query: Query<'listSchedules'> = {}, options: RequestOptions = {}): List<Row<'listSchedules'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/payout-schedules', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<Schema<'Schedule'>> {
    return this.transport.get('/v1/biz/payout-schedules/{id}', { id }, {}, options)
  }

  runs(id: string, query: Query<'listScheduleRuns'> = {}, options: RequestOptions = {}): List<Row<'listScheduleRuns'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/payout-schedules/{id}/runs', { id }, page, options))
  }

  /** Replaces lines, reference and recurrence from the next occurrence on. */
  replace(id: string, body: Body<'replaceSchedule'>, options: RequestOptions = {}): Promise<Answer<'replaceSchedule'>> {
    return this.transport.put('/v1/biz/payout-schedules/{id}', { id }, body, options)
  }

  pause(id: string, options: RequestOptions = {}): Promise<Schema<'Schedule'>> {
    return this.transport.post('/v1/biz/payout-schedules/{id}/pause', { id }, undefined, options)
  }

  resume(id: string, options: RequestOptions = {}): Promise<Schema<'Schedule'>> {
    return this.transport.post('/v1/biz/payout-schedules/{id}/resume', { id }, undefined, options)
  }

  cancel(id: string, options: RequestOptions = {}): Promise<Schema<'Schedule'>> {
    return this.transport.post('/v1/biz/payout-schedules/{id}/cancel', { id }, undefined, options)
  }
}
