// A list as a CSV file in UTF-8 with a byte order mark: plain (RFC 4180, the API's field names and values), or for a spreadsheet in
// the reader's language, with headers, words for states and local dates. French spreadsheets split at semicolons.

import { type Currency, decimalsOf } from '../../../../engine/kernel/currency.ts'
import { writtenAmount } from '../../../client/src/payment-file/file-amount.ts'
import { csvText } from '../../../lists/csv-text.ts'
import type { Language } from '../../../text/language.ts'
import type { Text } from '../../../text/text.ts'
import { languageOf } from '../../shared/page-language.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { CSV_ROWS_MAX } from '../shared/dashboard-limits.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import type { RowPage } from '../shared/row-reader.ts'
import { TEXTS } from './list-export-messages.ts'
import { type Filtered, filterQuery } from './list-filters.ts'

/** The header of each field in files for spreadsheets. A field without one does not compile. */
const HEADERS = {
  account: TEXTS.accountNumber,
  amount: WORDS.amount,
  answer: TEXTS.answer,
  answered_at: TEXTS.answeredOn,
  approved_at: TEXTS.acceptedOn,
  balance_after: WORDS.balanceAfter,
  batch_id: TEXTS.batch,
  biller: WORDS.biller,
  biller_ref: DASHBOARD_WORDS.billReference,
  cancelled_at: TEXTS.cancelledOn,
  charge_id: DASHBOARD_WORDS.charge2,
  closed_at: TEXTS.closedOn,
  collected_amount: DASHBOARD_WORDS.received,
  confirmed_at: TEXTS.confirmedOn,
  confirmed_amount: DASHBOARD_WORDS.creditedAmount,
  counterparty: DASHBOARD_WORDS.with,
  created_at: TEXTS.createdOn,
  currency: TEXTS.currency,
  customer_tag: WORDS.customer,
  data: TEXTS.content,
  disbursement_id: DASHBOARD_WORDS.bulkPayout,
  delivery_state: DASHBOARD_WORDS.delivery,
  description: 'Description',
  expires_at: DASHBOARD_WORDS.expiresOn,
  failed_attempts: TEXTS.failedAttempts,
  failed_amount: TEXTS.failedAmount,
  failed_count: TEXTS.failedLines,
  failure_code: TEXTS.reasonFailure,
  fee: WORDS.fee,
  fee_amount: WORDS.fee,
  fee_of: TEXTS.feeOf,
  finished_at: DASHBOARD_WORDS.endedOn,
  form_values: DASHBOARD_WORDS.formValues,
  fulfillment: DASHBOARD_WORDS.delivery,
  id: WORDS.identifier,
  groups: DASHBOARD_WORDS.groups,
  interval: DASHBOARD_WORDS.frequency,
  kind: WORDS.type,
  items_count: DASHBOARD_WORDS.lines,
  last_charge_at: TEXTS.lastDebit,
  last_run_at: TEXTS.lastRun,
  max_amount: TEXTS.maximumAmount,
  max_payments: TEXTS.paymentsAtMost,
  name: WORDS.holder,
  next_charge_at: TEXTS.nextDebit,
  next_run_at: TEXTS.nextRun,
  note: DASHBOARD_WORDS.note,
  paid_amount: DASHBOARD_WORDS.paidAmount,
  paid_at: TEXTS.paidOn,
  paid_count: TEXTS.paidLines,
  payer_tag: DASHBOARD_WORDS.paidBy,
  payment_reference: WORDS.paymentReference,
  payments_count: WORDS.payments,
  payout_id: WORDS.payout,
  product: DASHBOARD_WORDS.product,
  provider: TEXTS.provider,
  reason: WORDS.reason,
  recipient: DASHBOARD_WORDS.recipient,
  recurrence: DASHBOARD_WORDS.frequency,
  reference: WORDS.reference,
  refund_reason: TEXTS.reasonOfRefund,
  refund_text: TEXTS.detailsOfRefund,
  refund_transaction_id: TEXTS.transactionRefund,
  refunded_at: TEXTS.refundedOn,
  runs_count: DASHBOARD_WORDS.runs,
  schedule_id: DASHBOARD_WORDS.scheduledPayout,
  settlement_reference: DASHBOARD_WORDS.referenceTransfer,
  start_at: DASHBOARD_WORDS.firstTime,
  state: WORDS.state,
  text: TEXTS.message,
  token: WORDS.code,
  total_amount: TEXTS.totalAmount,
  total_count: DASHBOARD_WORDS.lines,
  transaction_id: WORDS.transaction,
  type: 'Type',
  url: WORDS.address,
  usable_from: TEXTS.usableFrom,
} as const satisfies Readonly<Record<string, Text | string>>

export type CsvField = keyof typeof HEADERS

type CsvFields<Row> = { readonly [Field in keyof Required<Row>]: Field extends CsvField ? boolean : false }

type CsvTexts<Row> = { readonly [Field in keyof Row]?: (row: Row) => string }

export interface Exported<Row> extends Filtered {
  readonly operationId: string
  /** Whether a field of the API's record is a column of the file, in their order. The compiler asks for each field. */
  readonly csvFields: CsvFields<Row>
  /** Words of fields, in French. A field with a filter of its name has the words of its choices. */
  readonly csvWords?: { readonly [Field in keyof Row]?: (row: Row) => Text | string }
  /** Returns the texts of fields that are in no language. */
  readonly csvTexts?: (visit: Visit) => CsvTexts<Row> | Promise<CsvTexts<Row>>
}

