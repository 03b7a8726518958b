// The logo on the account page: what customers see, what waits, the form for another one.

import type { MerchantAccount } from '../../../../engine/contract/merchant-account.ts'
import type { Route } from '../../../server/route.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { actionButton, badge, dateText, formStart, logoPicture } from '../shared/dashboard-parts.ts'
import { type DashboardParts, fileRow, formRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'

const TEXTS = texts({
  fr: {
    hint: 'Vos clients le voient quand ils paient, sur leurs reçus et sur vos affiches, après une vérification par notre équipe.',
    image: 'Image',
    bounds: 'PNG ou JPEG, carrée, de 128 à 1 024 pixels de côté et de 32 Ko au plus.',
    photo: 'Une photo ou une image : cette page en garde le carré du milieu et la réduit.',
    preview: 'Aperçu du logo',
    send: 'Envoyer le logo',
    remove: 'Retirer le logo',
    waits: (date: Fragment) => html`Envoyé le ${date}. En attendant, vos clients voient ce qu’ils voyaient.`,
    refused: (reason: string) => html`Votre logo est refusé. Motif : <bdi>${reason}</bdi>`,
  },
  en: {
    hint: 'Your customers see it when they pay, on their receipts and on your posters, once our team has checked it.',
    image: 'Image',
    bounds: 'PNG or JPEG, square, 128 to 1,024 pixels a side, at most 32 KB.',
    photo: 'A photo or an image: this page keeps the square in its middle and makes it smaller.',
    preview: 'Preview of the logo',
    send: 'Send the logo',
    remove: 'Remove the logo',
    waits: (date) => html`Sent on ${date}. Until then your customers see what they saw before.`,
    refused: (reason) => html`Your logo was refused. Reason: <bdi>${reason}</bdi>`,
  },
})

/** Of the form. It exceeds the bound of a logo, so that the page can show the error for a larger one. */
const FORM_BYTES_MAX = 512 * 1024

export function logoRows(parts: DashboardParts, show: (visit: Visit, error: ApiError) => Promise<void>): readonly Route[] {
  return [
    fileRow(parts, {
      path: '/account/logo',
      operationId: 'sendMerchantLogo',
      needs: 'setMerchantLogo',
      summary: 'Send the logo',
      fields: [],
      bytesMax: FORM_BYTES_MAX,
      act: async (visit, file, { key }) => {
        const answer = await visit.ask<MerchantAccount>('setMerchantLogo', {
          parts: file === undefined ? {} : { file },
          idempotencyKey: key,
        })
        if (!answer.ok) return show(visit, answer.error)
        visit.goTo('account', answer.body.logo_change === null ? 'account_set' : 'merchant_logo_sent')
      },
    }),
    formRow(parts, {
      path: '/account/logo/delete',
      operationId: 'sendMerchantLogoDeletion',
      needs: 'deleteMerchantLogo',
      summary: 'Remove the logo',
      fields: [],
      act: async (visit) => {
        const answer = await visit.ask('deleteMerchantLogo', {})
        if (answer.ok) visit.goTo('account', 'merchant_logo_removed')
        else await show(visit, answer.error)
      },
    }),
  ]
}

export function logoPart(visit: Visit, { logo_url, logo_change }: MerchantAccount, error: ApiError | null): Html {
  const address = visit.to('account/logo')
  const waiting = logo_change?.state === 'requested' ? logo_change : null
  const isMine = error?.param === 'file'
  const pictures = html`<div class="logos">${logoPicture(visit, logo_url, WORDS.logoShown)}${logoPicture(visit, waiting?.logo_url ?? null, WORDS.logoWaiting)}</div>
<p class="hint">${TEXTS.hint}</p>`
  return html`<section><h2 id="logo">${WORDS.logo}</h2>
${logo_change?.state === 'refused' && html`<p class="error">${TEXTS.refused(logo_change.reason ?? '')}</p>`}
${waiting !== null && html`<p>${badge(DASHBOARD_WORDS.underReview, 'wait')} ${TEXTS.waits(dateText(waiting.requested_at))}</p>`}
${
  !visit.maySend(address)
    ? pictures
    : html`<form class="form card" method="post" action="${address}" enctype="multipart/form-data">${formStart(visit)}
${pictures}
<div class="field"><label for="file">${TEXTS.image}</label><p class="hint" id="file-hint">${TEXTS.bounds}</p>
<input id="file" name="file" type="file" accept="image/png,image/jpeg" aria-describedby="file-hint${isMine && ' file-error'}"${isMine && html` aria-invalid="true"`} data-logo="${TEXTS.photo}">
<canvas class="logo" width="256" height="256" role="img" aria-label="${TEXTS.preview}" hidden></canvas>
${isMine && html`<p class="error" id="file-error">${error?.message}</p>`}</div>
<button type="submit">${TEXTS.send}</button></form>`
}
${(logo_url !== null || waiting !== null) && actionButton(visit, `${address}/delete`, TEXTS.remove)}</section>`
}
