// Forms of the desk that block wallets, suspend merchants, let them act again, and revoke API keys. Admins alone see them.

import type { ApiKey } from '../../../engine/contract/api-key.ts'
import type { Member } from '../../../engine/contract/dashboard.ts'
import type { Merchant } from '../../../engine/contract/merchant.ts'
import type { OperatorWallet } from '../../../engine/contract/operator.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { newFormKey } from '../shared/api-calls.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { TEXTS } from './control-forms-messages.ts'
import { csrfField, DESK_FORM, type Desk, type DeskCall, mayAct } from './desk.ts'
import { TOKEN_LENGTH_MAX } from './login-routes.ts'
import { answerMissing } from './missing.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const FIELD = Type.Optional(Type.String())
const ControlForm = Type.Object({ csrf: FIELD, key: FIELD, reason: FIELD, environment: FIELD })
const ResetTotpForm = Type.Object({ csrf: FIELD, key: FIELD, reason: FIELD, token: FIELD })
const ADMIN = ['admin'] as const
const REASON_LENGTH_MAX = 500

/** By the end of its address: the operation, and the notice of its success. */
const CONTROLS = {
  block: ['blockWallet', TEXTS.walletBlocked],
  unblock: ['unblockWallet', TEXTS.walletUnblocked],
  suspend: ['suspendMerchant', TEXTS.merchantSuspended],
  reinstate: ['reinstateMerchant', TEXTS.merchantRestored],
} as const

type Control = keyof typeof CONTROLS

export function controlRoutes(desk: Desk): readonly Route[] {
  const controls = (Object.keys(CONTROLS) as Control[]).map((control) =>
    route({
      ...DESK_FORM,
      path: `/operator/${kindOf(control)}/{id}/${control}`,
      params: { id: Type.String({ maxLength: 64 }) },
      operationId: `${CONTROLS[control][0]}Form`,
      summary: control,
      body: ControlForm,
      handle: (call) => desk.ownForm(call, '../../../', (session) => later(call, () => act(desk, call, session, control)), ADMIN),
    }),
  )
  return [...controls, revokeKeyRoute(desk), resetTotpRoute(desk)]
}

function revokeKeyRoute(desk: Desk): Route {
  return route({
    ...DESK_FORM,
    path: '/operator/merchants/{id}/api-keys/{key_id}/revoke',
    params: { id: Type.String({ maxLength: 64 }), key_id: Type.String({ maxLength: 64 }) },
    operationId: 'revokeMerchantApiKeyForm',
    summary: 'Revoke an API key pair of a merchant',
    body: ControlForm,
    handle: (call) => desk.ownForm(call, '../../../../../', () => later(call, () => revokeKey(desk, call)), ADMIN),
  })
}

function resetTotpRoute(desk: Desk): Route {
  return route({
    ...DESK_FORM,
    path: '/operator/merchants/{id}/members/{user_id}/reset-totp',
    params: { id: Type.String({ maxLength: 64 }), user_id: Type.String({ maxLength: 64 }) },
    operationId: 'resetTotpOfMemberForm',
    summary: 'Turn TOTP of a member off',
    body: ResetTotpForm,
    handle: (call) => desk.ownForm(call, '../../../../../', (session) => later(call, () => resetTotp(desk, call, session)), ADMIN),
  })
}

/** Asks for the operator's own token: a session that was left open must not open the account of a merchant. */
async function resetTotp(desk: Desk, call: DeskCall<Static<typeof ResetTotpForm>>, session: OperatorSession): Promise<void> {
  const [id = '', userId = ''] = call.params
  const { key = '', reason = '', token = '' } = call.body
  const page = `../../../${encodeURIComponent(id)}`
  const confirmed = desk.sessions.confirm(session, token, call.remoteAddress)
  if (confirmed !== 'right') return desk.redirectWith(call, page, confirmed === 'wrong' ? NOT_YOUR_TOKEN : TOO_MANY_TOKENS)
  const answer = await desk.ask(call, {
    operationId: 'resetTotpOfMember',
    params: [id, userId],
    body: { reason: reason.trim() },
    idempotencyKey: key,
  })
  const missing = answer.ok || answer.error.param !== 'reason' ? null : TEXTS.typeReason
  const notice = answer.ok ? TEXTS.twoStepVerificationOffE : (missing ?? answer.error.message)
  desk.redirectWith(call, page, notice)
}

const NOT_YOUR_TOKEN = TEXTS.notTokenNothingHasChanged
const TOO_MANY_TOKENS = OPERATOR_WORDS.tooManyAttemptsFromAddress

async function revokeKey(desk: Desk, call: DeskCall): Promise<void> {
  const [id = '', keyId = ''] = call.params
  const answer = await desk.ask(call, { operationId: 'revokeMerchantApiKey', params: [id, keyId] })
  desk.redirectWith(call, `../../../${encodeURIComponent(id)}`, answer.ok ? TEXTS.apiKeyRevoked : answer.error.message)
}

