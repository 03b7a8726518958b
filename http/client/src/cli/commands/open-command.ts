// `open`: shows a page of the service in the browser.
import { spawn } from 'node:child_process'
import type { Command, CommandContext } from '../command.ts'
import { CredentialsError, UsageError } from '../command-errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { DEFAULT_URL } from '../profile.ts'

const PAGES = {
  dashboard: '/dashboard',
  docs: '/docs',
  reference: '/docs/reference',
  errors: '/docs/errors',
  openapi: '/openapi.yaml',
  phone: '/dev/phone',
  inbox: '/dev',
} as const

/** Programs that open an address, by system. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' }

export const OPEN: Command = {
  name: ['open'],
  takes: '<page>',
  choices: Object.keys(PAGES),
  summary: 'Open a page of the service in the browser',
  about: `Pages: ${Object.keys(PAGES).join(', ')}. phone and inbox are those of a development server. BROWSER names another program.`,
  options: {},
  examples: [['cauri open dashboard', 'prints the address, and opens it']],
  run: open,
}

async function open(context: CommandContext): Promise<ExitCode> {
  const { given, env, output } = context
  const name = given.argument('page')
  if (!Object.hasOwn(PAGES, name)) throw new UsageError(`pages: ${Object.keys(PAGES).join(', ')}`)
  const base = new URL(addressOf(context))
  if (base.protocol !== 'http:' && base.protocol !== 'https:') throw new UsageError(`${base.href} is no address of a service`)
  const url = base.href.replace(/\/+$/, '') + PAGES[name as keyof typeof PAGES]
  output.result({ url }, [url])
  const program = env.BROWSER ?? OPENERS[process.platform] ?? 'xdg-open'
  const failure = await started(program, url)
  if (failure !== null) output.note(`${program} did not start (${failure}): open the address yourself`)
  return EXIT.done
}

/** A page needs no keys. */
function addressOf({ given, env, profile }: CommandContext): string {
  try {
    return profile().url
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error
    return given.text('url') ?? env.CAURI_URL ?? DEFAULT_URL
  }
}

/** Resolves with null once the program runs, or with the reason why it does not. It is not waited for. */
function started(program: string, url: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, [url], { stdio: 'ignore', detached: true })
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    child.once('spawn', () => {
      child.unref()
      resolve(null)
    })
  })
}
