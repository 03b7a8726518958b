// The quotas on the operator's desk: how much of each table is used, and who holds the most.

import type { QuotaReport, QuotaUseRow } from '../../../engine/contract/quota.ts'
import { SERVED_QUOTAS } from '../../api/operator/served-quotas.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { Text } from '../../text/text.ts'
import { countText } from '../shared/amount-text.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { answerMissing } from './missing.ts'
import { ENVIRONMENT_NAMES } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { TEXTS } from './quota-routes-messages.ts'

/** Fraction of a maximum from which on the row is marked. */
const NEARLY_FULL = 1 / 2

export function quotaRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/quotas',
      operationId: 'showOperatorQuotas',
      summary: 'Use of the quotas',
      handle: (call) =>
        desk.signedIn(call, '../', (session) =>
          later(call, async () => {
            const answer = await desk.ask<QuotaReport>(call, { operationId: 'getQuotas' })
            const place = { place: 'quotas', root: '../' } as const
            if (!answer.ok) return answerMissing(desk, call, session, { ...place, message: answer.error.message, status: answer.status })
            desk.answer(call, session, { ...place, title: OPERATOR_WORDS.quotas, body: quotasBody(answer.body) })
          }),
        ),
    }),
  ]
}

const PERCENT = new Intl.NumberFormat('fr-FR', { style: 'percent', maximumFractionDigits: 1 })

const NAMES: ReadonlyMap<string, Text> = new Map(
  SERVED_QUOTAS.map(({ name, counts, countsFr }) => [name, new Text((language) => (language === 'fr' ? countsFr : counts))]),
)

const PART_NAMES = { ...ENVIRONMENT_NAMES, both: TEXTS.noEnvironment } as const

const AT_SHARE = {
  refused: TEXTS.refusalStatus429,
  oldest_gives_way: TEXTS.oldestOneEnds,
  not_made: TEXTS.nothingSent,
} as const satisfies Record<QuotaUseRow['at_share'], Text>

const COLUMNS: readonly Column<QuotaUseRow>[] = [
  { name: TEXTS.quota, isHeader: true, cell: ({ name }) => NAMES.get(name) ?? name },
  { name: TEXTS.part, cell: ({ part }) => PART_NAMES[part] },
  { name: TEXTS.used, isFigure: true, cell: ({ rows }) => countText(rows) },
  { name: WORDS.maximum, isFigure: true, cell: ({ max }) => countText(max) },
  { name: TEXTS.rate, isFigure: true, cell: ({ rows, max }) => PERCENT.format(rows / max) },
  { name: TEXTS.shareOne, isFigure: true, cell: ({ share }) => countText(share) },
  { name: TEXTS.largest, isFigure: true, cell: ({ largest_rows }) => countText(largest_rows) },
  { name: TEXTS.holder, isProse: true, cell: holderCell },
  { name: TEXTS.atShare, cell: ({ at_share }) => AT_SHARE[at_share] },
]

function quotasBody({ quotas }: QuotaReport): Html {
  const full = quotas.filter(({ rows, max }) => rows >= max * NEARLY_FULL)
  return html`<h1>${OPERATOR_WORDS.quotas}</h1>
${full.length === 0 && html`<p class="verdict is-good" role="status">${TEXTS.noQuotaHalfUsed}</p>`}
${full.map(({ name, part }) => html`<p class="verdict is-bad" role="alert">${TEXTS.moreThanHalfUsed(NAMES.get(name) ?? name, PART_NAMES[part])}</p>`)}
${dataTable({ name: OPERATOR_WORDS.quotas, columns: COLUMNS, rows: quotas })}
<p class="hint">${TEXTS.eachAccountHasShareAccounts}</p>`
}

function holderCell({ largest_holder }: QuotaUseRow): Fragment {
  if (largest_holder === null) return '—'
  const { kind, id, name } = largest_holder
  const shown = html`<bdi>${name === '' ? id : name}</bdi>`
  if (kind === 'network') return TEXTS.network
  return (kind === 'account' || kind === 'merchant') && name !== '' ? html`<a href="merchants/${id}">${shown}</a>` : shown
}
