// The steps of the activation form. What was typed travels in the form from step to step, so nothing is kept before it is sent.
import type { ApiError } from '../../shared/api-calls.ts'
import { type Html, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'
import { badge } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'

const TEXTS = texts({
  fr: {
    business: 'Votre commerce',
    contact: 'La personne à contacter',
    check: 'Vérifier et envoyer',
    documents: 'Joindre des justificatifs',
    decision: 'Notre réponse, par e-mail',
    steps: 'Étapes',
    done: 'Fait',
    here: 'En cours',
    typeNumberOrTick: 'Saisissez le numéro, ou cochez que votre commerce n’est inscrit dans aucun registre.',
  },
  en: {
    business: 'Your business',
    contact: 'The contact person',
    check: 'Check and send',
    documents: 'Add supporting documents',
    decision: 'Our answer, by e-mail',
    steps: 'Steps',
    done: 'Done',
    here: 'In progress',
    typeNumberOrTick: 'Type the number, or tick that your business is in no register.',
  },
})

const STEPS = ['business', 'contact', 'check'] as const

export type Step = (typeof STEPS)[number]

export const STEP_WORDS = { business: TEXTS.business, contact: TEXTS.contact, check: TEXTS.check } as const

export const FIELDS_OF = {
  business: ['legal_name', 'registration_number', 'activity', 'address'],
  contact: ['contact_name', 'contact_phone'],
  check: [],
} as const satisfies Record<Step, readonly string[]>

type Field = (typeof FIELDS_OF)[Step][number]

/** What stands in the form. */
export type Values = Readonly<Record<Field, string>> & { readonly informal?: boolean }

/** A form without a step is whole: it is sent. */
export function stepNamed(name: string): Step {
  return STEPS.find((step) => step === name) ?? 'check'
}

export function stepBefore(step: Step): Step {
  return STEPS[Math.max(0, STEPS.indexOf(step) - 1)] ?? 'business'
}

export function stepBehind(step: Step): Step {
  return STEPS[STEPS.indexOf(step) + 1] ?? 'check'
}

/** Returns the step with the field; the last one for an error without a field. */
export function stepWith(field: string | undefined): Step {
  return STEPS.find((step) => FIELDS_OF[step].some((name) => name === field)) ?? 'check'
}

/** Returns the body of the request. People write phones in groups of digits. */
export function bodyOf({ informal, ...values }: Values): object {
  return { ...values, contact_phone: values.contact_phone.replaceAll(/[\s.-]/g, ''), ...(informal === true ? { informal: true } : {}) }
}

/** Right values of the steps that are not looked at. */
const ANY: Values = {
  ...{ legal_name: 'x', registration_number: 'x', activity: 'x', address: 'x' },
  ...{ contact_name: 'x', contact_phone: '+2250700000000' },
}

/** Returns what is wrong with the fields of a step; null when it is right. */
export function faultOfStep(visit: Visit, step: Step, values: Values): ApiError | null {
  if (step === 'business' && values.informal !== true && values.registration_number.trim() === '')
    return { code: 'invalid_request', message: TEXTS.typeNumberOrTick, param: 'registration_number', retryAfterS: null }
  const own = Object.fromEntries(FIELDS_OF[step].map((name) => [name, values[name]]))
  return visit.faultIn('requestActivation', bodyOf({ ...ANY, ...own }))
}

interface Reached {
  readonly step: Step
  readonly isSent: boolean
  readonly hasFiles: boolean
}

/** Renders how far the request is: what is done, and what is left. */
export function progress({ step, isSent, hasFiles }: Reached): Html {
  const at = STEPS.indexOf(step)
  const rows = [
    ...STEPS.map((one, index) => ({ words: STEP_WORDS[one], isDone: isSent || index < at, isHere: !isSent && index === at })),
    { words: TEXTS.documents, isDone: hasFiles, isHere: false },
    { words: TEXTS.decision, isDone: false, isHere: isSent },
  ]
  return html`<nav class="first-steps" aria-label="${TEXTS.steps}"><ol>${rows.map(
    ({ words, isDone, isHere }) =>
      html`<li${isDone && html` class="is-done"`}${isHere && html` aria-current="step"`}><span>${words}</span> ${isDone ? badge(TEXTS.done, 'good') : isHere && badge(TEXTS.here, 'wait')}</li>`,
  )}</ol></nav>`
}
