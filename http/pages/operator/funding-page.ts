// Pages of deposits and withdrawals: the form, and the confirmation, which later shows the result.
import type { Funding } from '../../../engine/contract/funding.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { describedBy, formField } from '../form-field.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { csrfField } from './desk.ts'
import type { FundedAccount, FundingDraft, FundingFaults, TypedFunding } from './funding-draft.ts'
import { environmentBadge } from './operator-parts.ts'

export interface FundingFormView {
  readonly session: OperatorSession
  readonly typed: TypedFunding
  readonly faults: FundingFaults
}

export function fundingForm({ session, typed, faults }: FundingFormView): Html {
  return html`<h1>Déposer ou retirer</h1>
<form class="form card narrow" method="post" action="funding/check" novalidate>
${csrfField(session)}<input type="hidden" name="key" value="${typed.key}">
${choice('kind', 'Mouvement', typed.kind, faults.kind, [
  ['deposit', 'Dépôt'],
  ['withdrawal', 'Retrait'],
])}
${choice('environment', 'Environnement', typed.environment, faults.environment, [
  ['test', 'Test : argent fictif'],
  ['live', 'Production'],
])}
${formField({ name: 'account', label: 'Compte', hint: '@tag d’un portefeuille, ou identifiant d’un marchand.', value: typed.account, maxLength: 64, error: faults.account ?? null })}
${formField({ name: 'amount', label: 'Montant, en francs CFA', value: typed.amount, maxLength: 24, inputMode: 'numeric', error: faults.amount ?? null })}
${formField({ name: 'reference', label: 'Référence', hint: 'Facultative : numéro du virement, par exemple.', value: typed.reference, maxLength: 255, isRequired: false, error: faults.reference ?? null })}
<button type="submit">Vérifier</button>
</form>
<p class="hint narrow">Rien ne bouge avant la confirmation.</p>`
}

function choice(
  name: string,
  label: string,
  value: string,
  fault: string | undefined,
  options: readonly (readonly [string, string])[],
): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}" required${describedBy(name, false, fault !== undefined)}>
${options.every(([option]) => option !== value) && html`<option value="" selected>Choisir…</option>`}
${options.map(([option, text]) => html`<option value="${option}"${option === value && html` selected`}>${text}</option>`)}
</select>
${fault !== undefined && html`<p class="error" id="${name}-error">${fault}</p>`}
</div>`
}

/** `open`: not confirmed yet. `late`: the confirmation has expired. `waiting`: a second operator must approve. */
export type FundingState =
  | { readonly is: 'open'; readonly error: string | null }
  | { readonly is: 'late' }
  | { readonly is: 'waiting' }
  | { readonly is: 'done'; readonly result: Funding }
  | { readonly is: 'refused'; readonly message: string }

export interface ConfirmView {
  readonly session: OperatorSession
  readonly draft: FundingDraft
  readonly sealed: string
  readonly funded: FundedAccount
  readonly balance: number
  readonly state: FundingState
}

const KIND_NAMES = { deposit: 'Dépôt', withdrawal: 'Retrait' } as const

export function confirmBody(view: ConfirmView): Html {
  const { draft, funded, state, balance } = view
  const after = draft.kind === 'deposit' ? balance + draft.amount : balance - draft.amount
  return html`<p class="crumb"><a href="../funding">Nouveau mouvement</a></p>
<h1>${state.is === 'open' ? `Confirmer le ${KIND_NAMES[draft.kind].toLowerCase()}` : KIND_NAMES[draft.kind]}</h1>
${outcome(state)}
<dl class="facts card">
<div><dt>Environnement</dt><dd>${environmentBadge(draft.environment)}</dd></div>
<div><dt>Compte</dt><dd><b><bdi>${funded.name}</bdi></b><br><code>${funded.handle}</code></dd></div>
<div><dt>Montant</dt><dd><b>${prettyAmount(draft.amount)}</b></dd></div>
${draft.reference !== '' && html`<div><dt>Référence</dt><dd><bdi>${draft.reference}</bdi></dd></div>`}
${state.is === 'open' && html`<div><dt>Solde actuel</dt><dd>${prettyAmount(balance)}</dd></div><div><dt>Solde ensuite</dt><dd>${prettyAmount(after)}</dd></div>`}
${state.is === 'done' && html`<div><dt>Solde ensuite</dt><dd>${prettyAmount(state.result.balance_after)}</dd></div><div><dt>Transaction</dt><dd><code>${state.result.transaction_id}</code></dd></div>`}
</dl>
${state.is === 'open' && confirmForm(view, state.error)}`
}

function outcome(state: FundingState): Fragment {
  if (state.is === 'done') return html`<p class="verdict is-good" role="status">Effectué.</p>`
  if (state.is === 'waiting')
    return html`<p class="verdict" role="status">Demandé : une seconde personne de la finance doit approuver ce mouvement. Rien n’a bougé. <a href="../approvals">Mouvements à approuver</a></p>`
  if (state.is === 'refused') return html`<p class="verdict is-bad" role="alert">Refusé : ${state.message} Rien n’a bougé.</p>`
  if (state.is === 'late')
    return html`<p class="verdict is-bad" role="alert">Cette confirmation a attendu plus d’une heure. Rien n’a bougé : recommencez.</p>`
  return null
}

/** Renders the confirmation. For live money the operator types the amount again. */
function confirmForm({ session, draft, sealed }: ConfirmView, error: string | null): Html {
  const verb = draft.kind === 'deposit' ? 'Déposer' : 'Retirer'
  return html`<form class="form card narrow" method="post" action="confirm" novalidate>
${csrfField(session)}<input type="hidden" name="s" value="${sealed}">
${draft.environment === 'live' && formField({ name: 'again', label: 'Retapez le montant', hint: 'C’est de l’argent réel.', maxLength: 24, inputMode: 'numeric', error })}
<button type="submit">${verb} ${prettyAmount(draft.amount)}</button>
</form>`
}
