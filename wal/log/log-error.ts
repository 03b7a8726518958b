// Errors of the log. After any of them the process stops, and the next start replays the log.

export type LogErrorCode =
  | 'disk_full'
  | 'out_of_order'
  | 'stale_epoch'
  | 'wrong_partition'
  | 'append_failed'
  | 'append_timeout'
  | 'log_closed'
  | 'log_unreachable'
  | 'log_unsafe'
  | 'log_contradiction'
  | 'wrong_key'
  | 'name_in_use'
  | 'log_missing'
  | 'log_moved'
  | 'log_not_empty'
  | 'log_in_use'

export class LogError extends Error {
  override readonly name = 'LogError'
  readonly code: LogErrorCode
  constructor(code: LogErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }
}
