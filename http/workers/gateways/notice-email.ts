// E-mails of notices: made when they are sent, from the events that they name, in French with English below it. A text in them that
// others chose is the merchant's name, by the rule of merchant-name.ts, and reasons that operators wrote.
import type { EngineApi, QueryAnswer, QueuedMessage, QueuedNotice } from '../../../engine/api.ts'
import type { NoticeKind } from '../../../engine/contract/notice.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { Language } from '../../text/language.ts'
import { dayWords, type SaidDay } from '../../text/notice-day-words.ts'
import { CAUSE_WORDS, FRAME_WORDS, MANY_WORDS } from '../../text/notice-words.ts'
import { oneLine } from '../../text/shown-text.ts'
import { nameInMessages } from './merchant-name.ts'
import type { EmailMessage } from './message.ts'
import { dayOf } from './notice-day.ts'

/** Base URL of the dashboard, without a trailing slash. */
export interface NoticeParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly baseUrl: string
}

type Cause = QueryAnswer<'notices.causes'>[number]

/** Page of the dashboard in live, by kind; with `{id}` where each event has its own. */
const PAGES: Readonly<Record<NoticeKind, string>> = {
  activation: 'activation',
  top_up: 'top-ups/{id}',
  withdrawal: 'withdrawals/{id}',
  disbursement: '',
  run_failed: 'schedules/{id}',
  delivery_failed: '',
  biller_decision: 'biller',
  new_device: 'security',
  approval_wanted: '',
  daily_summary: '',
}

const DELIVERY_PAGES: Readonly<Record<string, string>> = { 'bill.fulfilled': 'bills/{id}', 'delivery.attempted': 'events/{id}' }

const REASON_LENGTH_MAX = 300

export async function noticeEmail(parts: NoticeParts, queued: QueuedMessage): Promise<EmailMessage> {
  const { id, environment, to, created_at, notice } = queued
  assert(notice !== undefined, 'the message is a notice')
  const merchant = parts.engine.query('merchants.byId', { id: notice.merchant_id })
  assert(merchant !== null, 'a notice is about a merchant')
  const name = nameInMessages(parts.engine, merchant.accounts.live)
  const isDay = notice.day_ms !== null
  const { subject, french, english } = isDay
    ? dayTexts(parts, await dayOf(parts.engine, merchant.accounts.live, notice.day_ms), name)
    : causeTexts(parts, notice, name)
  const text = `${french}\n\n—\n\n${english}\n`
  return { id, channel: 'email', environment, to, subject: name === null ? subject : `${subject} · ${name}`, text, created_at }
}

interface Texts {
  readonly subject: string
  readonly french: string
  readonly english: string
}

function dayTexts(parts: NoticeParts, day: SaidDay, name: string | null): Texts {
  const textOf = (language: Language): string => framed(parts, language, name, dayWords(day, language).lines, '', '')
  return { subject: dayWords(day, 'fr').subject, french: textOf('fr'), english: textOf('en') }
}

function causeTexts(parts: NoticeParts, { kind, count, positions }: QueuedNotice, name: string | null): Texts {
  const causes = parts.engine.query('notices.causes', { positions }).map(sayable)
  const [first] = causes
  assert(first !== undefined && kind !== 'daily_summary', 'a notice names an event')
  const textOf = (language: Language): string => {
    const more = count - causes.length
    const lines = causes.map((cause) => wordsOf(cause, language).line(cause))
    const advice = [...new Set(causes.map((cause) => wordsOf(cause, language).advice))].filter((one) => one !== '')
    return framed(
      parts,
      language,
      name,
      more > 0 ? [...lines, FRAME_WORDS[language].more(more)] : lines,
      advice.join('\n'),
      pageOf(kind, causes),
    )
  }
  const subject = count === 1 ? wordsOf(first, 'fr').subject(first) : MANY_WORDS[kind].fr(count)
  return { subject, french: textOf('fr'), english: textOf('en') }
}

function wordsOf({ type }: Pick<Cause, 'type'>, language: Language) {
  const words = CAUSE_WORDS[type]
  assert(words !== undefined, `notices have words for ${type}`)
  return words[language]
}

function framed(
  { baseUrl }: NoticeParts,
  language: Language,
  name: string | null,
  lines: readonly string[],
  advice: string,
  page: string,
): string {
  const { hello, account, see, choose } = FRAME_WORDS[language]
  const live = `${baseUrl}/dashboard/live`
  const links = `${see} ${live}${page === '' ? '' : `/${page}`}\n${choose} ${live}/notices`
  return [hello, account(name), lines.join('\n'), advice, links].filter((paragraph) => paragraph !== '').join('\n\n')
}

/** The page of the event; the list of several. */
function pageOf(kind: NoticeKind, causes: readonly Cause[]): string {
  const [first] = causes
  const page = DELIVERY_PAGES[first?.type ?? ''] ?? PAGES[kind]
  const isOne = causes.every(({ id, type }) => id === first?.id && type === first.type)
  return isOne ? page.replace('{id}', first?.id ?? '') : page.replace('/{id}', '')
}

function sayable(cause: Cause): Cause {
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
