// Restricts the development pages, which need no password, to this machine. It rejects DNS rebinding, requests from other
// sites and requests through a proxy.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Call } from '../../server/route.ts'
import { isSameSite } from '../../server/same-site.ts'
import { html } from '../shared/html.ts'
import { answerPage, type Page } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { DEV_WORDS } from './dev-words.ts'

const TEXTS = texts({
  fr: {
    pageForMachineOnly: 'Page réservée à cette machine',
    developmentToolsAskForNo: html`Les outils de développement ne demandent aucun mot de passe : ils ne s’ouvrent que depuis la machine où tourne le serveur, à l’adresse <code>http://localhost</code> suivie de son port.`,
    formComesFromAnotherPage:
      'Ce formulaire vient d’une autre page ou d’un démarrage précédent du serveur. Rechargez la page et recommencez.',
  },
  en: {
    pageForMachineOnly: 'Page for this machine only',
    developmentToolsAskForNo: html`The development tools ask for no password: they open only from the machine that runs the server, at <code>http://localhost</code> with its port.`,
    formComesFromAnotherPage: 'This form comes from another page or from an earlier start of the server. Reload the page and start again.',
  },
})

/** Matches host names of this machine that DNS cannot change. */
const LOCAL_HOST = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]{1,5})?$/i

type GuardedCall = Pick<Call, 'browser' | 'acceptEncoding' | 'queryText' | 'body' | 'isLocal' | 'answerAs'>

/** CSRF token of the forms, new at each start. A page of another site cannot read it. */
const FORM_TOKEN = randomBytes(18).toString('base64url')

export const FORM_TOKEN_FIELD = html`<input type="hidden" name="f" value="${FORM_TOKEN}">`

export function isFromHere({ browser, isLocal }: Pick<Call, 'browser' | 'isLocal'>): boolean {
  return isLocal && LOCAL_HOST.test(browser.host)
}

/** Runs `show` for a browser on this machine. Others get a page with the reason. `root` is the relative path to `/`. */
export function onlyHere(call: GuardedCall, root: string, show: () => void): void {
  if (isFromHere(call)) show()
  else answerPage(call, 403, strangerPage(root))
}

/** Does the same for forms, which also need the token. */
export function onlyOurForm(call: GuardedCall & Pick<Call<{ readonly f?: string }>, 'body'>, root: string, go: () => void): void {
  onlyHere(call, root, () => {
    if (isSameSite(call) && isToken(call.body.f ?? '')) go()
    else answerPage(call, 403, stalePage(root))
  })
}

function isToken(sent: string): boolean {
  return sent.length === FORM_TOKEN.length && timingSafeEqual(Buffer.from(sent.padEnd(FORM_TOKEN.length)), Buffer.from(FORM_TOKEN))
}

function strangerPage(root: string): Page {
  const body = html`<section class="card ending is-neutral">
<h1>${TEXTS.pageForMachineOnly}</h1>
<p>${TEXTS.developmentToolsAskForNo}</p>
</section>`
  return { title: TEXTS.pageForMachineOnly, root, body }
}

function stalePage(root: string): Page {
  const body = html`<section class="card ending is-neutral">
<h1>${WORDS.formRejected}</h1>
<p>${TEXTS.formComesFromAnotherPage}</p>
<p><a href="${root}dev/phone">${DEV_WORDS.backPhone}</a></p>
</section>`
  return { title: WORDS.formRejected, root, body }
}
