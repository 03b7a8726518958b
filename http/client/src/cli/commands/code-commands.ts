// `code logs` and `code run`: hosted code, its runs and its trials.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pause } from '../../retry-plan.ts'
import type { Answer, Row } from '../../types.ts'
import type { Command, CommandContext } from '../command.ts'
import { UsageError } from '../command-errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { defined } from '../given.ts'
import { type Output, shown } from '../output.ts'

const POLL_MS = 1_000
const RUNS_DEFAULT = 10
const RUNS_MAX = 100
const PRODUCTS_MAX = 200

type Run = Row<'listCodeRuns'>

export const TAIL_CODE: Command = {
  name: ['code', 'logs'],
  summary: 'Follow the runs of hosted code: results, errors and console output',
  options: {
    product: { type: 'string', value: 'SLUG', about: 'only this product; all products without it' },
    lines: { type: 'string', value: 'COUNT', about: 'runs of the past that it begins with; 10 without it, 100 at most' },
    'no-follow': { type: 'boolean', about: 'end after the runs of the past' },
  },
  examples: [
    ['cauri code logs --product facture', 'while you try the code'],
    ['cauri code logs --no-follow --lines 100 --json', 'the last 100 runs, for a script'],
  ],
  run: tail,
}

async function tail({ given, output, client, signal }: CommandContext): Promise<ExitCode> {
  const { products } = client()
  const only = given.text('product')
  const slugs = only === undefined ? (await products.list({}, { signal }).toArray(PRODUCTS_MAX)).map(({ slug }) => slug) : [only]
  if (slugs.length === 0) throw new UsageError('the merchant has no products')
  const seen = new Set<string>()
  let wanted = Math.min(given.whole('lines', 0) ?? RUNS_DEFAULT, RUNS_MAX)
  for (;;) {
    const pages = await Promise.all(slugs.map((slug) => products.runs(slug, { limit: RUNS_MAX }, { signal }).page()))
    const fresh = pages.flatMap(({ data }) => data).filter(({ id }) => !seen.has(id))
    fresh.sort((one, other) => (one.created_at < other.created_at ? -1 : 1))
    for (const run of wanted === 0 ? [] : fresh.slice(-wanted)) showRun(output, run)
    seen.clear()
    for (const { data } of pages) for (const { id } of data) seen.add(id)
    if (given.flag('no-follow')) return EXIT.done
    wanted = Number.POSITIVE_INFINITY
    await pause(POLL_MS, signal)
  }
}

function showRun(output: Output, run: Run): void {
  const { created_at, product, kind, ok, error, duration_ms, logs, fetches, test } = run
  const calls = fetches.map(({ method, host, status, duration_ms: ms }) => `  fetch ${method} ${host} ${status ?? 'no answer'} ${ms} ms`)
  output.result(run, [
    `${created_at}  ${product}  ${kind}${test ? ' (trial)' : ''}  ${ok ? 'ok' : 'failed'}  ${duration_ms} ms`,
    ...(error === null ? [] : [`  error ${shown(error)}`]),
    ...calls,
    ...logs.map((line) => `  ${shown(line)}`),
  ])
}

export const RUN_CODE: Command = {
  name: ['code', 'run'],
  takes: '<file.js>',
  summary: 'Try hosted code of a file, in the virtual machine of the service',
  about: `The file's lookup(args), or onPaid(ctx) with --fulfillment, runs as a trial of the product: the same machine, limits and fetch as
for customers. The code of the product stays as it is, and nothing is paid. Exit code 1 when it fails, or when customers would be
refused its answer.`,
  options: {
    product: { type: 'string', value: 'SLUG', about: 'product that the trial belongs to', isRequired: true },
    fields: { type: 'string', value: 'FIELDS', about: 'input of the customer: meter=0123,month=11, or a JSON object' },
    fulfillment: { type: 'boolean', about: 'run onPaid instead of lookup' },
    amount: { type: 'string', value: 'AMOUNT', about: 'amount of the simulated payment' },
  },
  examples: [
    ['cauri code run lookup.js --product facture --fields compteur=01234567890', 'a lookup'],
    ['cauri code run paid.js --product jeton --fulfillment --amount 1000', 'what runs after a payment'],
  ],
  run: runCode,
}

async function runCode({ given, output, client, signal }: CommandContext): Promise<ExitCode> {
  const path = given.argument('file')
  const source = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${error.code})`)
  })
  const { products } = client()
  const slug = given.required('product')
  const fields = fieldsOf(given.text('fields'))
  // Other callers try code of the product too: the run log names the request of each trial.
  const requestId = randomUUID()
  const result: Answer<'testLookup'> | Answer<'testFulfillment'> = given.flag('fulfillment')
    ? await products.testFulfillment(
        slug,
        { fulfillment_code: source, ...defined({ form_values: fields, amount: given.whole('amount', 1) }) },
        { requestId, signal },
      )
    : await products.testLookup(slug, { lookup_code: source, ...defined({ fields }) }, { requestId, signal })
  const { data } = await products.runs(slug, { limit: RUNS_MAX }, { signal }).page()
  const run = data.find(({ request_id }) => request_id === requestId)
  output.result({ result, run: run ?? null }, [JSON.stringify(result, null, 2), ...(run?.logs ?? []).map((line) => `  ${shown(line)}`)])
  return isGood(result) ? EXIT.done : EXIT.rejected
}

/** An answer that customers would be refused has `valid: false`; "nothing is due" is a good answer of a lookup. */
function isGood(result: object): boolean {
  const { ok, valid, transport_error, error } = result as Readonly<Record<string, unknown>>
  return valid !== false && transport_error === undefined && (ok === true || error === undefined)
}

/** Reads `a=1,b=2` or a JSON object of texts. */
function fieldsOf(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined
  if (!text.trimStart().startsWith('{')) {
    return Object.fromEntries(
      text.split(',').map((pair) => {
        const at = pair.indexOf('=')
        if (at < 1) throw new UsageError('--fields is name=value,name=value, or a JSON object')
        return [pair.slice(0, at), pair.slice(at + 1)]
      }),
    )
  }
  try {
    return Object.fromEntries(Object.entries(JSON.parse(text) as object).map(([name, value]) => [name, String(value)]))
  } catch {
    throw new UsageError('--fields is no JSON object')
  }
}
