// The routes of deposits and withdrawals: form, check, confirmation. Only the confirmation moves money. It uses the API's
// route and the idempotency key of the form.

import type { Approval } from '../../../engine/contract/approval.ts'
import type { ErrorValue } from '../../../engine/contract/errors.ts'
import type { Funding } from '../../../engine/contract/funding.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { operatorKeyScope } from '../../server/route-guards.ts'
import { errorText } from '../../text/error-text.ts'
import { newFormKey } from '../shared/api-calls.ts'
import { redirectTo } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { DESK_FORM, DESK_PAGE, type Desk, type DeskCall } from './desk.ts'
import { accountChoice } from './funding-choice.ts'
import {
  type FundingDraft,
  fundedAccount,
  isDraft,
  isFormKey,
  namedAccount,
  openDraft,
  readAmount,
  readFunding,
  sealDraft,
  type TypedFunding,
} from './funding-draft.ts'
import { confirmBody, type FundingState, fundingForm } from './funding-page.ts'
import { answerMissing } from './missing.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { SEARCH_LENGTH_MAX } from './search-routes.ts'

const TEXTS = texts({
  fr: {
    errorMovements: 'Erreur : mouvements',
    confirmationNotCompleteStartMovement: 'Cette confirmation n’est pas complète. Recommencez le mouvement.',
    amountTypedAgainNotMovement: 'Le montant retapé n’est pas celui du mouvement.',
  },
  en: {
    errorMovements: 'Error: movements',
    confirmationNotCompleteStartMovement: 'This confirmation is not complete. Start the movement again.',
    amountTypedAgainNotMovement: 'The amount typed again is not that of the movement.',
  },
})

const FIELD = Type.Optional(Type.String())
const FINANCE = ['finance'] as const
const CheckForm = Type.Object({ csrf: FIELD, key: FIELD, kind: FIELD, environment: FIELD, account: FIELD, amount: FIELD, reference: FIELD })
const ConfirmForm = Type.Object({ csrf: FIELD, s: FIELD, again: FIELD })

/** Lifetime of a confirmation. */
const CONFIRM_WITHIN_MS = 3_600_000
/** Maximum length of typed text. Nothing longer is valid. */
const TYPED_LENGTH_MAX = 300

export function fundingRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/funding',
      operationId: 'showOperatorFunding',
      summary: 'Deposit or withdraw',
      handle: (call) => desk.signedIn(call, '../', (session) => later(call, () => showForm(desk, call, session)), FINANCE),
    }),
    route({
      ...DESK_FORM,
      path: '/operator/funding/check',
      operationId: 'sendOperatorFunding',
      summary: 'What it would do',
      body: CheckForm,
      handle: (call) => desk.ownForm(call, '../../', () => check(desk, call), FINANCE),
    }),
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/funding/confirm',
      operationId: 'showOperatorConfirmation',
      summary: 'Ask once more; later, what became of it',
      handle: (call) => desk.signedIn(call, '../../', (session) => showConfirmation(desk, call, session), FINANCE),
    }),
    route({
      ...DESK_FORM,
      path: '/operator/funding/confirm',
      operationId: 'sendOperatorConfirmation',
      summary: 'Do it',
      body: ConfirmForm,
      handle: (call) => desk.ownForm(call, '../../', (session) => later(call, () => confirm(desk, call, session)), FINANCE),
    }),
  ]
}

/** Returns the fields of the address. Links from merchants and wallets set the account; an invalid form sets all fields. */
function typedIn({ queryText }: DeskCall): TypedFunding {
  const query = new URLSearchParams(queryText)
  const text = (name: string): string => (query.get(name) ?? '').slice(0, TYPED_LENGTH_MAX)
  const key = text('key')
  return {
    ...{ kind: text('kind'), account: text('account'), environment: text('environment'), amount: text('amount') },
    ...{ reference: text('reference'), key: isFormKey(key) ? key : newFormKey() },
  }
}

/** Shows the form of an account; the choice of one while none is named. */
async function showForm(desk: Desk, call: DeskCall, session: OperatorSession): Promise<void> {
  const query = new URLSearchParams(call.queryText)
  const typed = typedIn(call)
  const funded = namedAccount(desk.engine, typed)
  const view = { title: OPERATOR_WORDS.movements, place: 'funding', root: '../' } as const
  if (funded === null) {
    const [status, body] = await accountChoice(desk, call, (query.get('q') ?? typed.account).trim().slice(0, SEARCH_LENGTH_MAX))
    return desk.answer(call, session, { ...view, body }, status)
  }
  const checked = query.has('checked') ? readFunding(desk.engine, typed, funded) : {}
  const faults = isDraft(checked) ? {} : checked
  const title = Object.keys(faults).length > 0 ? TEXTS.errorMovements : OPERATOR_WORDS.movements
  desk.answer(call, session, { ...view, title, body: fundingForm({ session, typed, faults, funded }) })
}

