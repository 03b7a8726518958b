// The help of the command line, made from the table of commands.
import type { Command } from './command.ts'
import { COMMANDS } from './command-table.ts'
import { COMMON_OPTIONS, type OptionSpec } from './given.ts'
import { columns } from './output.ts'

const ABOUT = `cauri: the merchant API of Cauri from a terminal.

Usage: cauri <command> [options]`

const ENDING = `Exit codes: 0 done, 1 rejected or a check failed, 2 wrong arguments, 3 unreachable, 4 keys missing or not accepted,
5 some payouts failed, 130 interrupted.

Keys come from --profile, or else from CAURI_API_KEY and CAURI_API_SECRET (address: CAURI_URL), or else from the profile that
cauri login made. cauri --version prints the version.
cauri help <command> shows options and examples.`

/** All commands, or those of a group. */
export function overview(group?: string): string {
  const shown = COMMANDS.filter(({ name }) => group === undefined || name[0] === group)
  const listed = group === undefined ? shown.filter(({ isDerived }) => isDerived !== true) : shown
  const rows = listed.map(({ name, takes, summary }) => [`  ${[...name, ...(takes === undefined ? [] : [takes])].join(' ')}`, summary])
  const nouns = group === undefined ? [`Routes of the API: cauri <noun> <verb>, cauri help <noun>\n${nounRows().join('\n')}`] : []
  return [ABOUT, columns(rows).join('\n'), ...nouns, ENDING].join('\n\n')
}

/** A line for each noun whose commands are made from routes. */
function nounRows(): string[] {
  const verbs = new Map<string, string[]>()
  for (const { name, isDerived } of COMMANDS) {
    const [noun = '', verb = ''] = name
    if (isDerived === true) verbs.set(noun, [...(verbs.get(noun) ?? []), verb])
  }
  return columns([...verbs].map(([noun, names]) => [`  ${noun}`, names.join(', ')]))
}

export function commandHelp({ name, takes, summary, about, options, examples }: Command): string {
  const usage = ['cauri', ...name, ...(takes === undefined ? [] : [takes]), '[options]'].join(' ')
  return [
    `${summary}.`,
    ...(about === undefined ? [] : [about]),
    `Usage: ${usage}`,
    `Options:\n${optionRows({ ...options, ...COMMON_OPTIONS }).join('\n')}`,
    `Examples:\n${examples.map(([line, text]) => `  # ${text}\n  ${line}`).join('\n')}`,
  ].join('\n\n')
}

function optionRows(options: Readonly<Record<string, OptionSpec>>): string[] {
  return columns(
    Object.entries(options).map(([name, { value, about, isRequired }]) => [
      `  --${name}${value === undefined ? '' : ` ${value}`}`,
      `${about}${isRequired === true ? ' (required)' : ''}`,
    ]),
  )
}
