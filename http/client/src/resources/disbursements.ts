// Disbursements: up to 100 000 payouts as one object, and the wait for their end.
import { type List, listOf } from '../list.ts'
import { pause } from '../retry-plan.ts'
import type { RequestOptions } from '../transport.ts'
import type { Body, Query, Row, Schema } from '../types.ts'
import { Resource } from './resource.ts'

/** The record as it stands. */
export type DisbursementRecord = Schema<'Disbursement'>

export interface WaitOptions {
  /** Ends the wait; the disbursement goes on. */
  readonly signal?: AbortSignal
  /** Called with each record that was read. */
  readonly onProgress?: (disbursement: DisbursementRecord) => void
}

/** A line of a disbursement. */
export type DisbursementItem = Schema<'DisbursementItem'>

export interface DisbursementFile {
  /** A payment file whose first row names its columns, or NDJSON with one line in each line. */
  readonly type: 'text/csv' | 'application/x-ndjson'
  readonly content: string | Uint8Array
}

const POLL_MS = 1000
/** States that no time changes: it has ended, or a person must act. */
const RESTING: ReadonlySet<string> = new Set(['ready', 'awaiting_approval', 'completed', 'cancelled', 'rejected'])

const FILE_TYPES: ReadonlySet<unknown> = new Set(['text/csv', 'application/x-ndjson'] satisfies DisbursementFile['type'][])

/** For callers without types: the text or the bytes of a file say nothing about how they are read. */
function typedFile(file: DisbursementFile): DisbursementFile {
  const { type, content } = file
  if (FILE_TYPES.has(type) && (typeof content === 'string' || content instanceof Uint8Array)) return file
  throw new TypeError("createFromFile takes { type, content }: type is 'text/csv' or 'application/x-ndjson', content a text or bytes")
}

export class Disbursements extends Resource {
  /** Prepares the payouts. Nothing is paid before the start, unless `start` is `auto`. */
  create(body: Body<'createDisbursement'>, options: RequestOptions = {}): Promise<DisbursementRecord> {
    return this.transport.post('/v1/biz/disbursements', {}, body, options)
  }

  /** The same of a file, which is sent as it is; `query` has the options of the body. Throws a TypeError for a file without its type. */
  async createFromFile(
    file: DisbursementFile,
    query: Query<'createDisbursement'> = {},
    options: RequestOptions = {},
  ): Promise<DisbursementRecord> {
    const { type, content } = typedFile(file)
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    return this.transport.postBytes('/v1/biz/disbursements', { contentType: type, bytes }, options, query)
  }

  /** The same of lines from anywhere, sent as NDJSON once all of them are there. */
  async createFromLines(
    lines: Iterable<DisbursementItem> | AsyncIterable<DisbursementItem>,
    query: Query<'createDisbursement'> = {},
    options: RequestOptions = {},
  ): Promise<DisbursementRecord> {
    const texts: string[] = []
    for await (const line of lines) texts.push(JSON.stringify(line))
    return this.createFromFile({ type: 'application/x-ndjson', content: texts.join('\n') }, query, options)
  }

  list(query: Query<'listDisbursements'> = {}, options: RequestOptions = {}): List<Row<'listDisbursements'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/disbursements', {}, page, options))
  }

  get(id: string, options: RequestOptions = {}): Promise<DisbursementRecord> {
    return this.transport.get('/v1/biz/disbursements/{id}', { id }, {}, options)
  }

  lines(id: string, query: Query<'listDisbursementLines'> = {}, options: RequestOptions = {}): List<Row<'listDisbursementLines'>> {
    return listOf(query, (page) => this.transport.get('/v1/biz/disbursements/{id}/lines', { id }, page, options))
  }

  start(id: string, options: RequestOptions = {}): Promise<DisbursementRecord> {
    return this.transport.post('/v1/biz/disbursements/{id}/start', { id }, undefined, options)
  }

  approve(id: string, options: RequestOptions = {}): Promise<DisbursementRecord> {
    return this.transport.post('/v1/biz/disbursements/{id}/approve', { id }, undefined, options)
  }

  reject(id: string, body: Body<'rejectDisbursement'>, options: RequestOptions = {}): Promise<DisbursementRecord> {
    return this.transport.post('/v1/biz/disbursements/{id}/reject', { id }, body, options)
  }

  pause(id: string, options: RequestOptions = {}): Promise<DisbursementRecord> {
    return this.transport.post('/v1/biz/disbursements/{id}/pause', { id }, undefined, options)
  }

  resume(id: string, options: RequestOptions = {}): Promise<DisbursementRecord> {
    return this.transport.post('/v1/biz/disbursements/{id}/resume', { id }, undefined, options)
  }

  cancel(id: string, options: RequestOptions = {}): Promise<DisbursementRecord> {
    return this.transport.post('/v1/biz/disbursements/{id}/cancel', { id }, undefined, options)
  }

  /** A new disbursement of the failed lines. */
  retry(id: string, options: RequestOptions = {}): Promise<DisbursementRecord> {
    return this.transport.post('/v1/biz/disbursements/{id}/retry', { id }, undefined, options)
  }

  /** Returns the record once it has ended, or waits for a person: for its start, its approval, money or `resume`. Read its `state`. */
  async waitUntilDone(id: string, { signal, onProgress }: WaitOptions = {}): Promise<DisbursementRecord> {
    for (;;) {
      const disbursement = await this.get(id, signal === undefined ? {} : { signal })
      onProgress?.(disbursement)
      const { state, pause_reason } = disbursement
      if (RESTING.has(state) || (state === 'paused' && pause_reason !== 'recipient_checks')) return disbursement
      await pause(POLL_MS, signal)
    }
  }
}
