// The page that a browser gets instead of the JSON of a 503: the process stops, or no node of the cluster owns the log.
import { acceptedLanguage } from '../text/language.ts'
import { html } from './html.ts'
import { contentHeaders, PAGE_HEADERS, pageText } from './layout.ts'

const TITLE = 'Service momentanément indisponible'

/** Returns the page for a route with this path, in the language of the browser. */
export function unavailablePage(
  path: string,
  acceptLanguage: string,
): {
  readonly body: string
  readonly headers: readonly (readonly [name: string, value: string])[]
} {
  const root = '../'.repeat(path.split('/').length - 2)
  const body = html`<section class="card ending is-neutral">
<h1>${TITLE}</h1>
<p>Attendez quelques secondes, puis actualisez la page. Si vous avez envoyé un formulaire, vérifiez d’abord s’il a été pris en compte.</p>
</section>`
  const language = acceptedLanguage(acceptLanguage)
  return { body: pageText({ title: TITLE, root, body }, language), headers: [...PAGE_HEADERS, ...contentHeaders(language)] }
}
