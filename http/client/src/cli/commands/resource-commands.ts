// `charges list`, `mandates get`, `schedules pause` and the like: a command for each route of the merchant API.
import { listOf } from '../../list.ts'
import { queryText } from '../../transport.ts'
import type { Command, CommandContext } from '../command.ts'
import { UsageError } from '../command-errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { COMMON_OPTIONS, defined, type Given, type OptionSpec } from '../given.ts'
import { OPERATIONS, type OperationField, type OperationRow } from '../operations.ts'
import { fields, recordRows } from '../output.ts'
import { readData } from '../request-data.ts'

/** Nouns whose path says another one. The first that a path begins with counts. */
const NOUNS: readonly (readonly [path: string, noun: string])[] = [
  ['payouts/batch', 'batches'],
  ['payout-schedules', 'schedules'],
  ['webhook-endpoints', 'webhooks'],
  ['payment-links', 'links'],
  ['bill-payments', 'bills'],
  ['biller/products', 'products'],
]
const ROWS_DEFAULT = 20
/** Verbs of a collection or a record; PUT takes that of its operation, such as `replace`. */
const VERBS: Readonly<Partial<Record<OperationRow['method'], string>>> = { GET: 'get', POST: 'create', DELETE: 'delete' }

interface Derived {
  readonly name: readonly [noun: string, verb: string]
  readonly row: OperationRow
  /** Query that the command adds. */
  readonly fixed?: Readonly<Record<string, string>>
}

/** Returns a command for each route but those with a command of its own. */
export function resourceCommands(written: readonly Command[]): readonly Command[] {
  const taken = new Set(written.map(({ name }) => name.join(' ')))
  const all = [...OPERATIONS.map((row): Derived => ({ name: nameOf(row), row })), ...refunds()]
  return all.filter(({ name }) => !taken.has(name.join(' ')) && !taken.has(name[0])).map(commandOf)
}

/** A refund is a step of a charge, and a transaction. */
function refunds(): Derived[] {
  const rowOf = (id: string): OperationRow => OPERATIONS.find(({ operationId }) => operationId === id) as OperationRow
  return [
    { name: ['refunds', 'list'], row: rowOf('listTransactions'), fixed: { type: 'refund' } },
    { name: ['refunds', 'get'], row: rowOf('getTransaction') },
    { name: ['refunds', 'create'], row: rowOf('refundCharge') },
  ]
}

function nameOf(row: OperationRow): readonly [string, string] {
  const { path, operationId, isList, method } = row
  const rest = path.slice('/v1/biz/'.length)
  const [prefix, noun] = NOUNS.find(([begin]) => rest === begin || rest.startsWith(`${begin}/`)) ?? [
    rest.split('/')[0] ?? '',
    rest.split('/')[0] ?? '',
  ]
  if (noun === 'test') return ['test', dashed(operationId.replace('Test', ''))]
  const words = rest
    .slice(prefix.length)
    .split('/')
    .filter((word) => word !== '' && !word.startsWith('{'))
  const [verb = ''] = /^[a-z]+/.exec(operationId) ?? []
  if (words.length === 0) return [noun, isList ? 'list' : (VERBS[method] ?? verb)]
  const isShared = method !== 'GET' && OPERATIONS.some((other) => other.path === path && other.method === 'GET')
  return [noun, isShared ? verb : words.join('-')]
}

function dashed(name: string): string {
  return name.replaceAll(/[A-Z_]/g, (character) => `-${character === '_' ? '' : character.toLowerCase()}`)
}

function commandOf(derived: Derived): Command {
  const { name, row } = derived
  const { params, summary, method, path } = row
  const words = ['cauri', ...name, ...params.map((param) => `<${param}>`)]
  return {
    name,
    ...(params.length === 0 ? {} : { takes: params.map((param) => `<${param}>`).join(' ') }),
    summary,
    about: `Sends ${method} ${path}.`,
    isDerived: true,
    options: optionsOf(derived),
    examples: [[words.join(' '), summary]],
    run: (context) => run(context, derived),
  }
}

function optionsOf({ row, fixed = {} }: Derived): Readonly<Record<string, OptionSpec>> {
  const { isList, hasCsv, method, query, fields: members } = row
  const own: Record<string, OptionSpec> = {}
  if (isList) own.limit = { type: 'string', value: 'COUNT', about: `rows; ${ROWS_DEFAULT} without it` }
  if (hasCsv) own.csv = { type: 'boolean', about: 'all rows as CSV' }
  if (Object.keys(members).length > 0) own.data = { type: 'string', value: 'JSON', about: 'the body, or @FILE, or - for standard input' }
  if (method === 'POST') own.key = { type: 'string', value: 'KEY', about: 'Idempotency-Key; a new one without it' }
  const others = Object.entries({ ...query, ...members }).filter(([field]) => !(field in fixed) && !(isList && field === 'limit'))
  return { ...own, ...Object.fromEntries(others.map(([field, spec]) => [optionOf(field, own), specOf(spec)])) }
}

