// Reads the untrusted JSON of a crypto request of hosted code, field by field.
import { CURVES } from './guest/host.ts'

export type Wire = Readonly<Record<string, unknown>>

/** Error for the author of the code, as a DOMException of that name. */
export class Refusal extends Error {
  readonly errorName: string

  constructor(errorName: string, message: string) {
    super(message)
    this.errorName = errorName
  }
}

const HASHES: Readonly<Record<string, string>> = { 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' }
/** OpenSSL's names of the curves. */
export const OPENSSL_CURVES: Readonly<Record<(typeof CURVES)[number], string>> = {
  'P-256': 'prime256v1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
}

export class WireReader {
  readonly #wire: Wire

  constructor(wire: unknown) {
    if (typeof wire !== 'object' || wire === null) throw new Refusal('OperationError', 'unreadable')
    this.#wire = wire as Wire
  }

  /** Returns an own field; undefined if it is missing. */
  field(name: string): unknown {
    return Object.hasOwn(this.#wire, name) ? this.#wire[name] : undefined
  }

  text(name: string): string {
    const value = this.field(name)
    if (typeof value !== 'string') throw new Refusal('OperationError', `${name} is missing`)
    return value
  }

  /** Base64. */
  bytes(name: string): Buffer {
    return Buffer.from(this.text(name), 'base64')
  }

  integer(name: string, max: number): number {
    const value = this.field(name)
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > max) {
      throw new Refusal('OperationError', `${name} must be an integer from 0 to ${max}`)
    }
    return value
  }

  oneOf<Name extends string>(field: string, names: readonly Name[]): Name {
    const value = this.field(field)
    const name = names.find((known) => known === value)
    if (name === undefined) throw new Refusal('NotSupportedError', 'Unrecognized algorithm name')
    return name
  }

  /** OpenSSL's name of the hash. */
  hash(): string {
    const name = this.text('hash')
    const hash = Object.hasOwn(HASHES, name) ? HASHES[name] : undefined
    if (hash === undefined) throw new Refusal('NotSupportedError', 'Unrecognized algorithm name')
    return hash
  }

  /** OpenSSL's name of the curve. */
  curve(): string {
    return OPENSSL_CURVES[this.oneOf('namedCurve', CURVES)]
  }
}
