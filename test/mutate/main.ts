// `npm run mutate`: plants the bugs of ./bugs one by one in a copy, and says which test caught each and how fast. Ends with 1 when a
// bug survived.
//
//   npm run mutate -- [--only text] [--jobs 2] [--json file] [--list]
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { PlantedBug } from './bug.ts'
import { BUGS } from './bugs/index.ts'
import { type BugResult, Copy } from './plant.ts'

const JOBS_MAX = 16
const ROOT = dirname(dirname(import.meta.dirname))

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    json: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})
const jobs = Number(values.jobs)
if (!Number.isInteger(jobs) || jobs < 1 || jobs > JOBS_MAX) throw new Error(`--jobs is a number from 1 to ${JOBS_MAX}`)
const bugs = BUGS.filter(({ name, file }) => `${file}: ${name}`.includes(values.only))
if (values.list) for (const { name, file } of bugs) console.log(`${file}: ${name}`)
else await plantAll(bugs)

async function plantAll(all: readonly PlantedBug[]): Promise<void> {
  const waiting = [...all]
  const results: BugResult[] = []
  const work = async (): Promise<void> => {
    const copy = new Copy(ROOT)
    try {
      for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
        const result = await copy.try(bug)
        results.push(result)
        console.log(lineOf(result))
      }
    } finally {
      copy.remove()
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, all.length) }, work))
  const survivors = results.filter(({ caughtBy }) => caughtBy === null)
  console.log(`${results.length - survivors.length} of ${results.length} caught`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
  if (survivors.length > 0) process.exitCode = 1
}

function lineOf({ name, file, caughtBy, seconds }: BugResult): string {
  if (caughtBy === null) return `SURVIVED  ${file}: ${name} (${seconds} s)`
  return `caught    ${file}: ${name} (${seconds} s)\n          by ${caughtBy.file}: ${caughtBy.test}`
}
