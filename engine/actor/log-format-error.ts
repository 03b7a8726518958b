// The error of a log that cannot be read.

/** Says why a batch is rejected; `code` is stable, `message` names the batch and the remedy. */
export class LogFormatError extends Error {
  override readonly name = 'LogFormatError'
  readonly code: 'batch_damaged' | 'format_too_new' | 'format_too_old' | 'chain_broken' | 'archive_ahead'
  /** What was found, without the remedy, for callers that know a better one. */
  readonly finding: string
  constructor(code: LogFormatError['code'], finding: string, message: string = finding) {
    super(message)
    this.code = code
    this.finding = finding
  }
}

/** Whether the log is in a format of another release, and not damaged. */
export function isOtherFormat(error: unknown): error is LogFormatError {
  return error instanceof LogFormatError && (error.code === 'format_too_new' || error.code === 'format_too_old')
}

/** Returns what was found, for any error of a log. */
export function findingOf(error: unknown): string {
  if (error instanceof LogFormatError) return error.finding
  return error instanceof Error ? error.message : String(error)
}
