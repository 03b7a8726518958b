// A product tried out by its author: the lookup, the code after a payment, and the log of what the code did.
import type { Product } from '../../../engine/contract/biller-product.ts'
import type { CodeRun } from '../../../engine/contract/code-run.ts'
import type { Route } from '../../route.ts'
import type { ApiAnswer } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { areaField, badge, dateText, failure, formStart, heading, theirs } from './parts.ts'
import { amountOf, filled, parsed } from './typed.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

/** What came of a trial, shown above the forms. */
interface Trial {
  readonly name: string
  readonly answer: ApiAnswer<unknown>
  readonly values: string
}

export function trialRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/products/{slug}/try',
      operationId: 'showTrial',
      summary: 'Try a product out',
      show: (visit) => showTrial(visit, null),
    }),
    formRow(parts, {
      path: '/products/{slug}/try-lookup',
      operationId: 'sendTrialLookup',
      summary: 'Try the lookup out',
      fields: ['fields'],
      act: async (visit, { fields, key }) => {
        const answer = await visit.ask('testLookup', { params: visit.params, body: { fields: parsed(fields) }, idempotencyKey: key })
        await showTrial(visit, { name: 'Consultation', answer, values: fields })
      },
    }),
    formRow(parts, {
      path: '/products/{slug}/try-fulfillment',
      operationId: 'sendTrialFulfillment',
      summary: 'Try the code after a payment out',
      fields: ['values', 'biller_ref', 'amount'],
      act: tryFulfillment,
    }),
  ]
}

async function tryFulfillment(
  visit: Visit,
  { values, biller_ref, amount, key }: Sent<'values' | 'biller_ref' | 'amount' | 'key'>,
): Promise<void> {
  const body = filled({ form_values: parsed(values), biller_ref, amount: amount.trim() === '' ? '' : amountOf(amount) })
  const answer = await visit.ask('testFulfillment', { params: visit.params, body, idempotencyKey: key })
  await showTrial(visit, { name: 'Livraison', answer, values })
}

async function showTrial(visit: Visit, trial: Trial | null): Promise<void> {
  const { params } = visit
  const [answer, runs] = await Promise.all([
    visit.ask<Product>('getProduct', { params }),
    visit.ask<{ readonly data: readonly CodeRun[] }>('listCodeRuns', { params, query: { limit: '20' } }),
  ])
  if (!answer.ok) return visit.missing()
  const product = answer.body
  const here = visit.to(`products/${product.slug}`)
  const values = trial?.values ?? JSON.stringify(exampleValues(product), null, 2)
  const body = html`${heading(html`Essayer ${theirs(product.title)}`, html`<a class="button quiet" href="${here}">Modifier le produit</a>`)}
<p>Rien n’est payé et aucun devis n’est créé : vos systèmes et votre code sont appelés pour de vrai.</p>
${trial !== null && resultOf(trial)}
${
  product.amount_mode === 'lookup' &&
  html`<form class="form card" method="post" action="${here}/try-lookup">${formStart(visit)}<h2>Consultation</h2>
${areaField({ name: 'fields', label: 'Ce que le client saisirait (JSON)', value: values, rows: 5, isCode: true })}
<button type="submit">Consulter</button></form>`
}
${
  product.fulfillment_mode === 'code' &&
  html`<form class="form card" method="post" action="${here}/try-fulfillment">${formStart(visit)}<h2>Livraison</h2>
${areaField({ name: 'values', label: 'Ce que le client aurait saisi (JSON)', value: values, rows: 5, isCode: true })}
${formField({ name: 'biller_ref', label: 'Référence de facture', maxLength: 255, isRequired: false })}
${formField({ name: 'amount', label: 'Montant (F CFA)', maxLength: 20, isRequired: false, inputMode: 'numeric' })}
<button type="submit">Exécuter onPaid</button></form>`
}
${product.amount_mode !== 'lookup' && product.fulfillment_mode !== 'code' && html`<p class="empty">Ce produit n’a ni consultation ni code : il n’y a rien à essayer.</p>`}
<section><h2>Journal d’exécution</h2>${runLog(runs.ok ? runs.body.data : [])}</section>`
  visit.show({ title: 'Essayer un produit', place: 'biller', body }, trial === null || trial.answer.ok ? 200 : 400)
}

function exampleValues({ schema }: Product): object {
  return Object.fromEntries(schema.steps.flatMap(({ fields = [] }) => fields.map(({ id }) => [id, ''])))
}

function resultOf({ name, answer }: Trial): Fragment {
  if (!answer.ok) return failure(answer.error)
  return html`<section class="card" role="status"><h2>${name} : réponse</h2><pre tabindex="0">${JSON.stringify(answer.body, null, 2)}</pre></section>`
}

const KINDS: Readonly<Record<CodeRun['kind'], string>> = { lookup: 'Consultation', fulfillment: 'Livraison' }

function runLog(runs: readonly CodeRun[]): Html {
  if (runs.length === 0) return html`<p class="empty">Votre code n’a pas encore été exécuté.</p>`
  return html`${runs.map(
    (
      run,
    ) => html`<details class="operation"><summary>${badge(run.ok ? 'Réussi' : 'Échec', run.ok ? 'good' : 'bad')} ${KINDS[run.kind]}${run.test && ' (essai)'}, ${dateText(run.created_at)}, ${run.duration_ms}\u00a0ms</summary>
${run.error !== null && html`<p class="error">${theirs(run.error)}</p>`}
${run.fetches.length > 0 && html`<ul>${run.fetches.map(({ method, host, status, duration_ms }) => html`<li><code>${method} ${host}</code> : ${status ?? 'sans réponse'}, ${duration_ms}\u00a0ms</li>`)}</ul>`}
${run.logs.length > 0 ? html`<pre tabindex="0">${run.logs.join('\n')}</pre>` : html`<p class="hint">Rien n’a été écrit dans la console.</p>`}
</details>`,
  )}`
}
