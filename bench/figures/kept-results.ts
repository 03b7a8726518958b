// The file of kept results, and what it takes from the result of a run.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../limits/machine.ts'
import { type BenchResult, isBenchResult } from '../report/bench-result.ts'
import type { KeptResult, KeptResults } from './figures.ts'

const FILE = join(import.meta.dirname, '..', 'figures.json')
const BLOCKS = join(import.meta.dirname, 'blocks')

/** Documents with figures, from the project's folder. */
export const DOCUMENTS = ['README.md', 'RELIABILITY.md', 'bench/README.md', 'bench/SCALE.md']

/** Result of a proof, as its command writes it. */
export interface ProofResult extends KeptResult {
  readonly proof: string
}

export function readTemplate(name: string): string {
  return readFileSync(join(BLOCKS, `${name}.md`), 'utf8')
}

export function readKept(): KeptResults {
  return JSON.parse(readFileSync(FILE, 'utf8')) as KeptResults
}

/** Keeps results in place of those of the same rows or proof. */
export function keep(taken: KeptResults): void {
  const order = new Intl.Collator('en', { numeric: true })
  const all = Object.entries({ ...readKept(), ...taken }).sort(([one], [other]) => order.compare(one, other))
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
}

/** Returns the results of a file. Throws for a file of another kind. */
export function takenFrom(path: string): KeptResults {
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (isBenchResult(parsed)) return rowsOf(parsed)
  if (isProofResult(parsed)) return proofOf(parsed)
  throw new Error(`${path} is no result of the bench and none of a proof`)
}

export function machineText({ cores, processor }: Pick<Machine, 'cores' | 'processor'>): string {
  return `${cores} cores of an ${shortName(processor)}`
}

function shortName(processor: string): string {
  return processor
    .replace(/\(R\)|\(TM\)|CPU|Processor/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Claims that could not be measured are left out. */
function rowsOf({ date, limits, options, rows }: BenchResult): KeptResults {
  const { commit, node } = limits.machine
  const run = { date, commit, machine: machineText(limits.machine), node, runs: options.repeat }
  return Object.fromEntries(
    rows.map(({ number, claims }) => {
      const measured = claims.flatMap(({ what, value, figure }) => (value === null ? [] : [[what, { ...value, text: figure }] as const]))
      return [`row ${number}${placeOf(limits.machine)}`, { ...run, figures: Object.fromEntries(measured) }]
    }),
  )
}

/** Machine and Node.js of the rows that have no more than a number. Those of another one are kept beside them: `row 4 on Intel Xeon`. */
const USUAL = { processor: 'AMD EPYC', node: 'v20.' } as const

function placeOf({ processor, node }: Pick<Machine, 'processor' | 'node'>): string {
  const machine = processor.startsWith(USUAL.processor) ? [] : [shortName(processor)]
  const version = node.startsWith(USUAL.node) ? [] : [`Node ${node.slice(1).split('.')[0]}`]
  const place = [...machine, ...version].join(', ')
  return place === '' ? '' : ` on ${place}`
}

function proofOf({ proof, ...result }: ProofResult): KeptResults {
  return { [proof]: result }
}

function isProofResult(parsed: unknown): parsed is ProofResult {
  return typeof parsed === 'object' && parsed !== null && 'proof' in parsed && 'figures' in parsed
}
