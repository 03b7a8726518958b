// The page that a browser gets instead of the JSON of a 503: the process stops, or no node of the cluster owns the log.
import { html } from './html.ts'
import { PAGE_HEADERS, pageText } from './layout.ts'

const TITLE = 'Service momentanément indisponible'

/** Returns the page for a route with this path. */
export function unavailablePage(path: string): {
  readonly body: string
  readonly headers: readonly (readonly [name: string, value: string])[]
} {
  const root = '../'.repeat(path.split('/').length - 2)
  const body = html`<section class="card ending is-neutral">
<h1>${TITLE}</h1>
<p>Attendez quelques secondes, puis actualisez la page. Si vous avez envoyé un formulaire, vérifiez d’abord s’il a été pris en compte.</p>
</section>`
  return { body: pageText({ title: TITLE, root, body }), headers: [...PAGE_HEADERS, ['Content-Type', 'text/html; charset=utf-8']] }
}
