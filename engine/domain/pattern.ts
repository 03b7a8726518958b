// Merchants' patterns, compiled and run in linear time: no look-around, no back-references, nothing that a hostile
// pattern or a hostile value could make slow. Nothing compiled is kept, because it may grow to megabytes; a usual pattern
// compiles in a twentieth of a millisecond.
import { RE2JS, RE2JSException } from 're2js'
import {
  PATTERN_COST_MAX,
  PATTERN_LENGTH_MAX,
  PATTERN_SIZE_MAX,
  PATTERNS_CLASSES_MAX,
  PATTERNS_LENGTH_MAX,
  PATTERNS_SIZE_MAX,
} from './biller/biller-limits.ts'
import { type Program, runWhole, type Steps } from './pattern-run.ts'

/** What the patterns of one form cost together; the place in the list of the first that is none or one too many, null when all are taken. */
export function refusedPattern(patterns: readonly string[]): number | null {
  let length = 0
  let classes = 0
  let size = 0
  for (const [index, pattern] of patterns.entries()) {
    length += pattern.length
    classes += pattern.match(UNICODE_CLASS)?.length ?? 0
    if (length > PATTERNS_LENGTH_MAX || classes > PATTERNS_CLASSES_MAX) return index
    const compiled = compile(pattern)
    size += compiled?.programSize() ?? 0
    if (compiled === null || size > PATTERNS_SIZE_MAX) return index
  }
  return null
}

/**
 * Whether the whole text is what the pattern says, as `pattern` of an HTML input means it. The pattern was taken before.
 * False too when finding out takes more steps than are left: patterns that people mean take some five for each character.
 */
export function matchesPattern(pattern: string, text: string, steps: Steps): boolean {
  const compiled = compile(pattern)
  return compiled !== null && runWhole(compiled.re2().prog as Program, text, steps)
}

/** `\p{L}` and the like: hundreds of ranges each. */
const UNICODE_CLASS = /\\[pP]/g

/** The library throws its own exceptions for what it does not take; anything else is a bug and goes on. */
function compile(pattern: string): RE2JS | null {
  if (pattern.length > PATTERN_LENGTH_MAX) return null
  try {
    // JavaScript's own spellings (`\/`, `\u00e9`) are what merchants write.
    const translated = RE2JS.translateRegExp(pattern)
    if (costOf(translated) > PATTERN_COST_MAX || foldsWideRanges(translated)) return null
    const compiled = RE2JS.compile(translated)
    return compiled.programSize() > PATTERN_SIZE_MAX ? null : compiled
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}

/** An escaped pair, with its braces where they are part of it; a counted repetition; or any other unit. */
const TOKEN = /\\[pPx]\{[^}]*\}|\\.|\{([0-9]*)(?:,([0-9]*))?\}|./gs

/**
 * Maximum cost of compiling a pattern, in instructions. The library expands repetitions before its caller can count
 * them, and rejects only a thousand repetitions in one place. A repetition behind a group counts as if it repeated
 * everything before it, so no cost is counted too low.
 */
function costOf(pattern: string): number {
  let cost = 0
  let before = ''
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
    const count = least === undefined ? 0 : Math.max(Number(least), Number(most ?? 0))
    if (count === 0) cost += 1
    else if (before === ')') cost = (cost + 1) * count
    else cost += 2 * count
    before = token
  }
  return cost
}

/** Case is ignored rune by rune: `(?i)[\u0100-\uffff]` takes 8 ms, and there is room for a hundred of them. ASCII has few. */
function foldsWideRanges(pattern: string): boolean {
  return /\(\?[a-zA-Z]*i/.test(pattern) && /[^ -~]|\\[pPx]/.test(pattern)
}
