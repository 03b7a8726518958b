// Trials of a product by its author, with the inputs of its form: the lookup, the fulfillment code, and the run log.

import type { Product } from '../../../../engine/contract/biller-product.ts'
import type { CodeRun } from '../../../../engine/contract/code-run.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { amountKeyboard, currencySymbol } from '../../shared/amount-text.ts'
import type { ApiAnswer } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { badge, dateText, failure, formStart, heading, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { amountOf, filled } from '../shared/typed-text.ts'
import { deliveryAsCustomer, lookupAsCustomer } from './customer-view.ts'
import { TEXTS } from './trial-pages-messages.ts'

/** Result of a trial, shown above the forms. */
interface Trial {
  readonly name: Text | string
  readonly answer: ApiAnswer<unknown>
  /** Returns what the customer sees of the answer. */
  readonly asCustomer: (answer: unknown, currency: string) => Html
  readonly typed: Sent
}

/** Matches the names of inputs: one for each field of the form, by its index. */
const VALUE_NAMES = /^value-\d{1,2}$/

export function trialRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/products/{slug}/try',
      operationId: 'showTrial',
      needs: 'testLookup',
      summary: 'Try a product out',
      show: (visit) => showTrial(visit, null),
    }),
    formRow(parts, {
      path: '/products/{slug}/try-lookup',
      operationId: 'sendTrialLookup',
      needs: 'testLookup',
      summary: 'Try the lookup out',
      fields: [],
      rowNames: VALUE_NAMES,
      act: async (visit, { key }, typed) => {
        const body = { fields: await valuesOf(visit, typed) }
        const answer = await visit.ask('testLookup', { params: visit.params, body, idempotencyKey: key })
        await showTrial(visit, { name: DASHBOARD_WORDS.lookup, answer, typed, asCustomer: lookupAsCustomer })
      },
    }),
    formRow(parts, {
      path: '/products/{slug}/try-fulfillment',
      operationId: 'sendTrialFulfillment',
      needs: 'testFulfillment',
      summary: 'Try the code after a payment out',
      fields: ['biller_ref', 'amount'],
      rowNames: VALUE_NAMES,
      act: tryFulfillment,
    }),
  ]
}

async function tryFulfillment(visit: Visit, sent: Sent<'biller_ref' | 'amount' | 'key'>, typed: Sent): Promise<void> {
  const { biller_ref, amount, key } = sent
  const form_values = await valuesOf(visit, typed)
  const body = filled({ form_values, biller_ref, amount: amount.trim() === '' ? '' : amountOf(amount, visit.currency) })
  const answer = await visit.ask('testFulfillment', { params: visit.params, body, idempotencyKey: key })
  await showTrial(visit, {
    ...{ name: DASHBOARD_WORDS.delivery, answer, asCustomer: deliveryAsCustomer },
    typed: { ...typed, biller_ref, amount },
  })
}

/** Returns the values by field id, without empty ones. */
async function valuesOf(visit: Visit, typed: Sent): Promise<object> {
  const answer = await visit.ask<Product>('getProduct', { params: visit.params })
  return answer.ok ? filled(Object.fromEntries(fieldsOf(answer.body).map(({ id }, at) => [id, typed[`value-${at}`] ?? '']))) : {}
}

type Field = NonNullable<Product['schema']['steps'][number]['fields']>[number]

function fieldsOf({ schema }: Product): readonly Field[] {
  return schema.steps.flatMap(({ fields = [] }) => fields)
}

