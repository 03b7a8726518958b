// Every setting, read from the environment once, at start. Nothing else in the project reads the environment, and
// nothing is guessed: what cannot be understood is a fault with the variable's name.
import { LOG_BYTES_PER_DAY, type LogBudgets } from '../../engine/domain/log-budget/log-budget-limits.ts'
import type { FirebaseSetting } from '../auth/wallet/firebase.ts'
import { MASTER_KEY_BYTES } from '../crypto/seal.ts'
import type { RateLimits } from '../server/rate-limit.ts'
import { isLoopbackHost } from '../server/remote-address.ts'
import { UV_THREADS_MIN } from '../server/server-limits.ts'
import { readWal, type WalSetting } from './cluster-settings.ts'
import { EnvironmentReader, type SettingFault } from './environment-reader.ts'
import { LOG_LEVELS, type LogLevel } from './logging.ts'

export interface Settings {
  readonly mode: 'development' | 'production'
  readonly host: string
  /** 0: any; the `listening` line says which. */
  readonly port: number
  readonly dataDir: string
  /** Null: the address that the server listens on; in production only where that is a loopback address. No slash at the end. */
  readonly baseUrl: string | null
  readonly walletBaseUrl: string | null
  /** Null: baseUrl. */
  readonly checkoutBase: string | null
  /** Null: the operator's routes do not exist. */
  readonly operatorToken: string | null
  /** Null: only requests from loopback and private addresses read /metrics. */
  readonly metricsToken: string | null
  /** Null, in development only: one is made and kept in the data folder. */
  readonly masterKey: Buffer | null
  readonly outboundAllowPrivate: boolean
  /** Proxies of ours in front of this server: that many entries of X-Forwarded-For are theirs. */
  readonly proxyHops: number
  /** Null: the development inbox. */
  readonly smsUrl: string | null
  /** Calling codes that one-time codes are sent to, such as `+221`. */
  readonly smsCountries: readonly string[]
  /** One-time codes a minute of all callers together. */
  readonly smsPerMinute: number
  readonly pushUrl: string | null
  readonly firebase: FirebaseSetting | null
  readonly sandboxThreads: number
  readonly rateLimits: RateLimits
  readonly logBudgets: LogBudgets
  readonly logLevel: LogLevel
  /** npm runs the server as its `start` script: a shell may stand between them that does not pass signals on. */
  readonly isNpmScript: boolean
  readonly wal: WalSetting
}

const RATE_MAX = 1_000_000
const LOG_MB_MAX = 1_000_000
const MIB = 1024 * 1024
const OPERATOR_TOKEN = /^[!-~]{1,512}$/
const METRICS_TOKEN = /^[!-~]{16,512}$/
/** In production. */
const OPERATOR_TOKEN_LENGTH_MIN = 32
/** Of the 32 bytes of a master key in production: a random one has fewer about once in 10^36. */
const DIFFERENT_BYTES_MIN = 8
const CALLING_CODE = /^\+[1-9][0-9]{0,3}$/
/** Benin, Burkina Faso, Côte d’Ivoire, Guinea-Bissau, Mali, Niger, Senegal, Togo: the countries of the XOF. */
const XOF_CALLING_CODES = ['+229', '+226', '+225', '+245', '+223', '+227', '+221', '+228'] as const
/** Each challenge is open for five minutes: at this rate they stay below CHALLENGES_MAX. */
const SMS_PER_MINUTE_MAX = 6_000
const GOOGLE_KEYS = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

/** The settings, or everything that is wrong with them. */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings | readonly SettingFault[] {
  const reader = new EnvironmentReader(variables)
  // `test` is what test runners set for the processes that they start.
  const mode =
    reader.choice('NODE_ENV', ['development', 'production', 'test'], 'development') === 'production' ? 'production' : 'development'
  const settings: Settings = {
    mode,
    host: reader.text('HOST') ?? '127.0.0.1',
    port: reader.integer('PORT', { min: 0, max: 65_535, default: 8080 }),
    dataDir: reader.text('DATA_DIR') ?? './data',
    baseUrl: reader.url('BASE_URL'),
    walletBaseUrl: reader.url('WALLET_BASE_URL'),
    checkoutBase: reader.url('CHECKOUT_BASE'),
    operatorToken: readOperatorToken(reader, mode),
    metricsToken: readMetricsToken(reader),
    masterKey: readMasterKey(reader, mode),
    outboundAllowPrivate: readAllowPrivate(reader, mode),
    proxyHops: reader.integer('PROXY_HOPS', { min: 0, max: 8, default: 0 }),
    smsUrl: reader.url('SMS_URL'),
    smsCountries: readCallingCodes(reader),
    smsPerMinute: reader.integer('SMS_PER_MINUTE', { min: 1, max: SMS_PER_MINUTE_MAX, default: 300 }),
    pushUrl: reader.url('PUSH_URL'),
    firebase: readFirebase(reader),
    sandboxThreads: reader.integer('SANDBOX_THREADS', { min: 1, max: 64, default: 8 }),
    rateLimits: {
      live: reader.integer('RATE_LIMIT_LIVE', { min: 0, max: RATE_MAX, default: 2000 }),
      test: reader.integer('RATE_LIMIT_TEST', { min: 0, max: RATE_MAX, default: 200 }),
    },
    logBudgets: {
      live: MIB * reader.integer('LOG_MB_PER_DAY_LIVE', { min: 0, max: LOG_MB_MAX, default: LOG_BYTES_PER_DAY.live / MIB }),
      test: MIB * reader.integer('LOG_MB_PER_DAY_TEST', { min: 0, max: LOG_MB_MAX, default: LOG_BYTES_PER_DAY.test / MIB }),
      unproven: MIB * reader.integer('LOG_MB_PER_DAY_UNPROVEN', { min: 0, max: LOG_MB_MAX, default: LOG_BYTES_PER_DAY.unproven / MIB }),
    },
    logLevel: reader.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    isNpmScript: reader.text('npm_lifecycle_event') === 'start' && reader.text('npm_package_name') === 'cauri',
    wal: readWal(reader),
  }
  checkThreads(reader)
  checkCertificates(reader, mode)
  checkBaseUrl(reader, settings)
  return reader.faults.length === 0 ? settings : reader.faults
}

