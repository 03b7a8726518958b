// `doctor`: checks what an integration and an installation depend on, each with what to do about it.
import { readFile, stat, statfs } from 'node:fs/promises'
import type { AnswerHead } from '../../answers.ts'
import { Cauri } from '../../cauri.ts'
import { ApiError } from '../../errors.ts'
import type { Command, CommandContext } from '../command.ts'
import { CredentialsError, UsageError } from '../command-errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { columns } from '../output.ts'
import { DEFAULT_URL } from '../profile.ts'
import { settingFindings } from '../server-settings.ts'

export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly text: string
}

/** Major version of the service that this client was made for. */
const SERVICE_MAJOR = '1'
const NODE_MAJOR_MIN = 18
/** Signatures of webhooks are refused beyond 300 s. */
const SKEW_WARNING_S = 30
const SKEW_MAX_S = 300
const DISK_WARNING_BYTES = 5 * 1024 ** 3
const DISK_MIN_BYTES = 1024 ** 3
const REQUEST_ID = 'cauri-doctor-1'
/** Variables by which HTTP clients find a forward proxy. */
const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const

export const DOCTOR: Command = {
  name: ['doctor'],
  summary: 'Check keys, versions, clock, proxy, and on the machine of a server its disk and settings',
  options: {
    data: { type: 'string', value: 'FOLDER', about: 'data folder of a server on this machine: checks its disk' },
    'env-file': { type: 'string', value: 'FILE', about: 'settings of a production server: checks them' },
  },
  examples: [
    ['cauri doctor', 'of an integration: address, keys, clock, proxy'],
    ['cauri doctor --data ./data --env-file .env', 'on the machine of a server'],
  ],
  run: doctor,
}

async function doctor(context: CommandContext): Promise<ExitCode> {
  const { given, output } = context
  const data = given.text('data')
  const settings = given.text('env-file')
  const findings: readonly Finding[] = [
    nodeFinding(),
    ...(await serviceFindings(context)),
    ...proxyVariables(context),
    ...(data === undefined ? [] : await diskFindings(data)),
    ...(settings === undefined ? [] : settingFindings(await textOf(settings))),
  ]
  const isGood = findings.every(({ state }) => state !== 'failed')
  output.result({ ok: isGood, findings }, columns(findings.map(({ check, state, text }) => [state, check, text])))
  return isGood ? EXIT.done : EXIT.rejected
}

function nodeFinding(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  const isGood = major >= NODE_MAJOR_MIN
  return { check: 'node', state: isGood ? 'ok' : 'failed', text: `Node.js ${process.versions.node}${isGood ? '' : ', 18 is needed'}` }
}

/** Address, version, clock, proxy and keys, by two requests. */
async function serviceFindings(context: CommandContext): Promise<Finding[]> {
  const { url, api, keys } = accessOf(context)
  let head: AnswerHead | undefined
  const onAnswer = (answered: AnswerHead): void => {
    head = answered
  }
  try {
    const startedMs = Date.now()
    const { version } = await api.health({ onAnswer })
    const { headers } = head as unknown as AnswerHead
    return [
      { check: 'address', state: 'ok', text: `${url} answers` },
      versionFinding(version),
      clockFinding(headers, startedMs, Date.now()),
      transportFinding(url, headers),
      ...(keys === null ? await keyFindings(api) : [keys]),
    ]
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return [{ check: 'address', state: 'failed', text: `${url}: ${text}. Is the service running, and the address right?` }]
  }
}

interface Access {
  readonly url: string
  readonly api: Cauri
  /** What is wrong with the keys before a request; null when there are keys. */
  readonly keys: Finding | null
}

/** Without keys the address is checked all the same. */
function accessOf({ given, env, profile, client }: CommandContext): Access {
  try {
    return { url: profile().url, api: client(), keys: null }
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error
    const url = given.text('url') ?? env.CAURI_URL ?? DEFAULT_URL
    // The machine of a server needs no keys of a merchant.
    const isServer = given.text('data') !== undefined || given.text('env-file') !== undefined
    const keys = { check: 'keys', state: isServer ? 'warning' : 'failed', text: error.message } as const
    return { url, api: new Cauri({ baseUrl: url, publicKey: 'none', secretKey: 'none', userAgent: 'cauri-cli', language: 'en' }), keys }
  }
}

