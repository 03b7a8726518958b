// Runs of schedules that did not pay every line: a notice with what failed and what to do.

import type { BatchReport } from '../../../../engine/contract/batch.ts'
import type { DisbursementLine } from '../../../../engine/contract/disbursement.ts'
import type { ScheduleRun } from '../../../../engine/contract/schedule.ts'
import type { Text } from '../../../text/text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'
import { failureReasons } from '../pay-out/outcomes.ts'
import { dateText, theirs } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { runPath } from './schedule-runs.ts'

const TEXTS = texts({
  fr: {
    scheduledPayoutSeeWhatDo: (reference: Fragment, executedAt: Fragment, resultText: Fragment, value: Fragment) =>
      html`Le versement programmé ${reference} du ${executedAt} : ${resultText}. <a href="${value}">Voir ce qu’il faut faire</a>`,
    nothingWasPaid: 'rien n’a été versé',
    notAllWasPaid: 'une partie n’a pas été versée',
    linesWereNotPaid: (failedCount: number, total: number) => `${failedCount} sur ${total} lignes n’ont pas été versées`,
    run: (executedAt: Fragment, resultText: Fragment) => html`Exécution du ${executedAt} : ${resultText}.`,
    seeEachLine: 'Voir chaque ligne',
  },
  en: {
    scheduledPayoutSeeWhatDo: (reference, executedAt, resultText, value) =>
      html`Scheduled payout ${reference} of ${executedAt}: ${resultText}. <a href="${value}">See what to do</a>`,
    nothingWasPaid: 'nothing was paid',
    notAllWasPaid: 'a part was not paid',
    linesWereNotPaid: (failedCount, total) => `${failedCount} of ${total} lines were not paid`,
    run: (executedAt, resultText) => html`Run of ${executedAt}: ${resultText}.`,
    seeEachLine: 'See each line',
  },
})

const DAYS_SHOWN = 7
const DAY_MS = 86_400_000
const EVENTS_READ = '20'

interface FailedRunEvent {
  readonly data: ScheduleRun & { readonly reference: string }
}

/** Notices of the failed runs of the last days: the newest of each schedule. */
export async function failedRunNotices(visit: Visit): Promise<Fragment> {
  const since = new Date(visit.app.engine.query('engine.time', null) - DAYS_SHOWN * DAY_MS).toISOString()
  const query = { type: 'schedule.run_failed', created_from: since, limit: EVENTS_READ }
  const answer = await visit.ask<{ readonly data: readonly FailedRunEvent[] }>('listEvents', { query })
  if (!answer.ok) return null
  const newest = new Map<string, FailedRunEvent['data']>()
  for (const { data } of answer.body.data) if (!newest.has(data.schedule_id)) newest.set(data.schedule_id, data)
  return html`${[...newest.values()].map((run) => notice(visit, run))}`
}

function notice(visit: Visit, run: FailedRunEvent['data']): Html {
  const { schedule_id, reference, executed_at } = run
  return html`<p class="reasons" role="status">${TEXTS.scheduledPayoutSeeWhatDo(theirs(reference), dateText(executed_at), resultText(run), visit.to(`schedules/${schedule_id}`))}</p>`
}

function resultText({ batch_id, paid_count, failed_count }: ScheduleRun): Text | string {
  if (paid_count === 0) return TEXTS.nothingWasPaid
  // Lines of a cancelled disbursement are in neither count.
  return batch_id === null ? TEXTS.notAllWasPaid : TEXTS.linesWereNotPaid(failed_count, paid_count + failed_count)
}

/** What failed in the newest run and what to do; nothing when it paid every line. */
export async function failedRunAdvice(visit: Visit, run: ScheduleRun | undefined): Promise<Fragment> {
  if (run === undefined || run.state === 'completed' || run.state === 'running') return null
  return html`<section class="reasons" role="status"><p>${TEXTS.run(dateText(run.executed_at), resultText(run))}</p>${failureReasons(await failedLines(visit, run))}
<p><a class="alone" href="${visit.to(runPath(run))}">${TEXTS.seeEachLine}</a></p></section>`
}

/** The failed lines of its batch, or the first ones of its disbursement. */
async function failedLines(visit: Visit, { batch_id, disbursement_id }: ScheduleRun): Promise<Parameters<typeof failureReasons>[0]> {
  if (batch_id !== null) {
    const report = await visit.ask<BatchReport>('getBatch', { params: [batch_id] })
    return report.ok ? report.body.items : []
  }
  const query = { state: 'failed', limit: '100' }
  const lines = await visit.ask<{ readonly data: readonly DisbursementLine[] }>('listDisbursementLines', {
    params: [disbursement_id ?? ''],
    query,
  })
  return lines.ok ? lines.body.data : []
}