/** Renders the inputs. `form` keeps the ids of the two forms distinct. */
function valueInputs(product: Product, typed: Sent, form: string): Html {
  return html`${fieldsOf(product).map(({ label, type, options = [], help, placeholder = '' }, at) => {
    const [id, name] = [`${form}-${at}`, `value-${at}`]
    const value = typed[name] ?? ''
    const choices = [{ value: '', words: '—' }, ...options.map((option) => ({ value: option.value, words: option.label }))]
    const input =
      type === 'select'
        ? html`<select id="${id}" name="${name}">${choices.map((choice) => html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.words}</option>`)}</select>`
        : html`<input id="${id}" name="${name}" value="${value}" placeholder="${placeholder}" autocomplete="off">`
    return html`<div class="field"><label for="${id}"><bdi>${label}</bdi></label>${help !== undefined && html`<p class="hint"><bdi>${help}</bdi></p>`}${input}</div>`
  })}`
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
  const typed = trial?.typed ?? {}
  const body = html`${heading(html`${TEXTS.try(theirs(product.title))}`, html`<a class="button quiet" href="${here}">${TEXTS.editProduct}</a>`)}
<p>${TEXTS.nothingPaidAndNoQuote}</p>
${trial !== null && resultOf(trial, visit.currency)}
${
  product.amount_mode === 'lookup' &&
  html`<form class="form card" method="post" action="${here}/try-lookup">${formStart(visit)}<h2>${DASHBOARD_WORDS.lookup}</h2>
${valueInputs(product, typed, 'lookup')}
<button type="submit">${TEXTS.lookUp}</button></form>`
}
${
  product.fulfillment_mode === 'code' &&
  html`<form class="form card" method="post" action="${here}/try-fulfillment">${formStart(visit)}<h2>${DASHBOARD_WORDS.delivery}</h2>
${valueInputs(product, typed, 'paid')}
${formField({ name: 'biller_ref', label: DASHBOARD_WORDS.billReference, value: typed.biller_ref ?? '', maxLength: 255, isRequired: false })}
${formField({ name: 'amount', label: DASHBOARD_WORDS.amountIn(currencySymbol(visit.currency)), value: typed.amount ?? '', maxLength: 20, isRequired: false, inputMode: amountKeyboard(visit.currency) })}
<button type="submit">${TEXTS.runOnPaid}</button></form>`
}
${product.amount_mode !== 'lookup' && product.fulfillment_mode !== 'code' && html`<p class="empty">${TEXTS.productHasNeitherLookupNor}</p>`}
<section><h2>${TEXTS.runLog}</h2>${runLog(runs.ok ? runs.body.data : [])}</section>`
  visit.show({ title: TEXTS.tryProduct, place: 'biller', body }, trial === null || trial.answer.ok ? 200 : 400)
}

function resultOf({ name, answer, asCustomer }: Trial, currency: string): Fragment {
  if (!answer.ok) return failure(answer.error)
  return html`<section class="card" role="status"><h2>${TEXTS.answer(name)}</h2>
${asCustomer(answer.body, currency)}
<h3>${TEXTS.answerOfSystem}</h3><pre tabindex="0">${JSON.stringify(answer.body, null, 2)}</pre></section>`
}

const KINDS: Readonly<Record<CodeRun['kind'], Text | string>> = { lookup: DASHBOARD_WORDS.lookup, fulfillment: DASHBOARD_WORDS.delivery }

function runLog(runs: readonly CodeRun[]): Html {
  if (runs.length === 0) return html`<p class="empty">${TEXTS.codeHasNotRunYet}</p>`
  return html`${runs.map(
    (
      run,
    ) => html`<details class="operation"><summary>${TEXTS.ms(badge(run.ok ? TEXTS.succeeded : DASHBOARD_WORDS.failed, run.ok ? 'good' : 'bad'), KINDS[run.kind], run.test && html` ${TEXTS.trialInBrackets}`, dateText(run.created_at), run.duration_ms)}</summary>
${run.error !== null && html`<p class="error">${theirs(run.error)}</p>`}
${run.fetches.length > 0 && html`<ul>${run.fetches.map(({ method, host, status, duration_ms }) => html`<li>${TEXTS.ms2(method, host, status ?? TEXTS.noAnswer, duration_ms)}</li>`)}</ul>`}
${run.logs.length > 0 ? html`<pre tabindex="0">${run.logs.join('\n')}</pre>` : html`<p class="hint">${TEXTS.nothingWasWrittenConsole}</p>`}
</details>`,
  )}`
}
