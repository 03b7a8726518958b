// One wallet on the operator's desk: its holder, its balance, whether it is blocked and by whom, its limits and its timeline.

import type { OperatorAction, OperatorWallet, WalletPhone } from '../../../engine/contract/operator.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { seesMasked, walletFor } from '../../api/operator/masked-phone.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { amountText } from '../shared/amount-text.ts'
import { newFormKey } from '../shared/api-calls.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { walletTierPart } from './account-rules.ts'
import { walletControl } from './control-forms.ts'
import { csrfField, DESK_FORM, DESK_PAGE, type Desk, type DeskCall } from './desk.ts'
import { answerMissing } from './missing.ts'
import { ENVIRONMENT_NAMES, environmentBadge, type ListPage, moment, operatorName } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { timelinePart } from './timeline-part.ts'
import { walletLimitsPart } from './wallet-limits.ts'
import { walletBadge } from './wallet-routes.ts'

const TEXTS = texts({
  fr: {
    noWalletHasTag: 'Aucun portefeuille ne porte ce tag.',
    showNumber: 'Afficher le numéro',
    logKeepsReason: 'Le journal garde qui l’a demandé, et pourquoi.',
    numberOf: (tag: string, phone: string) => `Numéro de @${tag} : ${phone}`,
    sameTagIn: (environment: string) => `Le même tag : ${environment}`,
    blockedBy: (operator: Fragment, time: Fragment) => html`Bloqué par ${operator}, ${time}.`,
  },
  en: {
    noWalletHasTag: 'No wallet has this tag.',
    showNumber: 'Show the number',
    logKeepsReason: 'The log keeps who asked, and why.',
    numberOf: (tag, phone) => `Number of @${tag}: ${phone}`,
    sameTagIn: (environment) => `The same tag: ${environment}`,
    blockedBy: (operator, time) => html`Blocked by ${operator}, ${time}.`,
  },
})

const ROOT = '../../'
const FIELD = Type.Optional(Type.String())
const PhoneForm = Type.Object({ csrf: FIELD, key: FIELD, reason: FIELD, environment: FIELD })

export function walletPageRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/wallets/{tag}',
      params: { tag: Type.String({ maxLength: 64 }) },
      operationId: 'showOperatorWallet',
      summary: 'One wallet',
      handle: (call) => desk.signedIn(call, ROOT, (session) => later(call, () => show(desk, call, session))),
    }),
    route({
      ...DESK_FORM,
      path: '/operator/wallets/{tag}/phone',
      params: { tag: Type.String({ maxLength: 64 }) },
      operationId: 'showWalletPhoneForm',
      summary: 'Show the phone of a wallet',
      body: PhoneForm,
      handle: (call) => desk.ownForm(call, '../../../', () => later(call, () => showPhone(desk, call))),
    }),
  ]
}

async function showPhone(desk: Desk, call: DeskCall<Static<typeof PhoneForm>>): Promise<void> {
  const tag = String(call.params[0])
  const { key = '', reason = '', environment = '' } = call.body
  const body = { reason: reason.trim(), environment }
  const answer = await desk.ask<WalletPhone>(call, { operationId: 'showWalletPhone', params: [tag], body, idempotencyKey: key })
  const refused = answer.ok ? null : answer.error.param === 'reason' ? OPERATOR_WORDS.typeReason500CharactersAt : answer.error.message
  const notice = answer.ok ? TEXTS.numberOf(answer.body.tag, answer.body.phone) : (refused ?? TEXTS.noWalletHasTag)
  desk.redirectWith(call, `../${encodeURIComponent(tag)}?environment=${encodeURIComponent(environment)}`, notice)
}

