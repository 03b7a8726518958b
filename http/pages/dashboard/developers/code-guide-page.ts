// The page about hosted code: arguments, answers, globals, limits and templates. In French; names are those of JavaScript.

import type { Currency } from '../../../../engine/kernel/currency.ts'
import type { Route } from '../../../server/route.ts'
import { type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { CODE_TEMPLATES } from '../products/code-templates.ts'
import { facts, heading } from '../shared/dashboard-parts.ts'
import { type DashboardParts, pageRow } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import {
  ABSENT,
  ARGS_FIELDS,
  CONTEXT_FIELDS,
  DUE_FIELDS,
  type Fields,
  GLOBALS,
  REFUSED_FIELDS,
  RUN_LIMITS,
  TRIED_PACKAGES,
} from './code-guide.ts'
import { TEXTS } from './code-guide-page-messages.ts'

export function codeGuideRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/code',
      operationId: 'showCodeGuide',
      summary: 'What hosted code has',
      show: (visit) => {
        const body = html`${heading(TEXTS.hostedCode, html`<a class="button quiet" href="${visit.to('biller')}#produits">${WORDS.products}</a>`)}
${guideOf(visit.currency)}`
        visit.show({ title: TEXTS.hostedCode, place: 'biller', body })
      },
    }),
  ]
}

/** A list instead of `facts`: names of fields do not fit into a column of a phone. */
const fields = (rows: Fields, currency: Currency): Html =>
  html`<ul>${rows.map(([name, words]) => html`<li><code>${name}</code>${WORDS.colon} ${typeof words === 'function' ? words(currency) : words}</li>`)}</ul>`

function names(list: readonly string[]): Html {
  return html`${list.map((name, at) => html`${at > 0 && ', '}<code>${name}</code>`)}`
}

function guideOf(currency: Currency): Html {
  const { seconds, fetches, fetchKilobytes, crossingKilobytes, megabytes, logLines } = RUN_LIMITS
  return html`<p>${TEXTS.codeWrittenForNodeJs}</p>
<section class="card"><h2>lookup(args)</h2><h3>${TEXTS.whatArgsContains}</h3>${fields(ARGS_FIELDS, currency)}
<h3>${TEXTS.answerAmountDue}</h3>${fields(DUE_FIELDS, currency)}
<h3>${TEXTS.answerNothingCanBePaid}</h3>${fields(REFUSED_FIELDS, currency)}
<p>${TEXTS.errorInCodeCustomerReads}</p></section>
<section class="card"><h2>onPaid(ctx)</h2><h3>${TEXTS.whatCtxContains}</h3>${fields(CONTEXT_FIELDS, currency)}
<p>${TEXTS.whatFunctionReturnsNotKept}</p></section>
<section class="card"><h2>${TEXTS.whatThere}</h2>
${GLOBALS.map((group) => html`<h3>${group.title}</h3><p>${names(group.names)}. ${group.words}</p>`)}</section>
<section class="card"><h2>${TEXTS.whatThereNot}</h2><ul>
${ABSENT.map((row) => html`<li>${row.words}${row.names.length > 0 && html` ${names(row.names)}.`}</li>`)}</ul></section>
<section class="card"><h2>${TEXTS.packagesWereTried}</h2><p>${TEXTS.theseNpmPackagesWithoutDependencies(names(TRIED_PACKAGES))}</p></section>
<section class="card"><h2>${TEXTS.limitsRun}</h2>${facts([
    [DASHBOARD_WORDS.duration, TEXTS.secondsInAllWithNetwork(seconds)],
    [TEXTS.calls, TEXTS.fetchKbEachWay(fetches, fetchKilobytes)],
    [TEXTS.codeArgumentsResult, TEXTS.kbEach(crossingKilobytes)],
    [TEXTS.memory, TEXTS.mb(megabytes)],
    [WORDS.log, TEXTS.lines(logLines)],
  ])}</section>
<section><h2>${TEXTS.templates}</h2>
${CODE_TEMPLATES.map(({ entry, title, code }) => html`<details class="operation"><summary><code>${entry}</code> ${title}</summary><pre tabindex="0">${code}</pre></details>`)}</section>`
}
