// The result file of a proof's long form: `npm run figures -- FILE` takes its figures into the documents.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../../bench/figures/figures.ts'
import { machineText, type ProofResult } from '../../bench/figures/kept-results.ts'
import { describeMachine } from '../../bench/limits/machine.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(ROOT, 'bench', 'results')

/** Writes the figures of a run that ended, in place of those of the run before. Returns the path. */
export function writeProofResult(proof: string, figures: Readonly<Record<string, Figure>>): string {
  const machine = describeMachine(ROOT)
  const { commit, node } = machine
  const result: ProofResult = { proof, date: new Date().toISOString(), commit, machine: machineText(machine), node, runs: 1, figures }
  mkdirSync(FOLDER, { recursive: true })
  const path = join(FOLDER, `${proof.replaceAll(/[^\w]+/g, '-')}.json`)
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`)
  return path
}

/** Returns the numbers of a report and of the records in it, and the lengths of its lists. */
export function numbersOf(report: object): Record<string, number> {
  return Object.fromEntries(
    Object.entries(report).flatMap(([name, value]: [string, unknown]): [string, number][] => {
      if (typeof value === 'number' && Number.isFinite(value)) return [[name, value]]
      if (Array.isArray(value)) return [[name, value.length]]
      if (typeof value !== 'object' || value === null) return []
      return Object.entries(numbersOf(value)).map(([inner, count]) => [`${name} ${inner}`, count])
    }),
  )
}
