// The pages that a browser gets instead of JSON: for a 503, when the process stops or no node of the cluster owns the log, and for
// a 404 at an address that no route has.

import type { Call } from '../../server/route.ts'
import type { Language } from '../../text/language.ts'
import { html } from './html.ts'
import { answerPage, contentHeaders, PAGE_HEADERS, type Page, pageText } from './layout.ts'
import { WORDS } from './shared-words.ts'
import { texts } from './texts.ts'

const TEXTS = texts({
  fr: {
    serviceUnavailableForMoment: 'Service momentanément indisponible',
    waitFewSecondsThenReload:
      'Attendez quelques secondes, puis actualisez la page. Si vous avez envoyé un formulaire, vérifiez d’abord s’il a été pris en compte.',
    addressDoesNotExistCheck: 'Cette adresse n’existe pas. Vérifiez-la, ou demandez un nouveau lien.',
  },
  en: {
    serviceUnavailableForMoment: 'The service is unavailable for the moment',
    waitFewSecondsThenReload: 'Wait a few seconds, then reload the page. If you sent a form, first check whether it was accepted.',
    addressDoesNotExistCheck: 'This address does not exist. Check it, or ask for a new link.',
  },
})

const TITLE = TEXTS.serviceUnavailableForMoment

/** Returns the page for a route with this path, in the language. */
export function unavailablePage(
  path: string,
  language: Language,
): {
  readonly body: string
  readonly headers: readonly (readonly [name: string, value: string])[]
} {
  const root = '../'.repeat(path.split('/').length - 2)
  const body = html`<section class="card ending is-neutral">
<h1>${TITLE}</h1>
<p>${TEXTS.waitFewSecondsThenReload}</p>
</section>`
  return { body: pageText({ title: TITLE, root, body }, language), headers: [...PAGE_HEADERS, ...contentHeaders(language)] }
}

/** The number of segments of the address is unknown, so the root is absolute. Behind a path prefix this page has no stylesheet. */
const MISSING: Page = {
  title: WORDS.pageNotFound,
  root: '/',
  body: html`<section class="card ending is-neutral">
<h1>${WORDS.pageNotFound}</h1>
<p>${TEXTS.addressDoesNotExistCheck}</p>
</section>`,
}

export function answerUnknownPath(call: Call): void {
  if (call.accept.includes('text/html')) answerPage(call, 404, MISSING)
  else call.refuse('not_found')
}