function specOf({ type, about }: OperationField): OptionSpec {
  return type === 'boolean' ? { type: 'boolean', about } : { type: 'string', value: VALUES[type], about }
}

const VALUES = { text: 'TEXT', integer: 'NUMBER', list: 'TEXT,TEXT', json: 'JSON' } as const

/** A field whose name another option has is `--data-<name>`. */
function optionOf(field: string, own: Readonly<Record<string, OptionSpec>>): string {
  const option = dashed(field)
  return option in COMMON_OPTIONS || option in own ? `data-${option}` : option
}

async function run(context: CommandContext, derived: Derived): Promise<ExitCode> {
  const { given, output, client, signal } = context
  const { row, fixed = {} } = derived
  const { params } = row
  if (given.args.length !== params.length) {
    throw new UsageError(params.length === 0 ? 'it takes no arguments' : `give ${params.map((param) => `<${param}>`).join(' ')}`)
  }
  const path = row.path.split('/').map((segment) => (segment.startsWith('{') ? argumentAt(given, params, segment) : segment))
  const query = { ...fixed, ...valuesOf(given, row.query, optionsOf(derived)) }
  if (row.isList) return list(context, path.join('/'), query as Readonly<Record<string, string>>)
  const sent = defined({ idempotencyKey: given.text('key'), signal })
  const body = bodyOf(given, derived)
  const answer = await client().request<Readonly<Record<string, unknown>>>(
    row.method,
    path.join('/') + queryText(query as Record<string, string>),
    body,
    sent,
  )
  output.result(answer, fields(answer))
  // Of a payout, and of a batch.
  return answer.state === 'failed' || Number(answer.failed_count ?? 0) > 0 ? EXIT.partlyFailed : EXIT.done
}

function argumentAt(given: Given, params: readonly string[], segment: string): string {
  const value = given.args[params.indexOf(segment.slice(1, -1))] ?? ''
  if (value === '' || value === '.' || value === '..') throw new UsageError(`${segment.slice(1, -1)} is required`)
  return encodeURIComponent(value)
}

async function list(
  { given, output, client, signal }: CommandContext,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<ExitCode> {
  const api = client()
  if (given.flag('csv')) {
    for await (const text of api.csv(path + queryText(query), { signal })) output.raw(text)
    return EXIT.done
  }
  type Page = { data: Readonly<Record<string, unknown>>[]; has_more: boolean; next_cursor: string | null }
  const pages = listOf(query, (page) => api.request<Page>('GET', path + queryText(page), undefined, { signal }))
  const rows = await pages.toArray(given.whole('limit', 1) ?? ROWS_DEFAULT)
  if (output.isJson) for (const row of rows) output.result(row, [])
  else output.result(null, recordRows(rows))
  return EXIT.done
}

/** Returns undefined for a request without a body. */
function bodyOf(given: Given, derived: Derived): unknown {
  const { fields: members } = derived.row
  if (Object.keys(members).length === 0) return undefined
  const data = given.text('data')
  const whole = data === undefined ? {} : readData(data)
  return { ...(whole as object), ...valuesOf(given, members, optionsOf(derived)) }
}

/** Values of the options that were given, by the names of their fields. */
function valuesOf(
  given: Given,
  members: Readonly<Record<string, OperationField>>,
  options: Readonly<Record<string, OptionSpec>>,
): Readonly<Record<string, unknown>> {
  const values = Object.entries(members).map(([field, { type }]) => {
    const option = `data-${dashed(field)}` in options ? `data-${dashed(field)}` : dashed(field)
    return [field, option in options ? givenAs(given, option, type) : undefined] as const
  })
  return Object.fromEntries(values.filter(([field, value]) => value !== undefined && field !== 'limit'))
}

function givenAs(given: Given, option: string, type: OperationField['type']): unknown {
  const text = given.text(option)
  if (type === 'boolean') return given.flag(option) ? true : undefined
  if (text === undefined) return undefined
  if (type === 'integer') return given.whole(option, 0)
  if (type === 'list') return text.split(',')
  if (type === 'text') return text
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${option} is no JSON`)
  }
}
