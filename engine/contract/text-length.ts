// The length of free text in code points, and what free text may not hold.

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Checks the patterns of free text (schema.ts) in one pass. Returns the number of code points, -1 for a control character or a lone surrogate. */
export function textLength(value: string, manyLines: boolean): number {
  let length = value.length
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index)
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) {
      if (!manyLines || (unit !== TAB && unit !== LINE_FEED && unit !== CARRIAGE_RETURN)) return -1
    } else if (unit >= 0xd800 && unit <= 0xdfff) {
      const next = value.charCodeAt(++index)
      if (unit >= 0xdc00 || !(next >= 0xdc00 && next <= 0xdfff)) return -1
      length--
    }
  }
  return length
}
