// `npm run mutate`: plants the bugs of ./bugs one by one in a copy, and says which test caught each and how fast.
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { commandLine, wholeNumber } from '../../support/command-line.ts'
import type { PlantedBug } from './bug.ts'
import { BUGS } from './bugs/index.ts'
import { type BugResult, Copy } from './plant.ts'
import { reportOf } from './report.ts'

const JOBS_MAX = 16
const ROOT = dirname(dirname(dirname(import.meta.dirname)))

const USAGE = `npm run mutate -- [options]
  --only text           the bugs whose file or name contains the text (all)
  --from 1, --to 50     of these, by their place in the list
  --jobs 2              copies at once, each with the tests of one bug
  --json file           writes the results as JSON after each bug
  --report file.md      writes the table of what caught each bug
  --list                prints the bugs and plants none
Exit code 1: a bug survived.`

const values = commandLine(USAGE, {
  only: { type: 'string', default: '' },
  jobs: { type: 'string', default: '2' },
  from: { type: 'string', default: '1' },
  to: { type: 'string' },
  json: { type: 'string' },
  report: { type: 'string' },
  list: { type: 'boolean', default: false },
})
const jobs = wholeNumber('jobs', values.jobs, 1, JOBS_MAX)
const bugs = BUGS.filter(({ name, file }) => `${file}: ${name}`.includes(values.only)).slice(
  wholeNumber('from', values.from, 1) - 1,
  values.to === undefined ? BUGS.length : wholeNumber('to', values.to, 1),
)
const copies = new Set<Copy>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const copy of copies) copy.remove()
    process.exit(1)
  })
}
if (values.list) for (const { name, file } of bugs) console.log(`${file}: ${name}`)
else await plantAll(bugs)

async function plantAll(all: readonly PlantedBug[]): Promise<void> {
  const waiting = [...all]
  const results: BugResult[] = []
  const work = async (): Promise<void> => {
    const copy = new Copy(ROOT)
    copies.add(copy)
    try {
      for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
        const result = await copy.try(bug)
        results.push(result)
        console.log(lineOf(result))
        write(results)
      }
    } finally {
      copies.delete(copy)
      copy.remove()
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, all.length) }, work))
  const survivors = results.filter(({ caughtBy }) => caughtBy === null)
  console.log(`${results.length - survivors.length} of ${results.length} caught`)
  if (survivors.length > 0) process.exitCode = 1
}

/** After each bug, so that an interrupted run leaves what it found. */
function write(results: readonly BugResult[]): void {
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
  if (values.report !== undefined) writeFileSync(values.report, reportOf(results))
}

function lineOf({ name, file, caughtBy, timedOut, seconds }: BugResult): string {
  if (caughtBy === null && timedOut.length > 0) return `TIMED OUT ${file}: ${name} (${seconds} s)`
  if (caughtBy === null) return `SURVIVED  ${file}: ${name} (${seconds} s)`
  return `caught    ${file}: ${name} (${seconds} s)\n          by ${caughtBy.file}: ${caughtBy.test}`
}
