// The one error of a log that is not as it should be, whoever reads it.

/** Why a batch is refused; `code` is stable, `message` says which batch and what to do. */
export class LogFormatError extends Error {
  override readonly name = 'LogFormatError'
  readonly code: 'batch_damaged' | 'format_too_new' | 'chain_broken' | 'archive_ahead'
  constructor(code: LogFormatError['code'], message: string) {
    super(message)
    this.code = code
  }
}
