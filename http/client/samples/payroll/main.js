// A payroll: a CSV of salaries is checked line by line and becomes a schedule that pays every month.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Cauri, CauriError, fileProblemText, isUnreadable, lineProblemText, readPaymentFile, writtenAmount } from '@cauri/node'

const { CAURI_URL = 'http://127.0.0.1:8080', CAURI_API_KEY = '', CAURI_API_SECRET = '' } = process.env
/** Maximum lines of one schedule. Longer files become several. */
const LINES_MAX = 500

const { values, positionals } = given()
if (CAURI_API_KEY === '' || CAURI_API_SECRET === '') {
  console.error('Set CAURI_API_KEY and CAURI_API_SECRET: npm start prints a pair of test keys.')
  process.exit(2)
}
const cauri = new Cauri({ baseUrl: CAURI_URL, publicKey: CAURI_API_KEY, secretKey: CAURI_API_SECRET, language: 'en' })

function given() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        start: { type: 'string', default: nextMonth(new Date()) },
        recurrence: { type: 'string', default: 'monthly' },
        reference: { type: 'string', default: 'PAIE' },
        country: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    console.error(String(error))
    process.exit(2)
  }
}

/** The first day of the next month, 08:00 UTC. */
function nextMonth(now) {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 8)).toISOString()
}

/** Checks each line as if it were paid now; returns the number of lines that no balance would help. */
async function check(lines) {
  const items = lines.map(({ item }) => item)
  const report = await cauri.batches.dryRun({ items, reference: values.reference })
  let failedLines = 0
  for (const { index, recipient, failure_code } of report.items.filter(({ state }) => state === 'failed')) {
    const code = failure_code === 'insufficient_balance' ? await failureWithBalance(items[index].recipient) : failure_code
    console.log(`  line ${lines[index].at}: ${recipient}: ${code}`)
    if (code !== 'insufficient_balance') failedLines++
  }
  return failedLines
}

/** The balance must be there when the schedule runs, not now. A line above it fails before its recipient is looked at. */
async function failureWithBalance(recipient) {
  const { exists } = await cauri.payouts.checkRecipient(recipient)
  return exists ? 'insufficient_balance' : 'recipient_not_found'
}

async function plan(items) {
  const recurrence = /** @type {'once' | 'weekly' | 'monthly'} */ (values.recurrence)
  const body = { recurrence, start_at: values.start, reference: values.reference, items }
  // The key is made of what is asked: the same file started twice makes one schedule.
  const idempotencyKey = `payroll-${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`
  const schedule = await cauri.schedules.create(body, { idempotencyKey })
  const { id, items_count, total_amount, currency, next_run_at } = schedule
  console.log(
    `${id}: ${items_count} lines, ${writtenAmount(total_amount, currency, 'en')} ${currency}, ${schedule.recurrence}, next ${next_run_at}`,
  )
}

async function bytesOf(path) {
  return readFile(path).catch((error) => {
    throw new RangeError(`${path} cannot be read (${error.code})`)
  })
}

/** Returns the lines of the schedule. Throws a RangeError that names every line of the file that cannot be read. */
function linesOf(bytes, currency) {
  const file = readPaymentFile(bytes, { currency, needsNames: true, callingCode: values.country ?? null })
  if (isUnreadable(file)) throw new RangeError(fileProblemText(file.problem, 'en'))
  const wrong = file.lines.flatMap(({ line, problem }) => (problem === null ? [] : [`  line ${line}: ${lineProblemText(problem, 'en')}`]))
  if (wrong.length > 0) throw new RangeError(`${wrong.join('\n')}\n${wrong.length} lines cannot be read: nothing was planned`)
  return file.lines.map(({ line, recipient, amount, reference, note }) => {
    const texts = { ...(reference === '' ? {} : { reference }), ...(note === '' ? {} : { note }) }
    return { at: line, item: { recipient, amount: amount ?? 0, ...texts } }
  })
}

async function main() {
  const bytes = await bytesOf(positionals[0] ?? join(import.meta.dirname, 'salaires.csv'))
  const { currency } = await cauri.balance()
  const lines = linesOf(bytes, currency)
  const files = []
  for (let first = 0; first < lines.length; first += LINES_MAX) files.push(lines.slice(first, first + LINES_MAX))
  let failedLines = 0
  for (const file of files) failedLines += await check(file)
  if (failedLines > 0) throw new RangeError(`${failedLines} lines cannot be paid: nothing was planned`)
  console.log(`${lines.length} lines can be paid`)
  if (values['dry-run']) return
  for (const file of files) await plan(file.map(({ item }) => item))
}

try {
  await main()
} catch (error) {
  if (!(error instanceof CauriError || error instanceof RangeError)) throw error
  console.error(`${error instanceof CauriError ? `${CAURI_URL}: ` : ''}${error.message}`)
  process.exitCode = 1
}
