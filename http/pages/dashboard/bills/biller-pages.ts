// The merchant as a biller: profile, logo, and submission to the directory.

import { isFrozen } from '../../../../engine/api.ts'
import type { Biller } from '../../../../engine/contract/biller.ts'
import type { Product } from '../../../../engine/contract/biller-product.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { CATEGORY_CHOICES, categoryName } from '../../shared/category-words.ts'
import { formField } from '../../shared/form-field.ts'
import { type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { productTable } from '../products/product-pages.ts'
import {
  actionButton,
  areaField,
  badge,
  confirmedAction,
  dateText,
  facts,
  failure,
  formStart,
  heading,
  logoPicture,
  selectField,
  type Tone,
  theirs,
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, fileRow, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { moveRow } from '../shared/record-moves.ts'
import { filled } from '../shared/typed-text.ts'
import { TEXTS } from './biller-pages-messages.ts'

const STATES: Readonly<Record<Biller['directory_state'], readonly [words: Text | string, tone: Tone]>> = {
  draft: [TEXTS.draft, 'calm'],
  in_review: [DASHBOARD_WORDS.underReview, 'wait'],
  published: [WORDS.published, 'good'],
  rejected: [WORDS.refused, 'bad'],
  suspended: [WORDS.suspended, 'bad'],
}

const FIELDS = ['display_name', 'category', 'short_desc'] as const

type ProfileForm = Sent<(typeof FIELDS)[number]>

/** Maximum size of the form. It exceeds the 512 KB of a logo, so that the page can show the error for a larger one. */
const LOGO_FORM_BYTES_MAX = 1024 * 1024

export function billerRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, { path: '/biller', operationId: 'showBiller', summary: 'The biller', show: (visit) => showBiller(visit, null, null) }),
    formRow(parts, {
      path: '/biller',
      operationId: 'sendBiller',
      needs: 'saveBiller',
      summary: 'The profile',
      fields: FIELDS,
      act: async (visit, sent) => {
        const { display_name, category, short_desc } = sent
        const answer = await visit.ask('saveBiller', {
          body: filled({ display_name: display_name.trim(), category, short_desc: short_desc.trim() }),
        })
        if (answer.ok) visit.goTo('biller', 'biller_saved')
        else await showBiller(visit, answer.error, sent)
      },
    }),
    fileRow(parts, {
      path: '/biller/logo',
      operationId: 'sendBillerLogo',
      needs: 'uploadBillerLogo',
      summary: 'The logo',
      fields: [],
      bytesMax: LOGO_FORM_BYTES_MAX,
      act: async (visit, file, { key }) => {
        const answer = await visit.ask('uploadBillerLogo', { parts: file === undefined ? {} : { file }, idempotencyKey: key })
        if (answer.ok) visit.goTo('biller', 'logo_saved')
        else await showBiller(visit, answer.error, null)
      },
    }),
    moveRow(parts, { path: '/biller/submit', operationId: 'submitBiller', note: 'biller_submitted', ...MOVED }),
    moveRow(parts, { path: '/biller/approve', operationId: 'approveTestBiller', note: 'biller_approved', ...MOVED }),
  ]
}

const MOVED = {
  done: () => 'biller',
  again: (visit: Visit, error: ApiError) => showBiller(visit, error, null),
}

async function showBiller(visit: Visit, error: ApiError | null, typed: ProfileForm | null): Promise<void> {
  const [answer, products] = await Promise.all([
    visit.ask<Biller>('getBiller'),
    visit.ask<{ readonly data: readonly Product[] }>('listProducts', { query: { limit: '100' } }),
  ])
  const biller = answer.ok ? answer.body : null
  const body = html`${heading(WORDS.biller, biller !== null && badge(...STATES[biller.directory_state]))}
${failure(error)}
${biller === null && html`<p>${TEXTS.customersPayTheirBillsIn}</p>`}
${biller !== null && status(visit, biller)}
${visit.maySend(visit.to('biller')) && profileForm(visit, biller, typed)}
${biller !== null && visit.maySend(visit.to('biller/logo')) && logoForm(visit, biller)}
${biller !== null && html`<section>${heading(html`<span id="produits">${WORDS.products}</span>`, visit.button('createProduct', 'products/new', DASHBOARD_WORDS.newProduct))}${productTable(visit, products.ok ? products.body.data : [])}</section>`}`
  visit.show({ title: WORDS.biller, place: 'biller', body }, error === null ? 200 : 400)
}

function status(visit: Visit, biller: Biller): Html {
  const { directory_state: state, reject_reason, suspend_reason } = biller
  const here = visit.to('biller')
  const maySubmit = state === 'draft' || state === 'rejected'
  return html`${facts([
    [TEXTS.technicalName, html`<code>${biller.slug}</code>`],
    [TEXTS.requested, biller.submitted_at !== null && dateText(biller.submitted_at)],
    [WORDS.published, isFrozen(biller) && dateText(biller.published_at)],
    [WORDS.reasonRefusal, reject_reason !== null && theirs(reject_reason)],
    [WORDS.reasonSuspension, suspend_reason !== null && theirs(suspend_reason)],
  ])}
<div class="actions">
${maySubmit && confirmedAction(visit, `${here}/submit`, { ask: TEXTS.askForPublication, warn: TEXTS.weReviewProfileLogoAnd, go: TEXTS.askForPublication })}
${visit.environment === 'test' && state === 'in_review' && actionButton(visit, `${here}/approve`, TEXTS.approveForTests)}
</div>`
}

function profileForm(visit: Visit, biller: Biller | null, typed: ProfileForm | null): Html {
  const frozen = biller !== null && isFrozen(biller) ? biller : null
  const value = (name: (typeof FIELDS)[number]): string => typed?.[name] ?? biller?.[name] ?? ''
  return html`<form class="form card" method="post" action="${visit.to('biller')}" novalidate>${formStart(visit)}
<h2>${WORDS.profile}</h2>
${
  frozen !== null
    ? facts([
        [WORDS.name, theirs(frozen.display_name)],
        [WORDS.category, categoryName(frozen.category)],
      ])
    : html`${formField({ name: 'display_name', label: TEXTS.displayName, value: value('display_name'), maxLength: 80 })}${selectField('category', WORDS.category, CATEGORY_CHOICES, value('category'))}`
}
${areaField({ name: 'short_desc', label: TEXTS.shortDescription, value: value('short_desc'), rows: 3 })}
<button type="submit">${TEXTS.saveProfile}</button></form>`
}

function logoForm(visit: Visit, { logo_url, pending_logo_url }: Biller): Html {
  return html`<form class="form card" method="post" action="${visit.to('biller/logo')}" enctype="multipart/form-data">${formStart(visit)}
<h2>${WORDS.logo}</h2>
<div class="logos">${logoPicture(visit, logo_url, WORDS.logoShown)}${logoPicture(visit, pending_logo_url, WORDS.logoWaiting)}</div>
<div class="field"><label for="file">${TEXTS.pngJpegOrWebPImage}</label><p class="hint" id="file-hint">${TEXTS.square1288192Pixels}</p><input id="file" name="file" type="file" accept="image/png,image/jpeg,image/webp" aria-describedby="file-hint"></div>
<button type="submit">${TEXTS.sendLogo}</button></form>`
}
