// Search of a list (`q=`): what the text may be, and one page from several ways to find it. Each way has index keys of its
// own, so a search costs as many look-ups as the text has meanings.
import type { Page, PageRequest } from '../actor/history.ts'
import type { Hit } from '../actor/index-hit.ts'
import { isUuid } from '../kernel/ids.ts'
import { POSITION_MAX, type Position } from '../kernel/position.ts'
import { isPhone, normalizeRecipient } from '../kernel/recipient.ts'
import { foldReference } from '../kernel/reference.ts'
import type { PageWindow } from './list-page.ts'
import type { HistoryReads } from './reads.ts'

/** The meanings of a searched text. A text without a meaning has null there. */
export interface Search {
  /** As searched, without blanks at its ends. */
  readonly text: string
  /** Folded. */
  readonly reference: string
  /** Normalized. */
  readonly tag: string | null
  readonly phone: string | null
  /** In lower case. */
  readonly id: string | null
}

/** A way to find hits: by index keys, or hits that are known already. */
export type Way = Pick<PageRequest, 'indexKeys' | 'keep'> | readonly Hit[]

/** Returns null for an empty text: the list is not searched then. */
export function searchOf(q: string | undefined): Search | null {
  if (q === undefined) return null
  const text = q.trim()
  if (text === '') return null
  // An unescaped plus of a query arrives as a blank.
  const isBlankPlus = q.startsWith(' ') && /^[1-9][0-9]{7,14}$/.test(text)
  const recipient = normalizeRecipient(isBlankPlus ? `+${text}` : text)
  const found = recipient === null ? 'none' : isPhone(recipient) ? 'phone' : 'tag'
  return {
    text,
    reference: foldReference(text),
    tag: found === 'tag' ? recipient : null,
    phone: found === 'phone' ? recipient : null,
    id: isUuid(text.toLowerCase()) ? text.toLowerCase() : null,
  }
}

/** Returns whether one of the texts has the searched text in it, in any case and with or without accents, or is the tag, phone or id. */
export function isFoundIn({ text, tag, phone, id }: Search, texts: readonly (string | null)[]): boolean {
  const isIn = partFinder(text)
  return texts.some((one) => one !== null && one !== '' && (one === tag || one === phone || one === id || isIn(one)))
}

/** Returns whether a text has the searched one in it. A phone number is found in groups of digits too, as people write it. */
export function partFinder(q: string): (text: string) => boolean {
  const part = foldText(q.trim())
  const digits = /^\+?[\d\s.()-]*\d[\d\s.()-]*$/.test(part) ? part.replaceAll(/[\s.()-]/g, '') : part
  return (text) => {
    const folded = foldText(text)
    return folded.includes(part) || folded.includes(digits)
  }
}

/** Lower case without accents. */
export function foldText(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
}

/** Returns the newest hits of all ways that `keep` accepts too, each once. */
export function searchPage(
  history: Pick<HistoryReads, 'page'>,
  window: PageWindow,
  keep: (hit: Hit) => boolean,
  ways: readonly Way[],
): Page {
  const found = new Map<Position, Hit>()
  let isCut = false
  for (const way of ways) {
    const page = 'indexKeys' in way ? history.page({ ...window, ...way, keep: (hit) => keep(hit) && way.keep(hit) }) : null
    isCut ||= page !== null && page.next !== null
    const hits = page?.hits ?? (way as readonly Hit[]).filter((hit) => isIn(window, hit) && keep(hit))
    for (const hit of hits) found.set(hit.position, hit)
  }
  const hits = [...found.values()].sort((one, other) => other.position - one.position)
  const shown = hits.slice(0, window.limit)
  const last = shown.at(-1)
  // A way that was cut has filled the page.
  const hasMore = isCut || hits.length > shown.length
  return { hits: shown, next: hasMore && last !== undefined ? last.position : null }
}

function isIn(window: PageWindow, { position, timeMs }: Hit): boolean {
  const { below = POSITION_MAX, createdFromMs = Number.NEGATIVE_INFINITY, createdToMs = Number.POSITIVE_INFINITY } = window
  return position < below && timeMs >= createdFromMs && timeMs < createdToMs
}
