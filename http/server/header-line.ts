// Lines of the head of an answer. A header value that holds a line break must never reach a head.
import { assert } from '../../engine/kernel/assert.ts'
import { RETRY_AFTER_S } from './server-limits.ts'

const NAME = /^[A-Za-z][A-Za-z0-9-]*$/
const VALUE = /^[ -~]*$/

/** Returns one header line. A value with a line break is a bug and throws. */
export function headerLine(name: string, value: string): string {
  assert(NAME.test(name) && VALUE.test(value), `the header ${name} holds printable ASCII`)
  return `\r\n${name}: ${value}`
}

/** Returns the `Retry-After` line of every 429 and 503; empty for other statuses. */
export function retryLine(status: number, retryAfterS = RETRY_AFTER_S): string {
  return status === 429 || status === 503 ? headerLine('Retry-After', String(retryAfterS)) : ''
}
