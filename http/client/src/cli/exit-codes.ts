// Exit codes of the command, the same for all of its subcommands.

export const EXIT = {
  done: 0,
  /** The service rejected the request, or a check failed. */
  rejected: 1,
  /** Wrong arguments. */
  usage: 2,
  /** The service cannot be reached or is unavailable, also after the retries. */
  unreachable: 3,
  /** No keys, or keys that are not accepted. */
  credentials: 4,
  /** Done, but some payouts failed. */
  partlyFailed: 5,
  /** Ended by SIGINT or SIGTERM. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
