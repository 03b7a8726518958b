// Every setting, read from the environment once, at start. No other code reads the environment. An invalid value is a
// fault with the variable's name.
import { availableParallelism } from 'node:os'
import { isText } from '../../engine/contract/schema.ts'
import { LOG_BYTES_PER_DAY, type LogBudgets } from '../../engine/domain/log-budget/log-budget-limits.ts'
import { AMOUNT_MAX } from '../../engine/kernel/amount.ts'
import { CURRENCY_CODES, callingCodesOf, DEFAULT_CURRENCIES, isCurrency, type KeptCurrencies } from '../../engine/kernel/currency.ts'
import type { TopUpInstructions } from '../api/top-ups/top-up-routes.ts'
import type { SignupSetting } from '../auth/dashboard/dashboard-access.ts'
import type { FirebaseSetting } from '../auth/wallet/firebase.ts'
import { isGuessable, masterKeyFrom } from '../crypto/key-ring.ts'
import { MASTER_KEY_BYTES } from '../crypto/seal.ts'
import type { RateLimits } from '../server/rate-limit.ts'
import { isLoopbackHost } from '../server/remote-address.ts'
import { UV_THREADS_MIN } from '../server/server-limits.ts'
import { defaultHttpThreads, HTTP_THREADS_MAX } from '../server/threads/thread-limits.ts'
import { readWal, type WalSetting } from './cluster-settings.ts'
import { EnvironmentReader, type SettingFault } from './environment-reader.ts'
import { LIMITS_PRESETS, type LimitsPreset } from './limits-preset.ts'
import { LOG_LEVELS, type LogLevel } from './logging.ts'

export interface Settings {
  readonly mode: 'development' | 'production'
  readonly host: string
  /** 0 chooses a free port, which the `listening` line reports. */
  readonly port: number
  readonly dataDir: string
  /** Null: the listening address; in production only where it is a loopback address. No trailing slash. */
  readonly baseUrl: string | null
  readonly walletBaseUrl: string | null
  /** Null: baseUrl. */
  readonly checkoutBase: string | null
  /** Null: the operator's routes do not exist. */
  readonly operatorToken: string | null
  /** Live movements of operators above this amount need a second operator; null: none does. */
  readonly secondPersonAbove: number | null
  readonly secondPersonAboveDay: number | null
  /** The currencies that new accounts may have. The first is the default. */
  readonly currencies: KeptCurrencies
  readonly signup: SignupSetting
  /** Limits that an empty log begins with. */
  readonly limitsPreset: LimitsPreset
  /** Text of each top-up: where merchants send the money. */
  readonly topUpInstructions: TopUpInstructions
  /** Null: only requests from loopback and private addresses read /metrics. */
  readonly metricsToken: string | null
  /** Null in development only: a key is generated in the data folder. */
  readonly masterKey: Buffer | null
  readonly outboundAllowPrivate: boolean
  /** Number of trusted proxies in front of the server: each adds one entry to X-Forwarded-For. */
  readonly proxyHops: number
  /** Origins whose scripts may call routes of wallets and of the checkout. */
  readonly corsOrigins: readonly string[]
  /** Null: the development inbox. */
  readonly smsUrl: string | null
  /** Calling codes of the countries that get one-time codes, such as `+221`. */
  readonly smsCountries: readonly string[]
  /** One-time codes per minute over all callers. */
  readonly smsPerMinute: number
  readonly pushUrl: string | null
  readonly emailUrl: string | null
  /** Signs calls to the gateways; null: they are not signed. */
  readonly gatewaySecret: string | null
  readonly firebase: FirebaseSetting | null
  readonly sandboxThreads: number
  /** Threads that receive and send HTTP; 0: the engine's thread does it. */
  readonly httpThreads: number
  readonly rateLimits: RateLimits
  readonly logBudgets: LogBudgets
  readonly logLevel: LogLevel
  /** True when npm runs the server as its `start` script. A shell between them may not forward signals. */
  readonly isNpmScript: boolean
  readonly wal: WalSetting
}

const RATE_MAX = 1_000_000
const LOG_MB_MAX = 1_000_000
const MIB = 1024 * 1024
const OPERATOR_TOKEN = /^[!-~]{1,512}$/
/** METRICS_TOKEN and GATEWAY_SECRET. */
const SECRET = /^[!-~]{16,512}$/
const INSTRUCTIONS_LENGTH_MAX = 1000
const TOP_UP_INSTRUCTIONS =
  'Écrivez la référence de paiement dans le motif du virement. Le service vous communique ses coordonnées bancaires.'
