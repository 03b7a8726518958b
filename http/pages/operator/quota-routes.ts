// The quotas on the operator's desk: how much of each table is used, and who holds the most.

import type { QuotaReport, QuotaUseRow } from '../../../engine/contract/quota.ts'
import { SERVED_QUOTAS } from '../../api/operator/served-quotas.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { type Column, dataTable } from '../data-table.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { answerMissing } from './missing.ts'
import { ENVIRONMENT_NAMES } from './operator-parts.ts'

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
            desk.answer(call, session, { ...place, title: 'Quotas', body: quotasBody(answer.body) })
          }),
        ),
    }),
  ]
}

const COUNT = new Intl.NumberFormat('fr-FR')
const PERCENT = new Intl.NumberFormat('fr-FR', { style: 'percent', maximumFractionDigits: 1 })

const NAMES: ReadonlyMap<string, string> = new Map(SERVED_QUOTAS.map(({ name, countsFr }) => [name, countsFr]))

const PART_NAMES = { ...ENVIRONMENT_NAMES, both: 'sans environnement' } as const

const AT_SHARE = {
  refused: 'refus, statut 429',
  oldest_gives_way: 'le plus ancien cède sa place',
  not_made: 'rien n’est envoyé',
} as const satisfies Record<QuotaUseRow['at_share'], string>

const COLUMNS: readonly Column<QuotaUseRow>[] = [
  { name: 'Quota', isHeader: true, cell: ({ name }) => NAMES.get(name) ?? name },
  { name: 'Partie', cell: ({ part }) => PART_NAMES[part] },
  { name: 'Utilisé', isFigure: true, cell: ({ rows }) => COUNT.format(rows) },
  { name: 'Maximum', isFigure: true, cell: ({ max }) => COUNT.format(max) },
  { name: 'Taux', isFigure: true, cell: ({ rows, max }) => PERCENT.format(rows / max) },
  { name: 'Part d’un seul', isFigure: true, cell: ({ share }) => COUNT.format(share) },
  { name: 'Le plus grand', isFigure: true, cell: ({ largest_rows }) => COUNT.format(largest_rows) },
  { name: 'Détenteur', isProse: true, cell: holderCell },
  { name: 'À la part', cell: ({ at_share }) => AT_SHARE[at_share] },
]

function quotasBody({ quotas }: QuotaReport): Html {
  const full = quotas.filter(({ rows, max }) => rows >= max * NEARLY_FULL)
  return html`<h1>Quotas</h1>
${full.length === 0 && html`<p class="verdict is-good" role="status">Aucun quota n’est utilisé à moitié.</p>`}
${full.map(({ name, part }) => html`<p class="verdict is-bad" role="alert">Plus de la moitié est utilisée : <bdi>${NAMES.get(name) ?? name}</bdi> (${PART_NAMES[part]}).</p>`)}
${dataTable({ name: 'Quotas', columns: COLUMNS, rows: quotas })}
<p class="hint">Chaque compte a une part. Les comptes qui ont peu d’éléments gardent une réserve, et un quart de chaque partie est réservé aux marchands activés.</p>`
}

function holderCell({ largest_holder }: QuotaUseRow): Fragment {
  if (largest_holder === null) return '—'
  const { kind, id, name } = largest_holder
  const shown = html`<bdi>${name === '' ? id : name}</bdi>`
  if (kind === 'network') return 'un réseau'
  return (kind === 'account' || kind === 'merchant') && name !== '' ? html`<a href="merchants/${id}">${shown}</a>` : shown
}
