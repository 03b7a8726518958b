// Logger interface for the layers below the application; pino implements it (http/app/logging.ts).

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
