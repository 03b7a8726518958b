// Shared parts of the desk's pages: environments, times, amounts, pagination.

import type { OperatorName } from '../../../engine/contract/operator.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import type { Text } from '../../text/text.ts'
import { dayAndSeconds } from '../shared/date-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

export const ENVIRONMENT_NAMES: Readonly<Record<Environment, Text | string>> = { live: WORDS.production2, test: 'test' }

export function environmentBadge(environment: Environment): Html {
  return html`<span class="badge is-${environment}">${ENVIRONMENT_NAMES[environment]}</span>`
}

export function moment(rfc3339: string): Html {
  return html`<time datetime="${rfc3339}">${dayAndSeconds(parseRfc3339(rfc3339))}</time>`
}

interface PagerPlace {
  /** Id of the list on its page. */
  readonly place?: string
  /** Parameter of the address, where the page has another list with `cursor`. */
  readonly cursor?: string
}

/** Renders the link to the next page. `path` has no query and is relative to the page. */
export function pager(
  path: string,
  query: Readonly<Record<string, string>>,
  nextCursor: string | null,
  { place, cursor = 'cursor' }: PagerPlace = {},
): Fragment {
  const isFirst = query.cursor === undefined
  if (isFirst && nextCursor === null) return null
  const { cursor: _, ...rest } = query
  const first = new URLSearchParams(rest).toString()
  const next = new URLSearchParams({ ...rest, [cursor]: nextCursor ?? '' }).toString()
  const end = place === undefined ? '' : `#${place}`
  return html`<nav class="pager" aria-label="${OPERATOR_WORDS.pages}">${!isFirst && html`<a href="${path}${first !== '' && `?${first}`}${end}">${WORDS.firstPage}</a>`}${nextCursor !== null && html`<a href="${path}?${next}${end}" rel="next">${WORDS.nextPage}</a>`}</nav>`
}

/** Renders the name of an operator. */
export function operatorName({ id, name }: OperatorName): Text | Html {
  return id === null ? OPERATOR_WORDS.mainAccess : html`<bdi>${name}</bdi>`
}

export interface ListPage<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

/** Returns the API's cursor parameter from a page's query, empty when there is none. */
export function cursorOf(queryText: string): Readonly<Record<string, string>> {
  const cursor = new URLSearchParams(queryText).get('cursor')
  return cursor === null || cursor === '' ? {} : { cursor }
}

export function failurePart(message: Text | string): Html {
  return html`<p class="error" role="alert">${message}</p>`
}
