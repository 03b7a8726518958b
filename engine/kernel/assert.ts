// Assertions that stay on in production: a failed one is a bug, and a bug stops the process rather than corrupt money.

/** Thrown when an invariant does not hold. No code catches it to continue: the process stops. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Ends a union: a missing case does not compile, and a value from outside the type stops the process. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable: ${JSON.stringify(value)}`)
}