/** How a file is written. */
interface Format<Row> {
  readonly separator: ',' | ';'
  readonly fileName: string
  readonly header: readonly string[]
  cell(row: Row, field: keyof Row & CsvField): string | number | null
}

/** Value of `format` in the address of a file for spreadsheets. */
export const SPREADSHEET = 'tableur'

const PAGE_ROWS = '100'

/** Answers the list as a file. Its last line says when it is truncated. `refused` answers an error of the API. */
export async function exportList<Row>(visit: Visit, noun: Exported<Row>, refused: () => Promise<void>): Promise<void> {
  const { operationId } = noun
  const fields = fieldsOf(noun)
  const language = languageOf(visit.call).language
  const isPlain = visit.query.get('format') !== SPREADSHEET
  const { separator, fileName, header, cell } = isPlain ? plainFormat(visit, noun) : await spreadsheetFormat(visit, noun, language)
  const lines = [csvText(header, separator)]
  const query = { ...filterQuery(visit, noun), limit: PAGE_ROWS }
  for (let cursor: string | null = ''; cursor !== null && lines.length <= CSV_ROWS_MAX; ) {
    const answer: Awaited<ReturnType<typeof visit.ask<RowPage<Row>>>> = await visit.ask<RowPage<Row>>(operationId, {
      query: cursor === '' ? query : { ...query, cursor },
    })
    if (!answer.ok) return refused()
    for (const row of answer.body.data) {
      lines.push(
        csvText(
          fields.map((field) => cell(row, field)),
          separator,
        ),
      )
    }
    cursor = answer.body.next_cursor
    if (cursor !== null && lines.length > CSV_ROWS_MAX)
      lines.push(csvText([TEXTS.restNotExportedLinesAt(CSV_ROWS_MAX).in(language)], separator))
  }
  visit.file(fileName, 'text/csv; charset=utf-8', `\uFEFF${lines.join('')}`)
}

function fieldsOf<Row>({ csvFields }: Exported<Row>): readonly (keyof Row & CsvField)[] {
  const kept = Object.entries(csvFields).filter(([, isColumn]) => isColumn)
  return kept.map(([field]) => field as keyof Row & CsvField)
}

function plainFormat<Row>({ environment }: Visit, noun: Exported<Row>): Format<Row> {
  return {
    separator: ',',
    fileName: `${noun.path}-${environment}.csv`,
    header: fieldsOf(noun),
    cell: (row, field) => plainValue(row[field]),
  }
}

function plainValue(value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
}

async function spreadsheetFormat<Row>(visit: Visit, noun: Exported<Row>, language: Language): Promise<Format<Row>> {
  const { path, filters, csvTexts } = noun
  const csvWords: NonNullable<typeof noun.csvWords> = noun.csvWords ?? {}
  const texts: CsvTexts<Row> = (await csvTexts?.(visit)) ?? {}
  const words = new Map(
    filters.flatMap(({ name, choices = [] }) =>
      choices.map((choice): [string, Text | string] => [`${name}:${choice.value}`, choice.words]),
    ),
  )
  return {
    separator: language === 'fr' ? ';' : ',',
    fileName: `${path}-${visit.environment}-${SPREADSHEET}.csv`,
    header: fieldsOf(noun).map((field) => wordIn(HEADERS[field], language)),
    cell: (row, field) => {
      const [value, text] = [row[field], texts[field]?.(row)]
      if (text !== undefined) return text
      const word = csvWords[field]?.(row) ?? (typeof value === 'string' ? words.get(`${field}:${value}`) : undefined)
      if (word !== undefined) return wordIn(word, language)
      if (typeof value === 'number' && AMOUNT_FIELDS.has(field)) return amountCell(value, visit.currency, language)
      return isTimeField(field) && typeof value === 'string' ? localTime(value, language) : namedValues(value)
    },
  }
}

function wordIn(word: Text | string, language: Language): string {
  return typeof word === 'string' ? word : word.in(language)
}

/** Fields of amounts: in the smallest unit in plain files, as people write them in those for spreadsheets. */
const AMOUNT_FIELDS: ReadonlySet<CsvField> = new Set([
  ...(['amount', 'balance_after', 'collected_amount', 'confirmed_amount', 'failed_amount'] as const),
  ...(['fee', 'max_amount', 'paid_amount', 'total_amount'] as const),
])

function amountCell(amount: number, currency: Currency, language: Language): string | number {
  return decimalsOf(currency) === 0 ? amount : writtenAmount(amount, currency, language)
}

/** Times of the API are in fields of such names. Any other field may hold a text of the merchant that looks like a time. */
function isTimeField(field: CsvField): boolean {
  return field.endsWith('_at') || field === 'usable_from'
}

const TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/

/** Returns `22/11/2026 06:17:00`, in English `2026-11-22 06:17:00`, in UTC, the local time of Abidjan and Dakar. */
function localTime(text: string, language: Language): string {
  return text.replace(TIME, language === 'fr' ? '$3/$2/$1 $4' : '$1-$2-$3 $4')
}

/** Returns `nom : valeur` for each member of an object. */
function namedValues(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return plainValue(value)
  return Object.entries(value)
    .map(([name, member]) => `${name} : ${plainValue(member) ?? ''}`)
    .join(', ')
}
