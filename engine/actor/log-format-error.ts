// The one error of a log that is not as it should be, whoever reads it.

/** Why a batch is refused; `code` is stable, `message` says which batch and what to do. */
export class LogFormatError extends Error {
  override readonly name = 'LogFormatError'
  readonly code: 'batch_damaged' | 'format_too_new' | 'chain_broken' | 'archive_ahead'
  /** What was found, in words that fit behind a colon: for whoever knows a better remedy than the message names. */
  readonly finding: string
  constructor(code: LogFormatError['code'], finding: string, message: string = finding) {
    super(message)
    this.code = code
    this.finding = finding
  }
}

/** For whoever reports on a log: what was found, whatever the error. */
export function findingOf(error: unknown): string {
  if (error instanceof LogFormatError) return error.finding
  return error instanceof Error ? error.message : String(error)
}