async function show(desk: Desk, call: DeskCall, session: OperatorSession): Promise<void> {
  const tag = normalizeTag(String(call.params[0])) ?? ''
  const wanted = new URLSearchParams(call.queryText).get('environment')
  const found = ENVIRONMENTS.flatMap((environment) => walletOf(desk, session, tag, environment) ?? [])
  // Without an environment: the wallet of real money, where there is one.
  const wallet =
    found.find(({ environment }) => environment === wanted) ?? found.find(({ environment }) => environment === 'live') ?? found[0]
  if (wallet === undefined) return answerMissing(desk, call, session, { place: 'wallets', root: ROOT, message: TEXTS.noWalletHasTag })
  const { environment, currency } = wallet
  const other = found.find((one) => one !== wallet)
  const [blocked, timeline] = await Promise.all([
    wallet.blocked ? blockedPart(desk, call, wallet) : null,
    timelinePart(desk, call, session, { noun: 'wallet', id: tag, environment, hasTabs: false }),
  ])
  const account = desk.engine.query('wallets.byTag', { environment, tag })?.account
  const body = html`<p class="crumb"><a href="../wallets">${OPERATOR_WORDS.wallets}</a></p>
<h1><bdi>${wallet.given_name} ${wallet.family_name}</bdi> <small><bdi>@${tag}</bdi></small> ${environmentBadge(environment)} ${walletBadge(wallet)}</h1>
${walletFacts(wallet)}
${seesMasked(session.principal) && phoneForm(session, wallet)}
${blocked}
<p><a class="alone" href="../funding?account=%40${tag}&amp;environment=${environment}">${OPERATOR_WORDS.depositOrWithdraw}</a></p>
${walletControl(session, wallet)}
${other !== undefined && html`<p><a href="${tag}?environment=${other.environment}">${TEXTS.sameTagIn(ENVIRONMENT_NAMES[other.environment])}</a></p>`}
<h2>${OPERATOR_WORDS.limits}</h2>
${walletTierPart(desk, session, wallet, '')}
${account !== undefined && walletLimitsPart(desk.engine.query('rules.ofWallet', { account }), currency)}
${timeline}
<p><a class="alone" href="../audit?tag=%40${tag}">${OPERATOR_WORDS.wholeLogOfThis}</a></p>`
  desk.answer(call, session, { title: html`@${tag}`, place: 'wallets', root: ROOT, body })
}

function walletOf({ engine }: Desk, { principal }: OperatorSession, tag: string, environment: Environment): OperatorWallet | null {
  const account = engine.query('wallets.byTag', { environment, tag })?.account
  const wallet = account === undefined ? null : engine.query('wallets.forOperator', { account })
  return wallet === null ? null : walletFor(principal, wallet)
}

function walletFacts({ id, phone, given_name, family_name, available, pending, currency }: OperatorWallet): Html {
  return html`<dl class="facts card">
<div><dt>${WORDS.holder}</dt><dd><bdi>${given_name} ${family_name}</bdi></dd></div>
<div><dt>${OPERATOR_WORDS.number}</dt><dd>${phone}</dd></div>
<div><dt>${OPERATOR_WORDS.available}</dt><dd><b>${amountText(available, currency)}</b></dd></div>
<div><dt>${OPERATOR_WORDS.reserved}</dt><dd>${amountText(pending, currency)}</dd></div>
<div><dt>${WORDS.identifier}</dt><dd><code class="id">${id}</code></dd></div>
</dl>`
}

function phoneForm(session: OperatorSession, { tag, environment }: OperatorWallet): Html {
  const start = html`${csrfField(session)}<input type="hidden" name="key" value="${newFormKey()}"><input type="hidden" name="environment" value="${environment}">`
  return html`<details><summary>${TEXTS.showNumber}</summary><form class="form" method="post" action="${tag}/phone">${start}
<div class="field"><label for="why">${WORDS.reason}</label><p class="hint" id="why-hint">${TEXTS.logKeepsReason}</p><input id="why" name="reason" type="text" maxlength="500" required autocomplete="off" aria-describedby="why-hint"></div>
<button type="submit">${TEXTS.showNumber}</button></form></details>`
}

/** Says who blocked the wallet: the newest block of the audit trail. */
async function blockedPart(desk: Desk, call: DeskCall, { tag, environment }: OperatorWallet): Promise<Fragment> {
  const query = { tag, action: 'wallet.block', limit: '2' }
  const answer = await desk.ask<ListPage<OperatorAction>>(call, { operationId: 'listOperatorActions', query })
  const block = answer.ok ? answer.body.data.find((action) => action.environment === environment) : undefined
  return block !== undefined && html`<p>${TEXTS.blockedBy(operatorName(block.operator), moment(block.created_at))}</p>`
}
