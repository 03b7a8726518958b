// The log as the floors below the application see it; pino stands behind it (http/app/logging.ts).

interface Write {
  (fields: object, message?: string): void
  (message: string): void
}

export interface Logger {
  isLevelEnabled(level: string): boolean
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}