/** Whether browsers reach the pages by https: then cookies say so. Over plain http in production they would not be kept, and that is right. */
export function hasSecurePages({ mode, baseUrl }: Settings): boolean {
  return mode === 'production' || (baseUrl?.startsWith('https:') ?? false)
}

/** Messages never contain the value: it is the operator's credential. */
function readOperatorToken(reader: EnvironmentReader, mode: Settings['mode']): string | null {
  const token = reader.text('OPERATOR_TOKEN')
  if (token === null) return null
  if (!OPERATOR_TOKEN.test(token)) reader.fault('OPERATOR_TOKEN', 'must be 1 to 512 printable ASCII characters without spaces')
  else if (mode === 'production' && token.length < OPERATOR_TOKEN_LENGTH_MIN) {
    reader.fault('OPERATOR_TOKEN', `must have at least ${OPERATOR_TOKEN_LENGTH_MIN} characters in production (openssl rand -hex 32)`)
  } else return token
  return null
}

/** The value is never repeated. */
function readMetricsToken(reader: EnvironmentReader): string | null {
  const token = reader.text('METRICS_TOKEN')
  if (token === null || METRICS_TOKEN.test(token)) return token
  reader.fault('METRICS_TOKEN', 'must be 16 to 512 printable ASCII characters without spaces (openssl rand -hex 32)')
  return null
}

function readMasterKey(reader: EnvironmentReader, mode: Settings['mode']): Buffer | null {
  const text = reader.text('MASTER_KEY')
  const how = `${MASTER_KEY_BYTES} random bytes in base64 (openssl rand -base64 ${MASTER_KEY_BYTES})`
  if (text === null) {
    if (mode === 'production') reader.fault('MASTER_KEY', `is required in production: ${how}`)
    return null
  }
  const key = Buffer.from(text, 'base64')
  const isWhole = key.length === MASTER_KEY_BYTES && key.toString('base64').replaceAll('=', '') === text.replaceAll('=', '')
  if (!isWhole) reader.fault('MASTER_KEY', `must be ${how}`)
  else if (mode === 'production' && new Set(key).size < DIFFERENT_BYTES_MIN) {
    reader.fault('MASTER_KEY', `must not be guessable in production: use ${how}`)
  } else return key
  return null
}

/** Without it customers get links to the address that the server listens on, which only this machine can reach or resolve. */
function checkBaseUrl(reader: EnvironmentReader, { mode, baseUrl, host }: Settings): void {
  if (mode === 'development' || baseUrl !== null || isLoopbackHost(host)) return
  if (reader.text('BASE_URL') === null) {
    reader.fault('BASE_URL', 'is required in production unless HOST is a loopback address: the public https address of this server')
  }
}

function readCallingCodes(reader: EnvironmentReader): readonly string[] {
  const text = reader.text('SMS_COUNTRIES')
  if (text === null) return XOF_CALLING_CODES
  const codes = [...new Set(text.split(',').map((code) => code.trim()))]
  if (codes.every((code) => CALLING_CODE.test(code))) return codes
  reader.fault('SMS_COUNTRIES', 'must be calling codes separated by commas, each with its plus: +221,+225')
  return XOF_CALLING_CODES
}

function readAllowPrivate(reader: EnvironmentReader, mode: Settings['mode']): boolean {
  const allowed = reader.flag('OUTBOUND_ALLOW_PRIVATE')
  if (allowed && mode === 'production') {
    reader.fault('OUTBOUND_ALLOW_PRIVATE', 'must not be true in production: merchants could reach what stands behind this server')
  }
  return allowed
}

function readFirebase(reader: EnvironmentReader): FirebaseSetting | null {
  const projectId = reader.text('FIREBASE_PROJECT_ID')
  const jwksUrl = reader.url('FIREBASE_JWKS_URL')
  const issuer = reader.text('FIREBASE_ISSUER')
  if (projectId !== null)
    return { projectId, jwksUrl: jwksUrl ?? GOOGLE_KEYS, issuer: issuer ?? `https://securetoken.google.com/${projectId}` }
  if (jwksUrl !== null || issuer !== null) reader.fault('FIREBASE_PROJECT_ID', 'is required with FIREBASE_JWKS_URL and FIREBASE_ISSUER')
  return null
}

/**
 * libuv reads this one itself, before any of our code runs. Commits of the log run on its threads: with fewer than
 * four, an archive commit and two file reads hold up every payout.
 */
function checkThreads(reader: EnvironmentReader): void {
  reader.integer('UV_THREADPOOL_SIZE', { min: UV_THREADS_MIN, max: 1024, default: UV_THREADS_MIN })
}

/** Node reads it itself, and then looks at no certificate: whoever stands between could answer a lookup, or read a webhook. */
function checkCertificates(reader: EnvironmentReader, mode: Settings['mode']): void {
  if (mode !== 'production' || reader.text('NODE_TLS_REJECT_UNAUTHORIZED') !== '0') return
  reader.fault('NODE_TLS_REJECT_UNAUTHORIZED', 'must not be 0 in production: name further authorities in NODE_EXTRA_CA_CERTS')
}