/** Redirects to the confirmation, or back to the form with its error. */
function check(desk: Desk, call: DeskCall<Static<typeof CheckForm>>): void {
  const { key = '', kind = '', environment = '', account = '', amount = '', reference = '' } = call.body
  const cut = (text: string): string => text.slice(0, TYPED_LENGTH_MAX)
  const typed: TypedFunding = {
    ...{ kind: cut(kind), environment: cut(environment), key: isFormKey(key) ? key : newFormKey() },
    ...{ account: cut(account), amount: cut(amount), reference: cut(reference) },
  }
  const funded = namedAccount(desk.engine, typed)
  const read = funded === null ? {} : readFunding(desk.engine, typed, funded)
  if (isDraft(read)) return redirectTo(call, `confirm?s=${encodeURIComponent(sealDraft(desk.seal, read))}`)
  redirectTo(call, `../funding?${new URLSearchParams({ ...typed, checked: '' })}`)
}

function showConfirmation(desk: Desk, call: DeskCall, session: OperatorSession): void {
  const query = new URLSearchParams(call.queryText)
  const sealed = query.get('s') ?? ''
  const draft = openDraft(desk.seal, sealed)
  const funded = draft === null ? null : fundedAccount(desk.engine, draft)
  if (draft === null || funded === null) {
    return answerMissing(desk, call, session, {
      place: 'funding',
      root: '../../',
      message: TEXTS.confirmationNotCompleteStartMovement,
      status: 400,
    })
  }
  const became = stateOf(desk, session, draft, query.has('again'))
  const body = confirmBody({ session, draft, sealed, funded, state: became })
  desk.answer(call, session, {
    title: became.is === 'open' ? WORDS.confirm : OPERATOR_WORDS.movement,
    place: 'funding',
    root: '../../',
    body,
  })
}

const TYPE_AGAIN = TEXTS.amountTypedAgainNotMovement

/** Returns the state of a movement. A recorded result wins over an expired confirmation. */
function stateOf(
  { engine }: Desk,
  { principal }: OperatorSession,
  { idempotencyKey, madeMs }: FundingDraft,
  wasMistyped: boolean,
): FundingState {
  const scope = operatorKeyScope(principal.operator)
  const result = engine.query('results.known', { scope, key: idempotencyKey, fingerprint: null })
  if (result !== null && result.kind === 'created') return { is: 'done', result: JSON.parse(result.body) as Funding }
  if (result !== null && result.kind === 'accepted') return requestedState(engine, (JSON.parse(result.body) as Approval).id)
  if (result !== null) return { is: 'refused', message: errorText(JSON.parse(result.body) as ErrorValue) }
  if (engine.query('engine.time', null) - madeMs > CONFIRM_WITHIN_MS) return { is: 'late' }
  return { is: 'open', error: wasMistyped ? TYPE_AGAIN : null }
}

/** Returns what became of a movement that needs a second operator. */
function requestedState(engine: Desk['engine'], id: string): FundingState {
  const found = engine.query('approvals.get', { id })
  const approval = found === null ? null : (JSON.parse(found) as Approval)
  if (approval?.state === 'refused') return { is: 'refused', message: approval.reason ?? '' }
  const { transaction_id = null, balance_after = null } = approval ?? {}
  if (transaction_id === null || balance_after === null) return { is: 'waiting' }
  return { is: 'done', result: { transaction_id, balance_after } }
}

async function confirm(desk: Desk, call: DeskCall<Static<typeof ConfirmForm>>, session: OperatorSession): Promise<void> {
  const sealed = call.body.s ?? ''
  const draft = openDraft(desk.seal, sealed)
  if (draft === null) return redirectTo(call, '../funding')
  const own = `confirm?s=${encodeURIComponent(sealed)}`
  if (stateOf(desk, session, draft, false).is !== 'open') return redirectTo(call, own)
  const funded = fundedAccount(desk.engine, draft)
  const again = funded === null ? null : readAmount(call.body.again ?? '', funded.currency)
  if (draft.environment === 'live' && again !== draft.amount) return redirectTo(call, `${own}&again=`)
  const { kind, target, environment, amount, reference, idempotencyKey } = draft
  const answer = await desk.ask<Funding>(call, {
    operationId: kind === 'deposit' ? 'createDeposit' : 'createWithdrawal',
    body: { ...target, environment, amount, reference },
    idempotencyKey,
  })
  // The page shows recorded results. An error before the decision is shown once, as a notice.
  if (answer.ok) redirectTo(call, own)
  else desk.redirectWith(call, own, answer.error.message)
}
