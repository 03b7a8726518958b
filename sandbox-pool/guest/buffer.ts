// Runs inside the virtual machine: Node's `Buffer`, by the package `buffer`, with the encoding `base64url` that it lacks. Frequent
// conversions use native code: loops of JavaScript take a second for 256 KB.
import { Buffer as PackageBuffer } from 'buffer/'
import { toBase64, toHex, utf8Bytes, utf8Text } from './bytes.ts'

const original = {
  from: PackageBuffer.from as (...given: unknown[]) => PackageBuffer,
  isEncoding: PackageBuffer.isEncoding as (encoding: unknown) => boolean,
  byteLength: PackageBuffer.byteLength as (...given: unknown[]) => number,
  toString: PackageBuffer.prototype.toString as (...given: unknown[]) => string,
  write: PackageBuffer.prototype.write as (...given: unknown[]) => number,
}

const TO_TEXT: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  utf8: utf8Text,
  'utf-8': utf8Text,
  hex: (bytes) => toHex(bytes),
  base64: (bytes) => toBase64(bytes),
  base64url: (bytes) => toBase64(bytes, { alphabet: 'base64url', omitPadding: true }),
}

/** Completes the package's class, once, and returns it. */
export function completeBuffer(): typeof PackageBuffer {
  const known = (encoding: unknown): unknown => (isBase64Url(encoding) ? 'base64' : encoding)
  const statics = {
    from(value: unknown, ...rest: unknown[]): PackageBuffer {
      if (typeof value !== 'string') return original.from(value, ...rest)
      const encoding = `${rest[0] ?? 'utf8'}`.toLowerCase()
      return encoding === 'utf8' || encoding === 'utf-8' ? original.from(utf8Bytes(value).buffer) : original.from(value, known(encoding))
    },
    isEncoding: (encoding: unknown): boolean => isBase64Url(encoding) || original.isEncoding(encoding),
    byteLength: (value: unknown, encoding: unknown): number => original.byteLength(value, known(encoding)),
  }
  const methods = {
    toString(this: PackageBuffer, encoding: unknown = 'utf8', ...range: unknown[]): string {
      const convert = TO_TEXT[`${encoding}`.toLowerCase()]
      if (convert === undefined) return original.toString.call(this, encoding, ...range)
      const [start, end] = rangeOf(range, this.length)
      return convert(new Uint8Array(this.buffer, this.byteOffset + start, Math.max(0, end - start)))
    },
    write(this: PackageBuffer, ...given: unknown[]): number {
      return original.write.apply(this, given.map((value, index) => (index === 0 ? value : known(value))) as [])
    },
  }
  for (const [target, functions] of [
    [PackageBuffer, statics],
    [PackageBuffer.prototype, methods],
  ] as const) {
    for (const [name, value] of Object.entries(functions))
      Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true })
  }
  return PackageBuffer
}

function isBase64Url(encoding: unknown): boolean {
  return typeof encoding === 'string' && encoding.toLowerCase() === 'base64url'
}

/** Clamps a range as Node does. */
function rangeOf([start = 0, end]: readonly unknown[], length: number): readonly [number, number] {
  const clamp = (value: unknown): number => Math.min(Math.max(Math.trunc(Number(value)) || 0, 0), length)
  return [clamp(start), end === undefined ? length : clamp(end)]
}
