// The table of a schedule's runs.
import type { ScheduleRun } from '../../../engine/contract/schedule.ts'
import { type Html, html } from '../html.ts'
import { badge, dateText, type Tone, table } from './dashboard-parts.ts'
import type { Visit } from './visit.ts'

const RUNS: Readonly<Record<ScheduleRun['state'], readonly [words: string, tone: Tone]>> = {
  completed: ['Tout versé', 'good'],
  partial: ['En partie', 'wait'],
  failed: ['Rien versé', 'bad'],
}

export function runTable(visit: Visit, runs: readonly ScheduleRun[]): Html {
  return table(
    'Exécutions',
    [
      {
        name: 'Prévue',
        cell: ({ scheduled_for, batch_id }) => html`<a href="${visit.to(`batches/${batch_id}`)}">${dateText(scheduled_for)}</a>`,
      },
      { name: 'Exécutée', cell: ({ executed_at }) => dateText(executed_at) },
      { name: 'Résultat', card: 'state', cell: ({ state }) => badge(...RUNS[state]) },
      { name: 'Versées', isFigure: true, cell: ({ paid_count }) => paid_count },
      { name: 'En échec', isFigure: true, cell: ({ failed_count }) => failed_count },
    ],
    runs,
    'Pas encore exécutée.',
  )
}
