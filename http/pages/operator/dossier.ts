// What a merchant sent for its live activation: its details, and its files. Waiting requests and the page of the merchant show it.

import type { Activation, ActivationDetails } from '../../../engine/contract/activation.ts'
import { ACTIVATION_LABELS, activationFileText } from '../dashboard/account/activation-page.ts'
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

const TEXTS = texts({
  fr: { inNoRegister: 'Dans aucun registre' },
  en: { inNoRegister: 'In no register' },
})

type Sent = Pick<Activation, 'details' | 'files'>

const DETAIL_NAMES = Object.keys(ACTIVATION_LABELS) as readonly (keyof typeof ACTIVATION_LABELS)[]

/** `base` is the relative path from the page to `operator/requests`. */
export function dossierPart(base: string, merchantId: string, { details, files }: Sent): Fragment {
  const rows = details === null ? [] : DETAIL_NAMES.map((name) => detailRow(details, name))
  return html`<dl class="facts">${rows}</dl>
${files.length > 0 && html`<ul>${files.map((file) => html`<li><a href="${base}/activations/${merchantId}/files/${file.id}" download>${activationFileText(file)}</a></li>`)}</ul>`}`
}

function detailRow({ informal, ...details }: ActivationDetails, name: keyof typeof ACTIVATION_LABELS): Fragment {
  const isUnregistered = name === 'registration_number' && informal === true
  const value = isUnregistered && details[name] === '' ? TEXTS.inNoRegister : details[name]
  return html`<div><dt>${ACTIVATION_LABELS[name][0]}</dt><dd><bdi>${value}</bdi></dd></div>`
}
