// The report of a run as a table of Markdown: each bug, the test that caught it, and how fast.
import type { BugResult } from './plant.ts'

/** Returns the table in the order of files and names. */
export function reportOf(results: readonly BugResult[]): string {
  const caught = results.filter(({ caughtBy }) => caughtBy !== null)
  const rows = results.map(rowOf).sort()
  return [
    '# Planted bugs',
    '',
    `${caught.length} of ${results.length} caught. \`npm run mutate -- --report <file>\` writes this table. Seconds hold the start of the test's process.`,
    '',
    '| file | bug | caught by | s |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function rowOf({ name, file, caughtBy, seconds }: BugResult): string {
  const by = caughtBy === null ? '**survived**' : `\`${caughtBy.file}\`: ${caughtBy.test}`
  return `| \`${file}\` | ${cell(name)} | ${cell(by)} | ${seconds} |`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
