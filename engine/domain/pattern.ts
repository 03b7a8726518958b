// Merchants' patterns, compiled and run in linear time: no look-around, no back-references, nothing that a hostile
// pattern or a hostile value could make slow. Nothing compiled is kept, because it may grow to megabytes; a usual pattern
// compiles in a twentieth of a millisecond.
import { RE2JS, RE2JSException } from 're2js'
import { PATTERN_LENGTH_MAX, PATTERN_SIZE_MAX } from './biller/limits.ts'

/** What a pattern costs, null when it is none: too long, too large, or nothing that the linear engine takes. */
export function patternSize(pattern: string): number | null {
  const compiled = compile(pattern)
  return compiled === null ? null : compiled.programSize()
}

/** Whether the whole text is what the pattern says, as `pattern` of an HTML input means it. The pattern was taken before. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compile(pattern)?.testExact(text) ?? false
}

/** The library throws its own exceptions for what it does not take; anything else is a bug and goes on. */
function compile(pattern: string): RE2JS | null {
  if (pattern.length > PATTERN_LENGTH_MAX) return null
  try {
    // JavaScript's own spellings (`\/`, `\u00e9`) are what merchants write.
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return compiled.programSize() > PATTERN_SIZE_MAX ? null : compiled
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}
