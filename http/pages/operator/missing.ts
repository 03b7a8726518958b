// The page for a record that does not exist, and for a request that the API rejects.

import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import type { Text } from '../../text/text.ts'
import { html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import type { Desk, DeskCall, DeskView } from './desk.ts'

const TEXTS = texts({
  fr: {
    notFound: 'Introuvable',
    nothingHasChanged: 'Rien n’a changé.',
  },
  en: {
    notFound: 'Not found',
    nothingHasChanged: 'Nothing has changed.',
  },
})

export interface Missing extends Pick<DeskView, 'place' | 'root'> {
  readonly message: Text | string
  /** Status of the API's answer; 404 by default. */
  readonly status?: number
}

const NOT_FOUND = 404

/** Answers with the status of the API: 404 is a missing record, everything else a refused request. */
export function answerMissing(desk: Desk, call: DeskCall, session: OperatorSession, missing: Missing): void {
  const { place, root, message, status = NOT_FOUND } = missing
  const title = status === NOT_FOUND ? TEXTS.notFound : WORDS.refused
  const body = html`<section class="card ending is-neutral">
<h1>${title}</h1>
<p>${message}</p>
${status !== NOT_FOUND && html`<p>${TEXTS.nothingHasChanged}</p>`}
<p><a href="${root}operator">${WORDS.backHomePage}</a></p>
</section>`
  desk.answer(call, session, { title, place, root, body }, status)
}
