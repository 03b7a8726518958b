// A payroll: a CSV of salaries is checked line by line and becomes a schedule that pays every month.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Cauri, CauriError } from '@cauri/node'
import { readSalaries } from './salaries.js'

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

/** Checks each line as if it were paid now; returns the number of lines that no balance would help. `first` is the line of the CSV. */
async function check(items, first) {
  const report = await cauri.batches.dryRun({ items, reference: values.reference })
  const failed = report.items.filter(({ state }) => state === 'failed')
  for (const { index, recipient, failure_code } of failed) console.log(`  line ${first + index}: ${recipient}: ${failure_code}`)
  // The balance must be there when the schedule runs, not now.
  return failed.filter(({ failure_code }) => failure_code !== 'insufficient_balance').length
}

async function plan(items) {
  const recurrence = /** @type {'once' | 'weekly' | 'monthly'} */ (values.recurrence)
  const body = { recurrence, start_at: values.start, reference: values.reference, items }
  // The key is made of what is asked: the same file started twice makes one schedule.
  const idempotencyKey = `payroll-${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`
  const schedule = await cauri.schedules.create(body, { idempotencyKey })
  console.log(
    `${schedule.id}: ${schedule.items_count} lines, ${schedule.total_amount} XOF, ${schedule.recurrence}, next ${schedule.next_run_at}`,
  )
}

async function textOf(path) {
  return readFile(path, 'utf8').catch((error) => {
    throw new RangeError(`${path} cannot be read (${error.code})`)
  })
}

async function main() {
  const items = readSalaries(await textOf(positionals[0] ?? join(import.meta.dirname, 'salaires.csv')))
  const files = []
  for (let first = 0; first < items.length; first += LINES_MAX) files.push(items.slice(first, first + LINES_MAX))
  let failedLines = 0
  for (const [number, file] of files.entries()) failedLines += await check(file, number * LINES_MAX + 2)
  if (failedLines > 0) throw new RangeError(`${failedLines} lines cannot be paid: nothing was planned`)
  console.log(`${items.length} lines can be paid`)
  if (values['dry-run']) return
  for (const file of files) await plan(file)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof CauriError || error instanceof RangeError)) throw error
  console.error(`${error instanceof CauriError ? `${CAURI_URL}: ` : ''}${error.message}`)
  process.exitCode = 1
}
