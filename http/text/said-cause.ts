// An event of a notice as it is said to people: in e-mails and behind the bell of the dashboard.
import type { QueryAnswer } from '../../engine/api.ts'
import { assert } from '../../engine/kernel/assert.ts'
import type { Language } from './language.ts'
import { CAUSE_WORDS } from './notice-words.ts'
import { oneLine } from './shown-text.ts'

type Cause = QueryAnswer<'notices.causes'>[number]

const REASON_LENGTH_MAX = 300

/** Returns the words of an event of a notice. */
export function wordsOf({ type }: Pick<Cause, 'type'>, language: Language) {
  const words = CAUSE_WORDS[type]
  assert(words !== undefined, `notices have words for ${type}`)
  return words[language]
}

/** Returns the event with texts of others shortened to one line, and the browser by a known name. */
export function sayable(cause: Cause): Cause {
  return { ...cause, reason: oneLine(cause.reason).slice(0, REASON_LENGTH_MAX), device: browserName(cause.device) }
}

const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Returns names that are known here: who logs in chooses the rest of a user agent. */
function browserName(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap((table) => table.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
  return found.length === 0 ? 'navigateur inconnu / unknown browser' : found.join(', ')
}
