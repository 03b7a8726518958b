// The page for a record that does not exist, and for a request that the API rejects.
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { html } from '../html.ts'
import type { Desk, DeskCall, DeskView } from './desk.ts'

export interface Missing extends Pick<DeskView, 'place' | 'root'> {
  readonly message: string
  /** Status of the API's answer; 404 by default. */
  readonly status?: number
}

const NOT_FOUND = 404

/** Answers with the status of the API: 404 is a missing record, everything else a refused request. */
export function answerMissing(desk: Desk, call: DeskCall, session: OperatorSession, missing: Missing): void {
  const { place, root, message, status = NOT_FOUND } = missing
  const title = status === NOT_FOUND ? 'Introuvable' : 'Refusé'
  const body = html`<section class="card ending is-neutral">
<h1>${title}</h1>
<p>${message}</p>
${status !== NOT_FOUND && html`<p>Rien n’a changé.</p>`}
<p><a href="${root}operator">Revenir à l’accueil</a></p>
</section>`
  desk.answer(call, session, { title, place, root, body }, status)
}
