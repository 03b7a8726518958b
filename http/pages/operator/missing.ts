// The page for a missing record, and for an error of the API.
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { html } from '../html.ts'
import type { Desk, DeskCall, DeskView } from './desk.ts'

export interface Missing extends Pick<DeskView, 'place' | 'root'> {
  readonly message: string
}

export function answerMissing(desk: Desk, call: DeskCall, session: OperatorSession, { place, root, message }: Missing): void {
  const body = html`<section class="card ending is-neutral">
<h1>Introuvable</h1>
<p>${message}</p>
<p><a href="${root}operator">Revenir à l’accueil</a></p>
</section>`
  desk.answer(call, session, { title: 'Introuvable', place, root, body }, 404)
}