function versionFinding(version: string): Finding {
  const isSame = version.split('.')[0] === SERVICE_MAJOR
  const more = isSame ? '' : `; this client is made for ${SERVICE_MAJOR}.x: install the client of the service's version`
  return { check: 'version', state: isSame ? 'ok' : 'warning', text: `service ${version}${more}` }
}

/** `Date` has seconds, and the answer took its time. */
function clockFinding(headers: Headers, startedMs: number, endedMs: number): Finding {
  const serverMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(serverMs)) return { check: 'clock', state: 'warning', text: 'the service sends no Date header' }
  const behindMs = startedMs - (serverMs + 999)
  const aheadMs = serverMs - endedMs
  const skewS = Math.max(0, Math.ceil(Math.max(behindMs, aheadMs) / 1000))
  if (skewS <= SKEW_WARNING_S) return { check: 'clock', state: 'ok', text: `within ${skewS} s of the service` }
  const text = `${skewS} s away from the service: set it by NTP. Signatures of webhooks are refused beyond ${SKEW_MAX_S} s`
  return { check: 'clock', state: skewS > SKEW_MAX_S ? 'failed' : 'warning', text }
}

function transportFinding(url: string, headers: Headers): Finding {
  const { protocol, hostname } = new URL(url)
  const via = headers.get('via') ?? headers.get('server')
  if (protocol === 'http:' && hostname !== 'localhost' && !hostname.startsWith('127.')) {
    return { check: 'tls', state: 'failed', text: 'plain http: keys travel unencrypted. Put TLS in front of the service' }
  }
  return { check: 'tls', state: 'ok', text: `${protocol}//${via === null ? '' : `, through ${via}`}` }
}

async function keyFindings(api: Cauri): Promise<Finding[]> {
  let head: AnswerHead | undefined
  const onAnswer = (answered: AnswerHead): void => {
    head = answered
  }
  try {
    const { environment, merchant_id, scopes } = await api.ping({ onAnswer })
    const rate = (head as AnswerHead | undefined)?.headers.get('ratelimit-limit') ?? null
    return [
      { check: 'keys', state: 'ok', text: `${environment}, merchant ${merchant_id}, scopes ${scopes.join(', ') || 'none'}` },
      { check: 'rate limit', state: 'ok', text: rate === null ? 'none' : `${rate} requests a second` },
      await proxyFinding(api),
    ]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [{ check: 'keys', state: 'failed', text: `${error.code}: ${error.message} Run cauri login` }]
  }
}

/** A proxy that drops or rewrites the headers of retries makes a repeated payout a second one. */
async function proxyFinding(api: Cauri): Promise<Finding> {
  let echoed: string | null = null
  const onAnswer = ({ headers }: AnswerHead): void => {
    echoed = headers.get('idempotency-key')
  }
  await api.payouts.checkRecipient('@cauri_doctor', { idempotencyKey: REQUEST_ID, onAnswer }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
  if (echoed === REQUEST_ID) return { check: 'proxy', state: 'ok', text: 'Idempotency-Key arrives as it was sent' }
  return { check: 'proxy', state: 'warning', text: 'the answer does not repeat Idempotency-Key: does a proxy drop the header?' }
}

function proxyVariables({ env }: CommandContext): Finding[] {
  const names = PROXY_VARIABLES.filter((name) => (env[name] ?? '') !== '')
  if (names.length === 0) return []
  const text = `${names.join(', ')} is set; fetch of Node.js reads it from version 24 on with NODE_USE_ENV_PROXY=1`
  return [{ check: 'forward proxy', state: 'warning', text }]
}

async function diskFindings(folder: string): Promise<Finding[]> {
  try {
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    const text = `${(free / 1024 ** 3).toFixed(1)} GiB free below ${folder}`
    const state = free < DISK_MIN_BYTES ? 'failed' : free < DISK_WARNING_BYTES ? 'warning' : 'ok'
    const { mode } = await stat(folder)
    const isOpen = (mode & 0o007) !== 0
    return [
      { check: 'disk', state, text: state === 'ok' ? text : `${text}: the log only grows, enlarge the disk` },
      {
        check: 'folder',
        state: isOpen ? 'warning' : 'ok',
        text: isOpen ? `other users may read ${folder}: chmod o-rwx` : 'closed to other users',
      },
    ]
  } catch (error) {
    return [{ check: 'disk', state: 'failed', text: `${folder}: ${(error as Error).message}` }]
  }
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${error.code})`)
  })
}
