// The command line of a proof: its options, `--help`, and numbers. A mistake of the caller ends the process with 2 and the usage.
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Values<Given extends Options> = ReturnType<typeof parseArgs<{ options: Given }>>['values']

const MISTAKE = 2

/** The options that are given. Prints the usage and ends the process for `--help`; with 2 for an option that is unknown or has no value. */
export function commandLine<const Given extends Options>(usage: string, options: Given): Values<Given> {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    console.log(usage)
    process.exit()
  }
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    return mistake(`${(error as Error).message}\n\n${usage}`)
  }
}

/** A whole number of the command line, `min` to `max`; everything else ends the process with 2. */
export function wholeNumber(name: string, text: string, min = 0, max = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  const upTo = max === Number.MAX_SAFE_INTEGER ? 'up' : `to ${max}`
  return mistake(`--${name} is a whole number from ${min} ${upTo}, not ${JSON.stringify(text)}`)
}

/** Ends the process with 2. */
export function mistake(message: string): never {
  console.error(message)
  process.exit(MISTAKE)
}
