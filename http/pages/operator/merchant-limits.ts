// Limits of one merchant on its page of the desk: what applies, and the form that changes it.
import { type OwnLimits, type SetMerchantLimitsBody, wholeLimits } from '../../../engine/contract/merchant-limits.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { typedMoney } from '../../text/money.ts'
import type { Text } from '../../text/text.ts'
import { formField } from '../shared/form-field.ts'
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'
import { csrfField, DESK_FORM, type Desk, type DeskCall, mayAct } from './desk.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const TEXTS = texts({
  fr: {
    limitsSaved: 'Les limites sont enregistrées.',
    typeWholeNumberAboveZero: 'Saisissez un nombre entier, supérieur à zéro.',
    emptyUsualValue: 'Vide : la valeur habituelle.',
    changeLimits: 'Changer les limites',
    inProductionBeyondTheseNumbers:
      'En production, au-delà de ces nombres, seuls les destinataires que le marchand a déjà payés sont acceptés.',
    saveLimits: 'Enregistrer les limites',
  },
  en: {
    limitsSaved: 'The limits are saved.',
    typeWholeNumberAboveZero: 'Type a whole number above zero.',
    emptyUsualValue: 'Empty: the usual value.',
    changeLimits: 'Change the limits',
    inProductionBeyondTheseNumbers: 'In production, beyond these numbers, only recipients that the merchant has paid before are accepted.',
    saveLimits: 'Save the limits',
  },
})

type LimitName = keyof OwnLimits

const LABELS: Readonly<Record<LimitName, Text | string>> = {
  unknown_recipients: OPERATOR_WORDS.unknownRecipientsInBurst,
  unknown_recipients_per_minute: OPERATOR_WORDS.unknownRecipientsMinute,
}

const NAMES = Object.keys(LABELS) as LimitName[]
const FIELD = Type.Optional(Type.String())
const LimitsForm = Type.Object({ csrf: FIELD, unknown_recipients: FIELD, unknown_recipients_per_minute: FIELD })
const ADMIN = ['admin'] as const
const DIGITS_MAX = 12

export function merchantLimitPages(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_FORM,
      path: '/operator/merchants/{id}/limits',
      params: { id: Type.String({ maxLength: 64 }) },
      operationId: 'setMerchantLimitsForm',
      summary: 'Change limits of a merchant',
      body: LimitsForm,
      handle: (call) => desk.ownForm(call, '../../../', () => later(call, () => setLimits(desk, call)), ADMIN),
    }),
  ]
}

/** An empty field takes the default. */
async function setLimits(desk: Desk, call: DeskCall<Static<typeof LimitsForm>>): Promise<void> {
  const [id = ''] = call.params
  const body: SetMerchantLimitsBody = {}
  for (const name of NAMES) {
    const typed = (call.body[name] ?? '').trim()
    const value = typed === '' ? null : typedMoney(typed, 'XOF')
    if (value === null && typed !== '') return desk.redirectWith(call, `../${encodeURIComponent(id)}`, NOT_A_NUMBER)
    body[name] = value
  }
  const answer = await desk.ask(call, { operationId: 'setMerchantLimits', params: [id], body })
  desk.redirectWith(call, `../${encodeURIComponent(id)}`, answer.ok ? TEXTS.limitsSaved : answer.error.message)
}

const NOT_A_NUMBER = TEXTS.typeWholeNumberAboveZero

/** `own`: the limits that differ from the defaults. */
export function merchantLimitsPart(session: OperatorSession, id: string, own: OwnLimits | undefined): Fragment {
  const limits = wholeLimits(own)
  const facts = html`<dl class="facts card">${NAMES.map((name) => html`<div><dt>${LABELS[name]}</dt><dd>${String(limits[name])}</dd></div>`)}</dl>`
  if (!mayAct(session, ADMIN)) return facts
  const fields = NAMES.map((name) =>
    formField({
      name,
      label: LABELS[name],
      value: String(limits[name]),
      maxLength: DIGITS_MAX,
      inputMode: 'numeric',
      isRequired: false,
      hint: TEXTS.emptyUsualValue,
    }),
  )
  return html`${facts}<details><summary>${TEXTS.changeLimits}</summary><form class="form" method="post" action="${id}/limits">${csrfField(session)}
<p>${TEXTS.inProductionBeyondTheseNumbers}</p>
${fields}
<button type="submit">${TEXTS.saveLimits}</button></form></details>`
}
