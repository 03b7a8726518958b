// E-mails of notices: made when they are sent, from the events that they name, in the language that the merchant chose, otherwise in
// French with English below it. A text in them that others chose is the merchant's name, by the rule of merchant-name.ts, and reasons
// that operators wrote.
import { type EngineApi, type QueuedMessage, type QueuedNotice, timeZoneOf } from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../text/language.ts'
import { dayWords, type SaidDay } from '../../text/notice-day-words.ts'
import { FRAME_WORDS, MANY_WORDS } from '../../text/notice-frame-words.ts'
import { causesPage } from '../../text/notice-pages.ts'
import { sayable, wordsOf } from '../../text/said-cause.ts'
import { nameInMessages } from './merchant-name.ts'
import type { EmailMessage } from './message.ts'
import { dayOf } from './notice-day.ts'

/** Base URL of the dashboard, without a trailing slash. */
export interface NoticeParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly baseUrl: string
}

export async function noticeEmail(parts: NoticeParts, queued: QueuedMessage): Promise<EmailMessage> {
  const { id, environment, to, created_at, notice } = queued
  assert(notice !== undefined, 'the message is a notice')
  const merchant = parts.engine.query('merchants.byId', { id: notice.merchant_id })
  assert(merchant !== null, 'a notice is about a merchant')
  const name = nameInMessages(parts.engine, merchant.accounts.live)
  const texts =
    notice.day_ms === null
      ? causeTexts(parts, notice, name)
      : dayTexts(parts, await dayOf(parts.engine, merchant.accounts.live, notice.day_ms, timeZoneOf(merchant)), name)
  const chosen = merchant.profile?.email_language ?? null
  const text = (chosen === null ? LANGUAGES : [chosen]).map((language) => texts.textOf(language)).join('\n\n—\n\n')
  const subject = texts.subjectOf(chosen ?? DEFAULT_LANGUAGE)
  return { id, channel: 'email', environment, to, subject: name === null ? subject : `${subject} · ${name}`, text: `${text}\n`, created_at }
}

interface Texts {
  readonly subjectOf: (language: Language) => string
  readonly textOf: (language: Language) => string
}

function dayTexts(parts: NoticeParts, day: SaidDay, name: string | null): Texts {
  const date = new Date(day.dayMs).toISOString().slice(0, 10)
  const period = `from=${date}&to=${date}`
  const failures = day.failedPayouts === 0 ? [] : [`  ${livePage(parts, `payouts?state=failed&${period}`)}`]
  return {
    subjectOf: (language) => dayWords(day, language).subject,
    textOf: (language) => framed(parts, language, name, [...dayWords(day, language).lines, ...failures], '', `transactions?${period}`),
  }
}

function causeTexts(parts: NoticeParts, { kind, count, positions }: QueuedNotice, name: string | null): Texts {
  const causes = parts.engine.query('notices.causes', { positions }).map(sayable)
  const [first] = causes
  assert(first !== undefined && kind !== 'daily_summary', 'a notice names an event')
  const page = causesPage(causes)
  // The link of all stands below.
  const withPage = (line: string, own: string): string => (own === page ? line : `- ${line}\n  ${livePage(parts, own)}`)
  const textOf = (language: Language): string => {
    const more = count - causes.length
    const lines = causes.map((cause) => withPage(wordsOf(cause, language).line(cause), causesPage([cause])))
    const advice = [...new Set(causes.map((cause) => wordsOf(cause, language).advice))].filter((one) => one !== '')
    return framed(parts, language, name, more > 0 ? [...lines, FRAME_WORDS[language].more(more)] : lines, advice.join('\n'), page)
  }
  const subjectOf = (language: Language): string =>
    count === 1 ? wordsOf(first, language).subject(first) : MANY_WORDS[kind][language](count)
  return { subjectOf, textOf }
}

function livePage({ baseUrl }: NoticeParts, page: string): string {
  return `${baseUrl}/dashboard/live${page === '' ? '' : `/${page}`}`
}

function framed(
  parts: NoticeParts,
  language: Language,
  name: string | null,
  lines: readonly string[],
  advice: string,
  page: string,
): string {
  const { hello, account, see, choose } = FRAME_WORDS[language]
  const links = `${see} ${livePage(parts, page)}\n${choose} ${livePage(parts, 'notices')}`
  return [hello, account(name), lines.join('\n'), advice, links].filter((paragraph) => paragraph !== '').join('\n\n')
}