function kindOf(control: Control): 'wallets' | 'merchants' {
  return control === 'block' || control === 'unblock' ? 'wallets' : 'merchants'
}

async function act(desk: Desk, call: DeskCall<Static<typeof ControlForm>>, session: OperatorSession, control: Control): Promise<void> {
  const [operationId, notice] = CONTROLS[control]
  const { key = '', reason, environment } = call.body
  const id = String(call.params[0])
  const body = {
    ...(reason === undefined ? {} : { reason: reason.trim() }),
    ...(environment === undefined ? {} : { environment }),
  }
  const sent = control === 'reinstate' ? {} : { body }
  const answer = await desk.ask(call, { operationId, params: [id], ...sent, idempotencyKey: key })
  const place = kindOf(control)
  if (!answer.ok) {
    const message = answer.error.param === 'reason' ? OPERATOR_WORDS.typeReason500CharactersAt : answer.error.message
    return answerMissing(desk, call, session, { place, root: '../../../', message, status: answer.status })
  }
  desk.redirectWith(
    call,
    `../${encodeURIComponent(id)}${environment === undefined ? '' : `?environment=${encodeURIComponent(environment)}`}`,
    notice,
  )
}

/** Forms of a wallet's page. */
export function walletControl(session: OperatorSession, { id, tag, environment, blocked, block_reason }: OperatorWallet): Fragment {
  if (!mayAct(session, ADMIN)) return reasonLine(block_reason)
  const start = html`${formStart(session)}<input type="hidden" name="environment" value="${environment}">`
  if (!blocked) return reasonForm(`${tag}/block`, start, { id, ask: TEXTS.blockWallet, go: TEXTS.block })
  return html`${reasonLine(block_reason)}<form class="form" method="post" action="${tag}/unblock">${start}<button type="submit">${TEXTS.unblock}</button></form>`
}

/** Forms of a merchant's page. */
export function merchantControl(session: OperatorSession, { id, state, suspend_reason }: Merchant): Fragment {
  if (!mayAct(session, ADMIN)) return reasonLine(suspend_reason)
  const start = formStart(session)
  if (state === 'active') return reasonForm(`${id}/suspend`, start, { id, ask: TEXTS.suspendMerchant, go: OPERATOR_WORDS.suspend })
  return html`${reasonLine(suspend_reason)}<form class="form" method="post" action="${id}/reinstate">${start}<button type="submit">${OPERATOR_WORDS.restore}</button></form>`
}

/** Form of a member with a second factor, on the page of its merchant. */
export function memberControl(session: OperatorSession, merchantId: string, { id }: Member): Fragment {
  if (!mayAct(session, ADMIN)) return null
  const token = html`<div class="field"><label for="token-${id}">${TEXTS.token}</label><input id="token-${id}" name="token" type="password" maxlength="${TOKEN_LENGTH_MAX}" required autocomplete="current-password"></div>`
  const words = { id, ask: WORDS.lostPhone, go: WORDS.turnOffTwoStepVerification, more: token }
  return reasonForm(`${merchantId}/members/${id}/reset-totp`, formStart(session), words)
}

/** Form of an API key, on its merchant's page. */
export function keyControl(session: OperatorSession, merchantId: string, { id, public_key }: ApiKey): Fragment {
  if (!mayAct(session, ADMIN)) return null
  return html`<details><summary>${WORDS.revoke}</summary><form method="post" action="${merchantId}/api-keys/${id}/revoke">${csrfField(session)}<p>${TEXTS.serverMerchantWillHaveNo}</p><button type="submit" class="quiet" aria-label="${TEXTS.revokeKey(public_key)}">${WORDS.revokeKey}</button></form></details>`
}

function reasonLine(reason: string | null): Fragment {
  return reason !== null && html`<p class="error">${TEXTS.reason(reason)}</p>`
}

function formStart(session: OperatorSession): Html {
  return html`${csrfField(session)}<input type="hidden" name="key" value="${newFormKey()}">`
}

interface ReasonWords {
  readonly id: string
  readonly ask: Text | string
  readonly go: Text | string
  /** Fields after the reason. */
  readonly more?: Html
}

function reasonForm(action: string, start: Html, { id, ask, go, more }: ReasonWords): Html {
  return html`<details><summary>${ask}</summary><form class="form" method="post" action="${action}">${start}
<div class="field"><label for="reason-${id}">${WORDS.reason}</label><input id="reason-${id}" name="reason" type="text" maxlength="${REASON_LENGTH_MAX}" required autocomplete="off"></div>
${more}
<button type="submit">${go}</button></form></details>`
}
