// Source maps with one segment a line. Node.js decodes the whole map at the first error: 250 ms for all segments of the server's bundle,
// in which nothing is answered. Stacks need lines only.
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES: ReadonlyMap<string, number> = new Map(Array.from(DIGITS, (digit, value) => [digit, value]))
const CONTINUES = 32

/** Source, line and column of the original, and the index of a name. */
const ORIGINAL = 3

/**
 * Returns the `mappings` of a source map (ECMA-426) with the first segment of each line that has an original. Fields of segments are
 * relative to the segment before, so the ones left out count towards the next.
 */
export function lineMappings(mappings: string): string {
  const read = [0, 0, 0]
  const written = [0, 0, 0]
  const lines = mappings.split(';').map((line) => {
    let first = ''
    let column = 0
    for (const segment of line.split(',')) {
      const [step = 0, ...fields] = decode(segment)
      column += step
      if (fields.length < ORIGINAL) continue
      add(read, fields)
      if (first !== '') continue
      first = encode(column) + read.map((value, at) => encode(value - (written[at] ?? 0))).join('')
      written.splice(0, ORIGINAL, ...read)
    }
    return first
  })
  return lines.join(';')
}

function add(sums: number[], fields: readonly number[]): void {
  for (const at of sums.keys()) sums[at] = (sums[at] ?? 0) + (fields[at] ?? 0)
}

/** Base64 VLQ: five bits a digit, lowest first, the sign in the lowest bit. */
function decode(segment: string): number[] {
  const fields: number[] = []
  let value = 0
  let shift = 0
  for (const digit of segment) {
    const bits = VALUES.get(digit) ?? 0
    value += (bits & (CONTINUES - 1)) << shift
    shift += 5
    if ((bits & CONTINUES) !== 0) continue
    fields.push((value & 1) === 1 ? -(value >>> 1) : value >>> 1)
    value = 0
    shift = 0
  }
  return fields
}

function encode(field: number): string {
  let text = ''
  let rest = field < 0 ? (-field << 1) | 1 : field << 1
  do {
    const bits = rest & (CONTINUES - 1)
    rest >>>= 5
    text += DIGITS[rest > 0 ? bits | CONTINUES : bits]
  } while (rest > 0)
  return text
}
