// Tokens that stand in links and that people pass to commands.
import { randomBytes } from 'node:crypto'

/** Returns random bytes as base64url. It never begins with a hyphen, because a command line takes such a word for an option. */
export function linkToken(bytes: number): string {
  for (;;) {
    const token = randomBytes(bytes).toString('base64url')
    if (!token.startsWith('-')) return token
  }
}
