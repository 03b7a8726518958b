// Logger: JSON lines on stdout with secrets redacted. No code logs a body, a header or a raw path; the list below is
// a second defence.
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

export type { Logger }

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/** Field names of secrets, here and in objects of callers and libraries. */
export const SECRET_FIELDS = [
  'pin',
  'new_pin',
  'otp',
  'password',
  'secret',
  'secret_key',
  'lookup_secret',
  'api_secret',
  'apiSecret',
  '["x-api-secret"]',
  'authorization',
  'cookie',
  '["set-cookie"]',
  'csrf_token',
  'token',
  'access_token',
  'device_token',
  'signup_token',
  'login_token',
  'id_token',
  'ticket',
  'masterKey',
  'rootKeys',
  'operatorToken',
] as const

const DEPTH = 3

/** Each name at the top level and up to DEPTH levels down. */
const PATHS = SECRET_FIELDS.flatMap((name) =>
  Array.from({ length: DEPTH + 1 }, (_, depth) => '*.'.repeat(depth).concat(name).replaceAll('.[', '[')),
)

/** Creates the logger. `destination` replaces stdout in tests. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    // Process id and host name are left out, because the log collector knows them.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: PATHS, censor: '[redacted]' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
