// Sets a maximum for the memory of a WebAssembly module in its binary, so that V8 never grows it further. QuickJS's own limit does
// not count allocations of its native extensions.

const HEADER_BYTES = 8
const MEMORY_SECTION = 5
/** One memory with a minimum and no maximum; then the minimum follows. */
const ONE_MEMORY = 1
const WITHOUT_MAX = 0
const WITH_MAX = 1

/** Returns the module with `pagesMax` (64 KB each) as the maximum of its one memory. Throws for any other kind of module. */
export function withMemoryMax(module: Uint8Array<ArrayBuffer>, pagesMax: number): Uint8Array<ArrayBuffer> {
  for (let start = HEADER_BYTES; start < module.length; ) {
    const size = readNumber(module, start + 1)
    const end = size.end + size.value
    if (module[start] === MEMORY_SECTION) {
      if (module[size.end] !== ONE_MEMORY || module[size.end + 1] !== WITHOUT_MAX) throw new Error('a memory of an unknown kind')
      const minimum = module.subarray(size.end + 2, end)
      const body = [ONE_MEMORY, WITH_MAX, ...minimum, ...numberBytes(pagesMax)]
      return concat(module.subarray(0, start), [MEMORY_SECTION, ...numberBytes(body.length), ...body], module.subarray(end))
    }
    start = end
  }
  throw new Error('a module without a memory of its own')
}

/** Reads an unsigned LEB128, the number encoding of the binary format. */
function readNumber(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } {
  let value = 0
  for (let index = at, shift = 0; ; index++, shift += 7) {
    const byte = bytes[index]
    if (byte === undefined) throw new Error('the module ends in a number')
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, end: index + 1 }
  }
}

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...numberBytes(Math.floor(value / 0x80))]
}

function concat(...parts: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
