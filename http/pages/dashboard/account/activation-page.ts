// Live activation in the dashboard: the form, and the answer of the service.

import { ACTIVATION_FILES_MAX, type Activation, type ActivationFile } from '../../../../engine/contract/activation.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import {
  actionButton,
  badge,
  checkField,
  dateText,
  facts,
  failure,
  formStart,
  heading,
  type Tone,
  theirs,
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, fileRow, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './activation-page-messages.ts'
import {
  bodyOf,
  FIELDS_OF,
  faultOfStep,
  progress,
  STEP_WORDS,
  type Step,
  stepBefore,
  stepBehind,
  stepNamed,
  stepWith,
  type Values,
} from './activation-steps.ts'

const STATES: Readonly<Record<Activation['state'], readonly [words: Text | string, tone: Tone]>> = {
  none: [TEXTS.request, 'calm'],
  requested: [DASHBOARD_WORDS.underReview, 'wait'],
  active: [TEXTS.activated, 'good'],
  refused: [WORDS.refused, 'bad'],
}

/** Label, maximum length and example of each field. */
export const ACTIVATION_LABELS = {
  legal_name: [TEXTS.companyName, 140, TEXTS.nameInTradeRegisterFor],
  registration_number: [TEXTS.registrationNumberRccmNinea, 64, TEXTS.forExampleSnDkr2024],
  address: [WORDS.address, 255, TEXTS.streetDistrictAndTownFor],
  contact_name: [TEXTS.contactPerson, 140, TEXTS.firstAndLastNameFor],
  contact_phone: [TEXTS.phoneNumberWithCountryCode, 24, TEXTS.withAndCountryCodeFor],
  activity: [TEXTS.activity, 500, TEXTS.whatSellForExampleFabrics],
} as const

/** Maximum size of the form. It exceeds the 5 MiB of a file, so that the page can show the error for a larger one. */
const FILE_FORM_BYTES_MAX = 6 * 1024 * 1024

type Field = keyof typeof ACTIVATION_LABELS

const FIELDS = Object.keys(ACTIVATION_LABELS) as readonly Field[]

export function activationRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/activation',
      operationId: 'showActivation',
      summary: 'Live activation',
      show: (visit) => show(visit, FIRST),
    }),
    formRow(parts, {
      path: '/activation',
      operationId: 'sendActivation',
      needs: 'requestActivation',
      summary: 'Ask for live activation',
      fields: [...FIELDS, 'informal', 'step', 'go'],
      act: send,
    }),
    fileRow(parts, {
      path: '/activation/files',
      operationId: 'sendActivationFile',
      needs: 'addActivationFile',
      summary: 'Add a file',
      fields: [],
      bytesMax: FILE_FORM_BYTES_MAX,
      act: async (visit, file, { key }) => {
        const answer = await visit.ask('addActivationFile', { parts: file === undefined ? {} : { file }, idempotencyKey: key })
        if (answer.ok) visit.goTo('activation', 'activation_file_added')
        else await show(visit, { ...FIRST, error: answer.error })
      },
    }),
    formRow(parts, {
      path: '/activation/files/{file}/delete',
      operationId: 'sendActivationFileDeletion',
      needs: 'deleteActivationFile',
      summary: 'Delete a file',
      fields: [],
      act: deleteFile,
    }),
  ]
}

async function deleteFile(visit: Visit): Promise<void> {
  const answer = await visit.ask('deleteActivationFile', { params: visit.params })
  if (answer.ok) visit.goTo('activation', 'activation_file_deleted')
  else await show(visit, { ...FIRST, error: answer.error })
}

async function send(visit: Visit, { key, informal, step, go, ...sent }: Sent<Field | 'informal' | 'step' | 'go' | 'key'>): Promise<void> {
  const values: Values = { ...sent, informal: informal === 'yes' }
  const at = stepNamed(step)
  if (go === 'back') return show(visit, { values, step: stepBefore(at), error: null })
  if (at !== 'check') {
    const error = faultOfStep(visit, at, values)
    return show(visit, { values, step: error === null ? stepBehind(at) : at, error })
  }
  const answer = await visit.ask<Activation>('requestActivation', { body: bodyOf(values), idempotencyKey: key })
  if (answer.ok) visit.goTo('activation', 'activation_requested')
  else await show(visit, { values, step: stepWith(answer.error.param), error: answer.error })
}

/** A step of the form, with what was typed so far. */
interface Shown {
  /** Null: what was asked for before. */
  readonly values: Values | null
  readonly step: Step
  readonly error: ApiError | null
}

const FIRST: Shown = { values: null, step: 'business', error: null }

