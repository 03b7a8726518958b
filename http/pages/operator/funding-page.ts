// Pages of deposits and withdrawals: the form, and the confirmation, which later shows the result.

import type { Funding } from '../../../engine/contract/funding.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import type { Text } from '../../text/text.ts'
import { amountKeyboard, amountText, currencySymbol } from '../shared/amount-text.ts'
import { describedBy, formField } from '../shared/form-field.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { csrfField } from './desk.ts'
import type { FundedAccount, FundingDraft, FundingFaults, TypedFunding } from './funding-draft.ts'
import { TEXTS } from './funding-page-messages.ts'
import { environmentBadge } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { movementAddress } from './timeline-part.ts'

export interface FundingFormView {
  readonly session: OperatorSession
  readonly typed: TypedFunding
  readonly faults: FundingFaults
  readonly funded: FundedAccount
}

export function fundingForm({ session, typed, faults, funded }: FundingFormView): Html {
  const { currency, environment, balance } = funded
  return html`<p class="crumb"><a href="funding">${TEXTS.anotherAccount}</a></p>
<h1>${OPERATOR_WORDS.depositOrWithdraw}</h1>
<dl class="facts card narrow">
${accountFacts(funded, '')}
<div><dt>${TEXTS.currentBalance}</dt><dd><b>${amountText(balance, currency)}</b></dd></div>
</dl>
<form class="form card narrow" method="post" action="funding/check" novalidate>
${csrfField(session)}<input type="hidden" name="key" value="${typed.key}"><input type="hidden" name="account" value="${typed.account}"><input type="hidden" name="environment" value="${environment}">
${kindChoice(typed.kind, faults.kind)}
${formField({ name: 'amount', label: amountLabel(currency), value: typed.amount, maxLength: 24, inputMode: amountKeyboard(currency), error: faults.amount ?? null })}
${formField({ name: 'reference', label: WORDS.reference, hint: TEXTS.optionalNumberTransferForExample, value: typed.reference, maxLength: 255, isRequired: false, error: faults.reference ?? null })}
<button type="submit">${WORDS.check}</button>
</form>
<p class="hint narrow">${TEXTS.nothingMovesBeforeConfirmation}</p>`
}

/** `desk`: relative path from the page to the desk's pages. */
function accountFacts({ environment, name, handle, page }: FundedAccount, desk: string): Html {
  return html`<div><dt>${WORDS.environment}</dt><dd>${environmentBadge(environment)}</dd></div>
<div><dt>${WORDS.account}</dt><dd><b><a href="${desk}${page}"><bdi>${name}</bdi></a></b><br><bdi>${handle}</bdi></dd></div>`
}

function amountLabel(currency: Currency): Text {
  return currency === 'XOF' ? TEXTS.amountInCfaFrancs : TEXTS.amountIn(currencySymbol(currency))
}

const KIND_NAMES = { deposit: WORDS.deposit, withdrawal: WORDS.withdrawal } as const

function kindChoice(kind: string, fault: Text | undefined): Html {
  return html`<div class="field">
<label for="kind">${OPERATOR_WORDS.movement}</label>
<select id="kind" name="kind" required${describedBy('kind', false, fault !== undefined)}>
${!Object.hasOwn(KIND_NAMES, kind) && html`<option value="" selected>${TEXTS.choose}</option>`}
${Object.entries(KIND_NAMES).map(([value, words]) => html`<option value="${value}"${value === kind && html` selected`}>${words}</option>`)}
</select>
${fault !== undefined && html`<p class="error" id="kind-error">${fault}</p>`}
</div>`
}

/** `open`: not confirmed yet. `late`: the confirmation has expired. `waiting`: a second operator must approve. */
export type FundingState =
  | { readonly is: 'open'; readonly error: Text | string | null }
  | { readonly is: 'late' }
  | { readonly is: 'waiting' }
  | { readonly is: 'done'; readonly result: Funding }
  | { readonly is: 'refused'; readonly message: Text | string }

export interface ConfirmView {
  readonly session: OperatorSession
  readonly draft: FundingDraft
  readonly sealed: string
  readonly funded: FundedAccount
  readonly state: FundingState
}

const KINDS_IN_SENTENCE = { deposit: TEXTS.depositInSentence, withdrawal: TEXTS.withdrawalInSentence } as const
export function confirmBody(view: ConfirmView): Html {
  const { draft, funded, state } = view
  const { balance } = funded
  const after = draft.kind === 'deposit' ? balance + draft.amount : balance - draft.amount
  return html`<p class="crumb"><a href="../funding">${TEXTS.newMovement}</a></p>
<h1>${state.is === 'open' ? TEXTS.confirm(KINDS_IN_SENTENCE[draft.kind]) : KIND_NAMES[draft.kind]}</h1>
${outcome(state)}
<dl class="facts card">
${accountFacts(funded, '../')}
<div><dt>${WORDS.amount}</dt><dd><b>${amountText(draft.amount, funded.currency)}</b></dd></div>
${draft.reference !== '' && html`<div><dt>${WORDS.reference}</dt><dd><bdi>${draft.reference}</bdi></dd></div>`}
${state.is === 'open' && html`<div><dt>${TEXTS.currentBalance}</dt><dd>${amountText(balance, funded.currency)}</dd></div><div><dt>${TEXTS.balanceAfterwards}</dt><dd>${amountText(after, funded.currency)}</dd></div>`}
${state.is === 'done' && html`<div><dt>${TEXTS.balanceAfterwards}</dt><dd>${amountText(state.result.balance_after, funded.currency)}</dd></div><div><dt>${OPERATOR_WORDS.movement}</dt><dd><a href="../${movementAddress(funded.page, state.result.transaction_id)}">${OPERATOR_WORDS.seeMovement}</a></dd></div>`}
</dl>
${state.is === 'open' && confirmForm(view, state.error)}`
}

function outcome(state: FundingState): Fragment {
  if (state.is === 'done') return html`<p class="verdict is-good" role="status">${TEXTS.done}</p>`
  if (state.is === 'waiting') return html`<p class="verdict" role="status">${TEXTS.requestedSecondPersonFinanceMust}</p>`
  if (state.is === 'refused') return html`<p class="verdict is-bad" role="alert">${TEXTS.refusedNothingMoved(state.message)}</p>`
  if (state.is === 'late') return html`<p class="verdict is-bad" role="alert">${TEXTS.confirmationWaitedMoreThanHour}</p>`
  return null
}

/** Renders the confirmation. For live money the operator types the amount again. */
function confirmForm({ session, draft, sealed, funded }: ConfirmView, error: Text | string | null): Html {
  const verb = draft.kind === 'deposit' ? TEXTS.deposit : TEXTS.withdraw
  return html`<form class="form card narrow" method="post" action="confirm" novalidate>
${csrfField(session)}<input type="hidden" name="s" value="${sealed}">
${draft.environment === 'live' && formField({ name: 'again', label: TEXTS.typeAmountAgain, hint: TEXTS.realMoney, maxLength: 24, inputMode: amountKeyboard(funded.currency), error })}
<button type="submit">${verb} ${amountText(draft.amount, funded.currency)}</button>
</form>`
}