/** Minimum length in production. */
const OPERATOR_TOKEN_LENGTH_MIN = 32
/** In lower case, as browsers send it. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::[0-9]{1,5})?$/
const CALLING_CODE = /^\+[1-9][0-9]{0,3}$/
/** At this rate, challenges of five minutes stay below CHALLENGES_MAX. */
const SMS_PER_MINUTE_MAX = 6_000
const GOOGLE_KEYS = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

/** Returns the settings, or all their faults. */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings | readonly SettingFault[] {
  const reader = new EnvironmentReader(variables)
  // Test runners set `test` for their processes.
  const mode =
    reader.choice('NODE_ENV', ['development', 'production', 'test'], 'development') === 'production' ? 'production' : 'development'
  const currencies = readCurrencies(reader)
  const settings: Settings = {
    mode,
    host: reader.text('HOST') ?? '127.0.0.1',
    port: reader.integer('PORT', { min: 0, max: 65_535, default: 8080 }),
    dataDir: reader.text('DATA_DIR') ?? './data',
    baseUrl: reader.url('BASE_URL'),
    walletBaseUrl: reader.url('WALLET_BASE_URL'),
    checkoutBase: reader.url('CHECKOUT_BASE'),
    operatorToken: readOperatorToken(reader, mode),
    secondPersonAbove: readAmount(reader, 'OPERATOR_DUAL_CONTROL'),
    secondPersonAboveDay: readAmount(reader, 'OPERATOR_DAY_CONTROL'),
    currencies,
    signup: reader.choice('SIGNUP', ['open', 'approval', 'closed'], mode === 'production' ? 'approval' : 'open'),
    limitsPreset: reader.choice('LIMITS_PRESET', LIMITS_PRESETS, 'none'),
    topUpInstructions: readInstructions(reader),
    metricsToken: readSecret(reader, 'METRICS_TOKEN'),
    masterKey: readMasterKey(reader, mode),
    outboundAllowPrivate: readAllowPrivate(reader, mode),
    proxyHops: reader.integer('PROXY_HOPS', { min: 0, max: 8, default: 0 }),
    corsOrigins: readOrigins(reader),
    smsUrl: reader.url('SMS_URL'),
    smsCountries: readCallingCodes(reader, currencies),
    smsPerMinute: reader.integer('SMS_PER_MINUTE', { min: 1, max: SMS_PER_MINUTE_MAX, default: 300 }),
    pushUrl: reader.url('PUSH_URL'),
    emailUrl: reader.url('EMAIL_URL'),
    gatewaySecret: readSecret(reader, 'GATEWAY_SECRET'),
    firebase: readFirebase(reader),
    httpThreads: reader.integer('HTTP_THREADS', { min: 0, max: HTTP_THREADS_MAX, default: defaultHttpThreads(availableParallelism()) }),
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

/** What the engine decides by. */
export function engineSettings({ logBudgets, currencies }: Settings): Pick<Settings, 'logBudgets' | 'currencies'> {
  return { logBudgets, currencies }
}

/**
 * Returns whether pages are served by https, so that cookies are Secure. In production over plain http browsers then
 * drop them, which is intended.
 */
export function hasSecurePages({ mode, baseUrl }: Settings): boolean {
  return mode === 'production' || (baseUrl?.startsWith('https:') ?? false)
}

/** Reads the operator's token. Messages never contain the value. */
function readOperatorToken(reader: EnvironmentReader, mode: Settings['mode']): string | null {
  const token = reader.text('OPERATOR_TOKEN')
  if (token === null) return null
  if (!OPERATOR_TOKEN.test(token)) reader.fault('OPERATOR_TOKEN', 'must be 1 to 512 printable ASCII characters without spaces')
  else if (mode === 'production' && token.length < OPERATOR_TOKEN_LENGTH_MIN) {
    reader.fault('OPERATOR_TOKEN', `must have at least ${OPERATOR_TOKEN_LENGTH_MIN} characters in production (openssl rand -hex 32)`)
  } else return token
  return null
}

function readAmount(reader: EnvironmentReader, name: string): number | null {
  return reader.text(name) === null ? null : reader.integer(name, { min: 0, max: AMOUNT_MAX, default: 0 })
}

/** A kind without a text of its own has the general one. */
function readInstructions(reader: EnvironmentReader): TopUpInstructions {
  const general = readInstruction(reader, 'TOP_UP_INSTRUCTIONS')
  const bank = readInstruction(reader, 'TOP_UP_INSTRUCTIONS_BANK')
  const mobileMoney = readInstruction(reader, 'TOP_UP_INSTRUCTIONS_MOBILE_MONEY')
  const ofEach = [bank, mobileMoney].filter((text) => text !== null).join('\n')
  const any = general ?? (ofEach === '' ? TOP_UP_INSTRUCTIONS : ofEach)
  return { any, bank: bank ?? any, mobile_money: mobileMoney ?? any }
}

/** Line breaks may be written as \n. Top-ups repeat the text, so its length is bounded. */
function readInstruction(reader: EnvironmentReader, name: string): string | null {
  const text = reader.text(name)?.replaceAll('\\n', '\n') ?? null
  if (text === null || isText(text, 'many', INSTRUCTIONS_LENGTH_MAX)) return text
  reader.fault(name, `must be text of at most ${INSTRUCTIONS_LENGTH_MAX} characters without control characters`)
  return null
}

/** Reads a secret of the operator. Messages never contain the value. */
function readSecret(reader: EnvironmentReader, name: 'METRICS_TOKEN' | 'GATEWAY_SECRET'): string | null {
  const secret = reader.text(name)
  if (secret === null || SECRET.test(secret)) return secret
  reader.fault(name, 'must be 16 to 512 printable ASCII characters without spaces (openssl rand -hex 32)')
  return null
}

function readMasterKey(reader: EnvironmentReader, mode: Settings['mode']): Buffer | null {
  const text = reader.text('MASTER_KEY')
  const how = `${MASTER_KEY_BYTES} random bytes in base64 (openssl rand -base64 ${MASTER_KEY_BYTES})`
  if (text === null) {
    if (mode === 'production') reader.fault('MASTER_KEY', `is required in production: ${how}`)
    return null
  }
  const key = masterKeyFrom(text)
  if (key === null) reader.fault('MASTER_KEY', `must be ${how}`)
  else if (mode === 'production' && isGuessable(key)) {
    reader.fault('MASTER_KEY', `must not be guessable in production: use ${how}`)
  } else return key
  return null
}

/** Requires a base URL in production: the listening address often works on this machine only. */
function checkBaseUrl(reader: EnvironmentReader, { mode, baseUrl, host }: Settings): void {
  if (mode === 'development' || baseUrl !== null || isLoopbackHost(host)) return
  if (reader.text('BASE_URL') === null) {
    reader.fault('BASE_URL', 'is required in production unless HOST is a loopback address: the public https address of this server')
  }
}

function readOrigins(reader: EnvironmentReader): readonly string[] {
  const text = reader.text('CORS_ORIGINS')
  const origins = [...new Set((text ?? '').split(',').map((origin) => origin.trim()))].filter((origin) => origin !== '')
  if (origins.every((origin) => ORIGIN.test(origin))) return origins
  reader.fault('CORS_ORIGINS', 'must be origins separated by commas, each a scheme and a host without a path: https://app.example.com')
  return []
}

function readCurrencies(reader: EnvironmentReader): KeptCurrencies {
  const text = reader.text('CURRENCIES')
  if (text === null) return DEFAULT_CURRENCIES
  const [first, ...others] = new Set(text.split(',').map((code) => code.trim()))
  if (isCurrency(first) && others.every(isCurrency)) return [first, ...others]
  reader.fault('CURRENCIES', `must be currencies separated by commas, each one of ${CURRENCY_CODES.join(' ')}: XOF,GHS`)
  return DEFAULT_CURRENCIES
}

/** Default: the countries of the currencies that are kept. */
function readCallingCodes(reader: EnvironmentReader, currencies: KeptCurrencies): readonly string[] {
  const text = reader.text('SMS_COUNTRIES')
  const kept = currencies.flatMap(callingCodesOf)
  if (text === null) return kept
  const codes = [...new Set(text.split(',').map((code) => code.trim()))]
  if (codes.every((code) => CALLING_CODE.test(code))) return codes
  reader.fault('SMS_COUNTRIES', 'must be calling codes separated by commas, each with its plus: +221,+225')
  return kept
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
 * Checks UV_THREADPOOL_SIZE, which libuv reads before any code runs. The log commits on its threads. With fewer than
 * four, an archive commit and two file reads delay every payout.
 */
function checkThreads(reader: EnvironmentReader): void {
  reader.integer('UV_THREADPOOL_SIZE', { min: UV_THREADS_MIN, max: 1024, default: UV_THREADS_MIN })
}

/**
 * Rejects NODE_TLS_REJECT_UNAUTHORIZED=0, which makes Node.js skip certificates: an attacker could answer a lookup or
 * read a webhook.
 */
function checkCertificates(reader: EnvironmentReader, mode: Settings['mode']): void {
  if (mode !== 'production' || reader.text('NODE_TLS_REJECT_UNAUTHORIZED') !== '0') return
  reader.fault('NODE_TLS_REJECT_UNAUTHORIZED', 'must not be 0 in production: name further authorities in NODE_EXTRA_CA_CERTS')
}
