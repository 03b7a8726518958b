// A list as a CSV file in UTF-8 with a byte order mark: plain (RFC 4180, the API's field names and values), or for a spreadsheet in
// the reader's language, with headers, words for states and local dates. French spreadsheets split at semicolons.
import { csvText } from '../../lists/csv-text.ts'
import type { Language } from '../../text/language.ts'
import { inLanguage, languageOf } from '../page-language.ts'
import { CSV_ROWS_MAX } from './dashboard-limits.ts'
import { type Filtered, filterQuery } from './list-filters.ts'
import type { RowPage } from './row-reader.ts'
import type { Visit } from './visit.ts'

/** The header of each field in files for spreadsheets. A field without one does not compile. */
const HEADERS = {
  amount: 'Montant',
  approved_at: 'Accepté le',
  balance_after: 'Solde après',
  batch_id: 'Versement groupé',
  biller: 'Facturier',
  biller_ref: 'Référence de facture',
  cancelled_at: 'Annulé le',
  charge_id: 'Encaissement',
  closed_at: 'Fermé le',
  collected_amount: 'Encaissé',
  confirmed_amount: 'Montant crédité',
  counterparty: 'Avec',
  created_at: 'Créé le',
  currency: 'Devise',
  customer_tag: 'Client',
  data: 'Contenu',
  delivery_state: 'Livraison',
  description: 'Description',
  expires_at: 'Expire le',
  failed_attempts: 'Essais en échec',
  failed_amount: 'Montant en échec',
  failed_count: 'Lignes en échec',
  failure_code: 'Raison de l’échec',
  fee: 'Frais',
  finished_at: 'Terminé le',
  form_values: 'Saisie',
  fulfillment: 'Livraison',
  id: 'Identifiant',
  interval: 'Fréquence',
  items_count: 'Lignes',
  last_charge_at: 'Dernier prélèvement',
  last_run_at: 'Dernière exécution',
  max_amount: 'Montant maximal',
  max_payments: 'Paiements au plus',
  next_charge_at: 'Prochain prélèvement',
  next_run_at: 'Prochaine exécution',
  note: 'Note',
  paid_amount: 'Montant versé',
  paid_at: 'Payé le',
  paid_count: 'Lignes versées',
  payer_tag: 'Payé par',
  payment_reference: 'Référence de paiement',
  payments_count: 'Paiements',
  payout_id: 'Versement',
  product: 'Produit',
  reason: 'Raison',
  recipient: 'Destinataire',
  recurrence: 'Fréquence',
  reference: 'Référence',
  refund_transaction_id: 'Transaction du remboursement',
  refunded_at: 'Remboursé le',
  runs_count: 'Exécutions',
  schedule_id: 'Versement programmé',
  settlement_reference: 'Référence du virement',
  start_at: 'Première fois',
  state: 'État',
  token: 'Code',
  total_amount: 'Montant total',
  total_count: 'Lignes',
  transaction_id: 'Transaction',
  type: 'Type',
  url: 'Adresse',
} as const satisfies Readonly<Record<string, string>>

export type CsvField = keyof typeof HEADERS

type CsvTexts<Row> = { readonly [Field in keyof Row]?: (row: Row) => string }

export interface Exported<Row> extends Filtered {
  readonly operationId: string
  /** Fields of the API's record that are columns of the file. */
  readonly csvFields: readonly (keyof Row & CsvField)[]
  /** Words of fields, in French. A field with a filter of its name has the words of its choices. */
  readonly csvWords?: { readonly [Field in keyof Row]?: (row: Row) => string }
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
  const { csvFields, operationId } = noun
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
          csvFields.map((field) => cell(row, field)),
          separator,
        ),
      )
    }
    cursor = answer.body.next_cursor
    if (cursor !== null && lines.length > CSV_ROWS_MAX)
      lines.push(csvText([inLanguage(`Suite non exportée : ${CSV_ROWS_MAX} lignes au plus. Filtrez par date.`, language)], separator))
  }
  visit.file(fileName, 'text/csv; charset=utf-8', `\uFEFF${lines.join('')}`)
}

function plainFormat<Row>({ environment }: Visit, { path, csvFields }: Exported<Row>): Format<Row> {
  return {
    separator: ',',
    fileName: `${path}-${environment}.csv`,
    header: csvFields,
    cell: (row, field) => plainValue(row[field]),
  }
}

function plainValue(value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
}

async function spreadsheetFormat<Row>(
  visit: Visit,
  { path, csvFields, filters, csvWords = {}, csvTexts }: Exported<Row>,
  language: Language,
): Promise<Format<Row>> {
  const texts: CsvTexts<Row> = (await csvTexts?.(visit)) ?? {}
  const words = new Map(
    filters.flatMap(({ name, choices = [] }) => choices.map((choice): [string, string] => [`${name}:${choice.value}`, choice.words])),
  )
  return {
    separator: language === 'fr' ? ';' : ',',
    fileName: `${path}-${visit.environment}-${SPREADSHEET}.csv`,
    header: csvFields.map((field) => inLanguage(HEADERS[field], language)),
    cell: (row, field) => {
      const [value, text] = [row[field], texts[field]?.(row)]
      if (text !== undefined) return text
      const word = csvWords[field]?.(row) ?? (typeof value === 'string' ? words.get(`${field}:${value}`) : undefined)
      if (word !== undefined) return inLanguage(word, language)
      return isTimeField(field) && typeof value === 'string' ? localTime(value, language) : namedValues(value)
    },
  }
}

/** Times of the API are in fields of such names. Any other field may hold a text of the merchant that looks like a time. */
function isTimeField(field: CsvField): boolean {
  return field.endsWith('_at')
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
