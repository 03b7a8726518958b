// The table of a schedule's runs.

import type { ScheduleRun } from '../../../../engine/contract/schedule.ts'
import type { Text } from '../../../text/text.ts'
import { countText } from '../../shared/amount-text.ts'
import { type Html, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'
import { badge, dateText, type Tone, table } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'

const TEXTS = texts({
  fr: {
    underWay: 'En cours',
    allPaid: 'Tout versé',
    partly: 'En partie',
    nothingPaid: 'Rien versé',
    planned: 'Prévue',
    done: 'Exécutée',
    failed: 'En échec',
    noRunYet: 'Pas encore exécutée.',
  },
  en: {
    underWay: 'Under way',
    allPaid: 'All paid',
    partly: 'Partly',
    nothingPaid: 'Nothing paid',
    planned: 'Planned',
    done: 'Done',
    failed: 'Failed',
    noRunYet: 'No run yet.',
  },
})

const RUNS: Readonly<Record<ScheduleRun['state'], readonly [words: Text | string, tone: Tone]>> = {
  running: [TEXTS.underWay, 'wait'],
  completed: [TEXTS.allPaid, 'good'],
  partial: [TEXTS.partly, 'wait'],
  failed: [TEXTS.nothingPaid, 'bad'],
}

/** Where each line of a run is. */
export function runPath({ batch_id, disbursement_id }: ScheduleRun): string {
  return batch_id === null ? `disbursements/${disbursement_id}` : `batches/${batch_id}`
}

export function runTable(visit: Visit, runs: readonly ScheduleRun[]): Html {
  return table(
    DASHBOARD_WORDS.runs,
    [
      {
        name: TEXTS.planned,
        cell: (run) => html`<a href="${visit.to(runPath(run))}">${dateText(run.scheduled_for)}</a>`,
      },
      { name: TEXTS.done, cell: ({ executed_at }) => dateText(executed_at) },
      { name: DASHBOARD_WORDS.result, card: 'state', cell: ({ state }) => badge(...RUNS[state]) },
      { name: DASHBOARD_WORDS.paid2, isFigure: true, cell: ({ paid_count }) => countText(paid_count) },
      { name: TEXTS.failed, isFigure: true, cell: ({ failed_count }) => countText(failed_count) },
    ],
    runs,
    TEXTS.noRunYet,
  )
}