async function show(visit: Visit, { values, step, error }: Shown): Promise<void> {
  const answer = await visit.ask<Activation>('getActivation')
  if (!answer.ok) return visit.missing()
  const { state, reason, requested_at, decided_at, details, files } = answer.body
  const body = html`${heading(TEXTS.activation, badge(...STATES[state]))}
${reason !== null && html`<p class="error">${TEXTS.refusedCorrectItThenSend(reason)}</p>`}
${
  requested_at !== null &&
  facts([
    [TEXTS.requestedOn, dateText(requested_at)],
    [TEXTS.decidedOn, decided_at !== null && dateText(decided_at)],
  ])
}
${state !== 'active' && progress({ step, isSent: state === 'requested', hasFiles: files.length > 0 })}
${state === 'active' ? active(answer.body) : form(visit, values ?? details, step, error)}
${documents(visit, answer.body)}`
  visit.show({ title: TEXTS.activation, place: 'account', body }, error === null ? 200 : 400)
}

/** An active merchant sees what it sent. */
function documents(visit: Visit, { state, files }: Activation): Fragment {
  const maySend = state !== 'active' && files.length < ACTIVATION_FILES_MAX && visit.maySend(visit.to('activation/files'))
  if (files.length === 0 && !maySend) return null
  return html`<section><h2>${TEXTS.documents}</h2><p>${TEXTS.documentsAre}</p>
${files.length > 0 && html`<ul>${files.map((file) => html`<li>${activationFileText(file)}, ${dateText(file.created_at)} ${state !== 'active' && actionButton(visit, visit.to(`activation/files/${file.id}/delete`), DASHBOARD_WORDS.delete)}</li>`)}</ul>`}
${
  maySend &&
  html`<form class="form card" method="post" action="${visit.to('activation/files')}" enctype="multipart/form-data">${formStart(visit)}
<div class="field"><label for="file">${TEXTS.file}</label><p class="hint" id="file-hint">${TEXTS.pdfPngOrJpeg}</p><input id="file" name="file" type="file" accept="application/pdf,image/png,image/jpeg" aria-describedby="file-hint"></div>
<button type="submit">${TEXTS.sendFile}</button></form>`
}</section>`
}

/** What a file is, as both rooms name it: its name is not kept. */
export function activationFileText({ content_type, size_bytes }: ActivationFile): Text {
  return TEXTS.fileOf((content_type.split('/')[1] ?? '').toUpperCase(), Math.ceil(size_bytes / 1024))
}

function active({ details }: Activation): Fragment {
  return html`<p>${TEXTS.accountCanReceiveAndSend}</p>
${details !== null && facts(FIELDS.map((name) => [ACTIVATION_LABELS[name][0], theirs(details[name])] as const))}`
}

function form(visit: Visit, values: Values | null, step: Step, error: ApiError | null): Html {
  if (!visit.maySend(visit.to('activation'))) return html`<p>${TEXTS.ownerAccountRequestsActivationTest}</p>`
  const isHere = error !== null && FIELDS_OF[step].some((name) => name === error.param)
  const field = (name: Field): Html => {
    const [label, maxLength, hint] = ACTIVATION_LABELS[name]
    const typed = name === 'contact_phone' ? ({ type: 'tel', inputMode: 'tel', autocomplete: 'tel' } as const) : {}
    const isRequired = name !== 'registration_number'
    const about = error?.param === name ? error.message : null
    return formField({ name, label, hint, value: values?.[name] ?? '', maxLength, isRequired, error: about, ...typed })
  }
  const kept = FIELDS.filter((name) => !FIELDS_OF[step].some((own) => own === name)).map((name) => [name, values?.[name] ?? ''])
  const informal = values?.informal === true
  const hidden = { step, ...Object.fromEntries(kept), ...(step === 'business' || !informal ? {} : { informal: 'yes' }) }
  return html`<p>${TEXTS.beforeReceiveOrSendReal}</p>
<form class="form card" method="post" action="${visit.to('activation')}" novalidate>${formStart(visit, hidden)}
<h2>${STEP_WORDS[step]}</h2>
${failure(isHere ? null : error)}
${FIELDS_OF[step].map((name) => html`${field(name)}${name === 'registration_number' && checkField('informal', TEXTS.informal, informal)}`)}
${step === 'check' && values !== null && summary(values)}
<div class="actions"><button type="submit" name="go" value="next">${step === 'check' ? WORDS.send : WORDS.continue}</button>
${step !== 'business' && html`<button class="quiet" type="submit" name="go" value="back">${TEXTS.back}</button>`}</div>
</form>`
}

function summary(values: Values): Html {
  return facts(
    FIELDS.map((name) => {
      const isIn = name !== 'registration_number' || values.informal !== true || values[name] !== ''
      return [ACTIVATION_LABELS[name][0], isIn ? theirs(values[name]) : TEXTS.informal] as const
    }),
  )
}
