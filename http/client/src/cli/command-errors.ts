// Errors that the command line explains by their messages.

/** Wrong arguments: printed with a pointer to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A failure that is explained by its message alone. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** There are no keys. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError'
}
