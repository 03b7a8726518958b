// Logs: JSON lines on stdout, made in this one place so that what is secret is taken out in one place. Nobody logs a
// body, a header or a path as it was sent; the list below is the second line of defence.
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

export type { Logger }

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/** Names under which secrets go, here or in what callers and libraries hand over. */
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
  'operatorToken',
] as const

const DEPTH = 3

/** Each name at the top and in objects up to DEPTH levels down. */
const PATHS = SECRET_FIELDS.flatMap((name) =>
  Array.from({ length: DEPTH + 1 }, (_, depth) => '*.'.repeat(depth).concat(name).replaceAll('.[', '[')),
)

/** Writes to stdout unless a test says where. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    // Process id and host name say nothing that whoever collects the lines does not know.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: PATHS, censor: '[redacted]' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
